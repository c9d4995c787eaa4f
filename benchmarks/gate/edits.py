"""The changes that mutate.py makes in a syntax tree: each edit looks at one node and gives (kind, other node) pairs."""

import ast
import copy
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Site:
    """A node that may be changed. `types`: the columns of the table and their types."""

    node: ast.AST
    parent: ast.AST
    types: Mapping[str, str]


Edits = Iterator[tuple[str, ast.AST]]

_COMPARE: Mapping[type[ast.cmpop], tuple[str, type[ast.cmpop]]] = {
    ast.Eq: ("operator", ast.NotEq), ast.NotEq: ("operator", ast.Eq), ast.In: ("operator", ast.NotIn),
    ast.NotIn: ("operator", ast.In), ast.Lt: ("boundary", ast.LtE), ast.LtE: ("boundary", ast.Lt),
    ast.Gt: ("boundary", ast.GtE), ast.GtE: ("boundary", ast.Gt), ast.Is: ("operator", ast.IsNot),
    ast.IsNot: ("operator", ast.Is),
}  # fmt: skip
_BINARY: Mapping[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.FloorDiv: ast.Mult,
    ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd, ast.Mod: ast.Mult,
}  # fmt: skip
_METHODS: Mapping[str, str] = {
    "upper": "lower", "lower": "upper", "title": "upper", "capitalize": "upper", "casefold": "upper",
    "strip": "lstrip", "lstrip": "rstrip", "rstrip": "lstrip", "fullmatch": "match", "match": "search",
    "where": "mask", "mask": "where", "startswith": "endswith", "endswith": "startswith", "zfill": "ljust",
    "rjust": "ljust", "notna": "isna", "isna": "notna",
}  # fmt: skip
_DROPPABLE = frozenset(
    [
        "strip",
        "lstrip",
        "rstrip",
        "lower",
        "upper",
        "title",
        "capitalize",
        "casefold",
        "replace",
        "zfill",
        "rjust",
        "normalize",
    ]
)
_GUARDS = ("isinstance", "isna", "notna", "isnull", "is None", "na_action")
# (kind, what to look for, what to put there): each is tried once on a regular expression.
_REGEX = (
    ("regex", r"^\^", ""), ("regex", r"\$$", ""), ("regex", r"\+", "*"), ("regex", r"\+", ""), ("regex", r"\*", ""),
    ("regex", r"\[0-9\]", "[1-9]"), ("regex", r"\{(\d)\}", "{1,3}"), ("regex", r"\\\.", ""),
    ("regex", r"\(\?:[^()|]*\|", "(?:"),
    ("regex", r"\?$|\?(?=[^:=!<P])", ""), ("regex", r"\\s\*", ""), ("regex", r"\[A-Za-z\]", "[A-Z]"),
)  # fmt: skip


def operators(site: Site) -> Edits:
    match site.node:
        case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in _COMPARE:
            kind, other = _COMPARE[type(op)]
            yield kind, ast.Compare(left, [other()], [right])
        case ast.BoolOp(op=op, values=[first, *rest]):
            yield "operator", ast.BoolOp(ast.Or() if isinstance(op, ast.And) else ast.And(), [first, *rest])
            kind = "lost-null-guard" if _guards(first) else "dropped-branch"
            yield kind, rest[0] if len(rest) == 1 else ast.BoolOp(op, rest)
            yield "dropped-branch", first
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _BINARY and not _text_format(left):
            yield "operator", ast.BinOp(left, _BINARY[type(op)](), right)
        case ast.UnaryOp(op=ast.Not() | ast.Invert() | ast.USub(), operand=operand):
            yield "operator", operand
        case ast.AugAssign(target=target, op=ast.Add(), value=value):
            yield "operator", ast.AugAssign(target, ast.Sub(), value)


def numbers(site: Site) -> Edits:
    match site.node:
        case ast.Constant(value=int() as value) if not isinstance(value, bool):
            kind = "boundary" if isinstance(site.parent, ast.Slice) else "off-by-one"
            yield kind, ast.Constant(value + 1)
            if value > 0:
                yield kind, ast.Constant(value - 1)
            if abs(value) >= 10:
                yield "constant", ast.Constant(value * 10)
        case ast.Constant(value=float() as value):
            yield "constant", ast.Constant(value * 10)
            yield "constant", ast.Constant(value + 1)


def texts(site: Site) -> Edits:
    match site.node:
        case ast.Constant(value=str() as text) if text:
            if text in site.types:
                names = [n for n, kind in site.types.items() if kind == site.types[text] and n != text]
                yield from (("column", ast.Constant(n)) for n in names[:1] + names[-1:])
            elif re.search(r"%[dmYHB]", text):
                yield from _formats(text)
            elif re.search(r"[\\\[(^$+]", text) and len(text) > 3 and not isinstance(site.parent, ast.Dict):
                yield from _patterns(text)
            elif not isinstance(site.parent, ast.Dict):
                yield "constant", ast.Constant(text[:-1])
                if text.swapcase() != text:
                    yield "constant", ast.Constant(text.swapcase())


def _formats(text: str) -> Edits:
    if "%d" in text and re.search("%[mbB]", text) and "%m" in text:
        yield "swapped-day-month", ast.Constant(text.replace("%d", "%\0").replace("%m", "%d").replace("%\0", "%m"))
    if "%H" in text:
        yield "constant", ast.Constant(text.replace("%H", "%I"))
    if "%Y" in text:
        yield "constant", ast.Constant(text.replace("%Y", "%y"))


def _patterns(text: str) -> Edits:
    for kind, wanted, other in _REGEX:
        changed = re.sub(wanted, other, text, count=1)
        if changed != text and _compiles(changed):
            yield kind, ast.Constant(changed)
    groups = re.fullmatch(r"(.*)\\1(.*)\\2(.*)", text) or re.fullmatch(r"(.*)\\2(.*)\\1(.*)", text)
    if groups:
        first, second = ("\\2", "\\1") if text.index("\\1") < text.index("\\2") else ("\\1", "\\2")
        yield "swapped-fields", ast.Constant(groups[1] + first + groups[2] + second + groups[3])


def mappings(site: Site) -> Edits:
    match site.node:
        case ast.Dict(keys=keys, values=values) if len(keys) > 1:
            yield "dropped-entry", ast.Dict(keys[1:], values[1:])
            yield "dropped-entry", ast.Dict(keys[:-1], values[:-1])
            texts = [ast.unparse(value) for value in values]
            other = next((n for n, text in enumerate(texts) if text != texts[0]), 0)
            if other:
                swapped = list(values)
                swapped[0], swapped[other] = swapped[other], swapped[0]
                yield "wrong-mapping", ast.Dict(keys, swapped)
            said = [value.value for value in values if isinstance(value, ast.Constant) and isinstance(value.value, str)]
            if len(said) == len(values):
                yield "constant", ast.Dict(keys, [*copy.deepcopy(values[:-1]), ast.Constant(said[-1][:-1])])
        case ast.List(elts=elts) | ast.Set(elts=elts) if len(elts) > 1:
            yield "dropped-entry", type(site.node)(elts[1:])
            yield "dropped-entry", type(site.node)(elts[:-1])


def branches(site: Site) -> Edits:
    match site.node:
        case ast.If(test=test, body=body, orelse=orelse):
            kind = "lost-null-guard" if _guards(test) else "dropped-branch"
            yield kind, ast.If(ast.Constant(False), body, orelse)
            yield "dropped-branch", ast.If(ast.Constant(True), body, orelse)
            yield "operator", ast.If(ast.UnaryOp(ast.Not(), test), body, orelse)
        case ast.IfExp(test=test, body=body, orelse=orelse):
            yield ("lost-null-guard" if _guards(test) else "dropped-branch"), body
            yield "dropped-branch", orelse
        case ast.Assign() | ast.AugAssign() | ast.For() | ast.While() if isinstance(
            site.parent, ast.FunctionDef | ast.If
        ):
            yield "dropped-branch", ast.Pass()
        case ast.Break():
            yield "dropped-branch", ast.Pass()
        case ast.Return(value=ast.Name()) if site.parent is not None and isinstance(
            site.parent, ast.If | ast.ExceptHandler
        ):
            yield "null-out", ast.Return(ast.Constant(None))


def calls(site: Site) -> Edits:
    match site.node:
        case ast.Call(func=ast.Attribute(value=value, attr=name) as function, args=arguments, keywords=keywords):
            if name in _METHODS:
                yield "wrong-method", ast.Call(ast.Attribute(value, _METHODS[name]), arguments, keywords)
            if name in _DROPPABLE:
                bare = value.value if isinstance(value, ast.Attribute) and value.attr == "str" else value
                yield "dropped-call", bare
            for number, keyword in enumerate(keywords):
                if keyword.arg in ("na", "na_action", "case", "regex", "flags", "n"):
                    kind = "lost-null-guard" if keyword.arg.startswith("na") else "wrong-method"
                    yield kind, ast.Call(function, arguments, keywords[:number] + keywords[number + 1 :])
    match site.node:
        case ast.Call(func=called, args=[*front, one, other], keywords=keywords) if len(front) <= 1:
            if isinstance(one, ast.Name) and isinstance(other, ast.Name):
                yield "swapped-fields", ast.Call(called, [*front, other, one], keywords)


def fields(site: Site) -> Edits:
    match site.node:
        case ast.Tuple(elts=[one, other, *rest], ctx=ast.Store()):
            yield "swapped-fields", ast.Tuple([other, one, *rest], ast.Store())
        case ast.JoinedStr(values=values):
            at = [n for n, part in enumerate(values) if isinstance(part, ast.FormattedValue)]
            if len(at) > 1:
                swapped = list(values)
                swapped[at[0]], swapped[at[1]] = swapped[at[1]], swapped[at[0]]
                yield "swapped-fields", ast.JoinedStr(swapped)


EDITS: tuple[Callable[[Site], Edits], ...] = (operators, numbers, texts, mappings, branches, calls, fields)


def _guards(test: ast.AST) -> bool:
    text = ast.unparse(test)
    return any(word in text for word in _GUARDS)


def _text_format(left: ast.AST) -> bool:
    return isinstance(left, ast.Constant) and isinstance(left.value, str)


def _compiles(pattern: str) -> bool:
    try:
        re.compile(pattern)
    except re.error:
        return False
    return True
