"""The screen: refuses, by looking at the syntax tree, what a cleaning function has no business to contain.

Called by the verifier before anything runs. It gives early rejection and better feedback; it is never the boundary:
whatever it overlooks still runs only inside a locked-down container.
"""

import ast
from collections.abc import Iterator
from fnmatch import fnmatchcase

from orchestrator.core.candidate import Candidate
from orchestrator.core.policy import ScreenPolicy
from orchestrator.gate.candidate_file import DETECT, parse
from orchestrator.gate.checks.check import Check, Scope

ID = "screen"
LAW = "It is one public function with a docstring, and it imports and calls only what the policy allows."

MAX_PROBLEMS = 5
MAX_DEPTH = 60


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Reached through a name, whether called or stored under another name first.
FORBIDDEN_NAMES = _words(
    """
    eval exec compile open input breakpoint globals locals vars __import__ __builtins__ __loader__ __spec__
    __file__ memoryview exit quit setattr delattr SystemExit KeyboardInterrupt BaseException GeneratorExit
    """
)
# Of these, the ones that people also use as names of their own.
SHADOWABLE = frozenset({"input", "vars", "exit", "quit"})
# Methods and attributes that read, write or evaluate text, or walk out of the objects at hand.
FORBIDDEN_ATTRIBUTES = _words(
    """
    eval query system popen spawn fork environ modules __builtins__ load save savez savez_compressed savetxt
    loadtxt genfromtxt fromfile tofile memmap open_memmap DataSource ExcelFile ExcelWriter HDFStore to_clipboard
    f_globals f_locals f_back f_builtins gi_frame cr_frame ag_frame tb_frame gi_code cr_code co_code
    func_globals mro ctypeslib ctypes f2py testing lib _os _sys sys os io subprocess importlib builtins
    set_option reset_option option_context format_map
    """
)
# pandas writers that return text when they get no path are I/O all the same; converters in memory are not.
ALLOWED_TO = _words(
    """
    to_numeric to_datetime to_timedelta to_numpy to_list to_dict to_frame to_series to_flat_index to_pydatetime
    to_period to_timestamp to_julian_date to_records to_datetime64 to_integral to_integral_value
    to_integral_exact to_eng_string to_base to_bytes to_pytimedelta to_offset to_timedelta64
    """
)
DUNDER_ALLOWED = frozenset({"__name__", "__len__", "__doc__"})


def problems(candidate: Candidate, policy: ScreenPolicy) -> list[str]:
    """What the screen refuses, most basic first, one sentence each; empty when it lets the candidate through."""
    size = len(candidate.source.encode("utf-8", "surrogatepass"))
    if size > policy.max_source_bytes:
        return [f"the source is {size:,} bytes long; at most {policy.max_source_bytes:,} are allowed"]
    if candidate.source.count("\n") >= policy.max_lines:
        return [f"the source is longer than {policy.max_lines:,} lines"]
    tree = parse(candidate.source)
    nodes = sum(1 for _ in ast.walk(tree))
    if nodes > policy.max_nodes:
        return [f"the source has {nodes:,} syntax nodes; at most {policy.max_nodes:,} are allowed"]
    if _depth(tree) > MAX_DEPTH:
        return [f"the source is nested deeper than {MAX_DEPTH} levels"]
    found: dict[str, None] = {}
    for problem in (*_signatures(tree, candidate), *_top_level(tree), *_contents(tree, policy)):
        found.setdefault(problem)
    return list(found)[:MAX_PROBLEMS]


def _depth(tree: ast.AST) -> int:
    depth, level = 0, [tree]
    while level:
        depth += 1
        level = [child for node in level for child in ast.iter_child_nodes(node)]
    return depth


def _signatures(tree: ast.Module, candidate: Candidate) -> Iterator[str]:
    seen: set[str] = set()
    for node in tree.body:
        if not isinstance(node, ast.FunctionDef):
            continue
        if node.name in seen:
            yield f"`{node.name}` is defined more than once"
        seen.add(node.name)
        if node.name not in {candidate.name, DETECT}:
            continue
        arguments = node.args
        if len(arguments.posonlyargs) + len(arguments.args) != 1 or arguments.vararg or arguments.kwarg:
            yield f"`{node.name}` must take exactly one positional argument"
        elif arguments.kwonlyargs or arguments.defaults:
            yield f"`{node.name}` must take one argument without default"
        if node.decorator_list:
            yield f"`{node.name}` must not be decorated"
        if node.name == candidate.name and not ast.get_docstring(node):
            yield f"`{node.name}` needs a docstring that says what it does"
        if any(isinstance(inner, ast.Yield | ast.YieldFrom) for inner in ast.walk(node)):
            yield f"`{node.name}` must return its result, not yield it"


def _top_level(tree: ast.Module) -> Iterator[str]:
    """Only definitions may stand at module level: nothing there may act."""
    for node in tree.body:
        match node:
            case ast.Import() | ast.ImportFrom() | ast.FunctionDef():
                continue
            case ast.Expr(value=ast.Constant(value=str())):
                continue
            case ast.Assign() | ast.AnnAssign() | ast.ClassDef() | ast.Pass():
                continue
            case _:
                yield f"line {node.lineno}: only imports, constants and functions may stand at module level"


def _contents(tree: ast.Module, policy: ScreenPolicy) -> Iterator[str]:
    own = _bound(tree) & SHADOWABLE
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                for alias in names:
                    if not _allowed(alias.name, policy):
                        yield f"line {node.lineno}: module `{alias.name[:80]}` may not be imported"
            case ast.ImportFrom(module=module, names=names, level=level):
                yield from _import_from(node.lineno, module or "", [a.name for a in names], level, policy)
            case ast.Name(id=name) if name in FORBIDDEN_NAMES - own:
                yield f"line {node.lineno}: `{name}` may not be used"
            case ast.Name(id=name) if _dunder(name):
                yield f"line {node.lineno}: `{name[:80]}` may not be used"
            case ast.Attribute(attr=name):
                yield from _attribute(node.lineno, name)
            case ast.Constant(value=str() as text) if _dunder_text(text):
                yield f"line {node.lineno}: the text {text[:60]!r} names a special attribute"
            case ast.Call(func=ast.Name(id="getattr" | "hasattr")):
                if len(node.args) < 2 or not _plain_name(node.args[1]):
                    yield f"line {node.lineno}: getattr needs a plain attribute name written out"
                else:
                    yield from _attribute(node.lineno, node.args[1].value)  # type: ignore[attr-defined] # _plain_name
            case ast.AsyncFunctionDef() | ast.Await() | ast.AsyncFor() | ast.AsyncWith():
                yield f"line {node.lineno}: asynchronous code is not allowed"


def _bound(tree: ast.Module) -> set[str]:
    """Names that the source gives to values of its own."""
    names = {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    return names | {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}


def _import_from(line: int, module: str, names: list[str], level: int, policy: ScreenPolicy) -> Iterator[str]:
    if level or not _allowed(module, policy):
        yield f"line {line}: module `{'.' * level}{module[:80]}` may not be imported"
        return
    for name in names:
        if name == "*":
            yield f"line {line}: import the names that are used, not `*`"
        elif name in FORBIDDEN_NAMES:
            yield f"line {line}: `{name}` may not be imported"
        else:
            yield from _attribute(line, name)


def _allowed(module: str, policy: ScreenPolicy) -> bool:
    parts = module.split(".")
    if any(part.startswith("_") and module != "__future__" for part in parts):
        return False
    if any(part in FORBIDDEN_ATTRIBUTES for part in parts):
        return False
    return any(fnmatchcase(module, pattern) for pattern in policy.imports)


def _attribute(line: int, name: str) -> Iterator[str]:
    if _dunder(name) and name not in DUNDER_ALLOWED:
        yield f"line {line}: the special attribute `{name[:80]}` may not be used"
    elif name in FORBIDDEN_ATTRIBUTES:
        yield f"line {line}: `.{name}` may not be used"
    elif name.startswith("read_"):
        yield f"line {line}: `.{name[:80]}` reads from outside; the data is the argument"
    elif name.startswith("to_") and name not in ALLOWED_TO:
        yield f"line {line}: `.{name[:80]}` writes to the outside; return the data instead"


def _dunder(name: str) -> bool:
    return name.startswith("__") and name.endswith("__") and len(name) > 4


def _dunder_text(text: str) -> bool:
    """A text that is a special name as a whole, or that a format string would use to walk to one (`{0.__class__}`)."""
    stripped = text.strip()
    return (_dunder(stripped) and stripped.isidentifier()) or ".__" in text or "[__" in text


def _plain_name(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.isidentifier()


def not_applicable(scope: Scope) -> str:
    return "" if scope.screened else "switched off by the caller"


CHECK = Check(ID, LAW, None, not_applicable)
