"""What a name of a source can stand for, as far as that can be told: functions, or anything. Called by `contents`.

pandas calls a method by the text that it is given, so a text that is put together while it runs would call any. Where
a variable stands in its place, what the variable is bound to decides.
"""

import ast
import re
from collections.abc import Callable, Iterator

from orchestrator.gate.syntax.facts import own_attributes

_DEEPEST = 8
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_METHODS = frozenset(
    name for kind in (str, dict, list, set, int, float, re.Pattern) for name in dir(kind) if not name.startswith("_")
)
_LOOKUPS = frozenset({"get", "items", "values"})


class Bindings:
    """`plainly_callable`: whether an expression is a function, or a text, by itself."""

    def __init__(self, tree: ast.Module, plainly_callable: Callable[[ast.expr], bool]) -> None:
        self._plainly_callable = plainly_callable
        self._bound: dict[str, list[ast.expr | None]] = {}
        self._returned: dict[str, list[ast.expr | None]] = {}
        for node in ast.walk(tree):
            for name, value in _bindings(node):
                self._bound.setdefault(name, []).append(value)
            if isinstance(node, _DEFINITIONS):
                self._returned.setdefault(node.name, []).extend(_returns(node))
        self._methods = frozenset() if _makes_tuples(tree) else _METHODS - own_attributes(tree)

    def are_functions(self, node: ast.expr, depth: int = 0) -> bool:
        """Whether all that the expression can be are functions of the source, or texts that stand there."""
        if depth > _DEEPEST:
            return False
        if self._plainly_callable(node):
            return True
        if isinstance(node, ast.Attribute) and node.attr in self._methods:
            return True
        return all(found is not None and self.are_functions(found, depth + 1) for found in self._found(node))

    def texts(self, node: ast.expr, depth: int = 0) -> Iterator[str]:
        """The texts that it can be."""
        if isinstance(node, ast.Constant):
            if isinstance(node.value, str):
                yield node.value
        elif depth <= _DEEPEST and not self._plainly_callable(node):
            for found in self._found(node):
                if found is not None:
                    yield from self.texts(found, depth + 1)

    def _found(self, node: ast.expr) -> list[ast.expr | None]:
        """What the expression can be, one step on; None for what cannot be told."""
        match node:
            case ast.Name(id=name):
                return self._bound.get(name) or [None]
            case ast.IfExp(body=one, orelse=other):
                return [one, other]
            case ast.List(elts=elements) | ast.Tuple(elts=elements) | ast.Set(elts=elements):
                return list(elements) or [None]
            case ast.Dict(values=values):
                return list(values) or [None]
            case ast.NamedExpr(value=value) | ast.DictComp(value=value):
                return [value]
            case ast.ListComp(elt=value) | ast.SetComp(elt=value) | ast.GeneratorExp(elt=value):
                return [value]
            case ast.Subscript(value=value):
                return self._elements(value)
            case ast.Call(func=ast.Attribute(value=value, attr=name)) if name in _LOOKUPS:
                return [*self._elements(value), *node.args[1:]]
            case ast.Call(func=ast.Name(id=name)) if name in self._returned:
                return self._returned[name] or [None]
        return [None]

    def _elements(self, node: ast.expr, depth: int = 0) -> list[ast.expr | None]:
        """What stands in the lists, tuples and dicts that the expression can be; a part of a text is another text."""
        if isinstance(node, ast.List | ast.Tuple | ast.Set | ast.Dict):
            return self._found(node)
        if depth > _DEEPEST or isinstance(node, ast.Constant):
            return [None]
        return [
            element
            for found in self._found(node)
            for element in ([None] if found is None else self._elements(found, depth + 1))
        ]


def _makes_tuples(tree: ast.Module) -> bool:
    """Whether there are tuples whose attributes a text names: `get` may then be anything."""
    return any(
        (isinstance(node, ast.alias) and node.name == "namedtuple")
        or (isinstance(node, ast.Attribute) and node.attr == "namedtuple")
        for node in ast.walk(tree)
    )


def _returns(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[ast.expr | None]:
    """What it returns itself, not what the functions in it return."""
    waiting: list[ast.AST] = list(function.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Return):
            yield node.value
        if not isinstance(node, (*_DEFINITIONS, ast.Lambda, ast.ClassDef)):
            waiting.extend(ast.iter_child_nodes(node))


def _bindings(node: ast.AST) -> Iterator[tuple[str, ast.expr | None]]:
    """The names that a node binds, each with the expression that it gets its value from; None where that is unclear.

    A function's own name is left out: it is plainly one.
    """
    match node:
        case ast.Assign(targets=targets, value=value):
            for target in targets:
                yield from _assigned(target, value)
        case ast.AnnAssign(target=target, value=ast.expr() as value) | ast.NamedExpr(target=target, value=value):
            yield from _assigned(target, value)
        case ast.For(target=target, iter=value) | ast.comprehension(target=target, iter=value):
            yield from _looped(target, value)
        case ast.AugAssign(target=ast.Name(id=name)) | ast.arg(arg=name):
            yield name, None
        case ast.ExceptHandler(name=str() as name) | ast.MatchMapping(rest=str() as name):
            yield name, None
        case ast.MatchAs(name=str() as name) | ast.MatchStar(name=str() as name):
            yield name, None
        case ast.withitem(optional_vars=ast.expr() as target):
            yield from _unclear(target)


def _assigned(target: ast.expr, value: ast.expr) -> Iterator[tuple[str, ast.expr | None]]:
    """A name gets the value; several names get its parts, where it shows them."""
    match target, value:
        case ast.Name(id=name), _:
            yield name, value
        case ((ast.Tuple(elts=targets) | ast.List(elts=targets)), (ast.Tuple(elts=parts) | ast.List(elts=parts))):
            if len(targets) == len(parts) and not any(isinstance(each, ast.Starred) for each in (*targets, *parts)):
                for one, part in zip(targets, parts, strict=True):
                    yield from _assigned(one, part)
            else:
                yield from _unclear(target)
        case _:
            yield from _unclear(target)


def _looped(target: ast.expr, of: ast.expr) -> Iterator[tuple[str, ast.expr | None]]:
    """A name gets each element of what is looped over; two get key and value of the items of a dict."""
    match target, of:
        case ast.Name(id=name), _:
            yield name, ast.Subscript(value=of, slice=ast.Constant(value=0))
        case _, (ast.Tuple(elts=elements) | ast.List(elts=elements)):
            for element in elements:
                yield from _assigned(target, element)
        case ast.Tuple(elts=[key, ast.Name(id=name)]), ast.Call(func=ast.Attribute(value=held, attr="items"), args=[]):
            yield from _unclear(key)
            yield name, ast.Subscript(value=held, slice=ast.Constant(value=0))
        case _:
            yield from _unclear(target)


def _unclear(target: ast.expr) -> Iterator[tuple[str, ast.expr | None]]:
    yield from ((node.id, None) for node in ast.walk(target) if isinstance(node, ast.Name))
