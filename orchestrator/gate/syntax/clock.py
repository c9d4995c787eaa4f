"""Where a candidate asks for the time: a suspicion, raised by the screen.

In containers the clock stands still, so the gate sees one answer to it; the exported file has the real clock. A name
that is put together at run time is not found here.
"""

import ast

from orchestrator.gate.syntax.facts import constant_texts, parts

_ASKS = frozenset({"now", "today", "utcnow"})
_READS_WORDS = frozenset(
    {
        "Timestamp", "to_datetime", "datetime64", "Period", "DatetimeIndex", "getattr",
        "date_range", "bdate_range", "busday_count", "busday_offset", "is_busday",
        "array", "asarray", "asanyarray", "arange", "full", "Series", "Index",
        "between", "clip", "fillna", "mask", "searchsorted", "truncate", "where",
    }
)  # fmt: skip
"""What takes the word `now` or `today` for the time, at least among dates, or gets a method of that name."""
_ORDERS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
_OF_TIME = frozenset({"time", "time_ns", "localtime", "gmtime", "ctime", "strftime"})
"""What the module `time` knows, for teams whose policy allows to import it."""


def clock_reads(tree: ast.Module) -> list[str]:
    """Each place in the order of the source, as `datetime.now, line 4`."""
    texts = constant_texts(tree)
    imported = [each for node in ast.walk(tree) if isinstance(node, ast.Import) for each in node.names]
    time = {each.asname or each.name for each in imported if each.name == "time"}  # no variable that is called so
    found = []
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(attr=name, ctx=ast.Load()) if name in _ASKS:
                said = ast.unparse(node)
            case ast.Attribute(value=ast.Name(id=module), attr=name) if module in time and name in _OF_TIME:
                said = ast.unparse(node)
            case ast.ImportFrom(module="time", names=names) if any(each.name in _OF_TIME for each in names):
                said = "the module time"
            case ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name)) if name in _READS_WORDS:
                if not any(_asks(each, texts) for each in (*node.args, *(each.value for each in node.keywords))):
                    continue
                said = ast.unparse(node)
            case ast.Compare(left=left, ops=ops, comparators=others) if any(isinstance(op, _ORDERS) for op in ops):
                if not any(_asks(each, texts) for each in (left, *others)):
                    continue
                said = ast.unparse(node)
            case _:
                continue
        found.append((node.lineno, said if len(said) <= 60 else f"{said[:60]}…"))
    return [f"{said}, line {line}" for line, said in sorted(found)]


def _asks(argument: ast.expr, texts: dict[str, list[object]]) -> bool:
    """Whether the argument is `now`, `today` or a list of them, written out or as a constant with a name."""
    for part in parts(argument):
        known: list[object] = [part.value] if isinstance(part, ast.Constant) else []
        if isinstance(part, ast.Name):
            known = texts.get(part.id, [])
        if any(isinstance(text, str) and text.strip().lower() in _ASKS for text in known):
            return True
    return False
