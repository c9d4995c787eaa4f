"""Which classes a source may make, and how. Called by `contents`.

A class that is made at run time can have what no source shows: special methods under names that were put together
(numpy reads any memory through `__array_interface__`), or fields whose names `dataclass` writes into code that it runs.
So classes are made by `class` alone, from bases that are known, and nothing that makes classes is a value.
"""

import ast
from collections.abc import Callable, Iterator, Mapping

from orchestrator.gate.syntax.facts import bound_names
from orchestrator.gate.syntax.scopes import Means, Names

_ENUMS = frozenset({f"enum.{name}" for name in ("Enum", "IntEnum", "Flag", "IntFlag", "StrEnum", "ReprEnum")})
_DATACLASS = "dataclasses.dataclass"
_ARRAYS = frozenset({"numpy.ndarray", "numpy.recarray"})  # called, they make objects of any memory
_EMPTY_BASES = frozenset({"typing.Generic", "typing.Protocol"})
_MEMBER_VALUES = (
    ast.Constant, ast.Tuple, ast.List, ast.Dict, ast.Set, ast.UnaryOp, ast.BinOp, ast.JoinedStr, ast.Call,
)  # fmt: skip
_CLASS_DECORATORS = frozenset(
    {_DATACLASS, "functools.total_ordering", "typing.final", "typing.runtime_checkable", "enum.unique", "enum.verify"}
)
_TYPE_ARGUMENTS = 3  # of `type` where it makes a class
_CALLERS = frozenset({"functools.partial", "functools.partialmethod", "operator.call", "itertools.starmap",
                      "numpy.vectorize", "numpy.frompyfunc"})  # fmt: skip


class Classes:
    """The rules, for one source. `parents`: by id of a node; `path`: the module path that an expression is, if any."""

    def __init__(
        self,
        tree: ast.Module,
        names: Names,
        parents: Mapping[int, ast.AST],
        path: Callable[[ast.expr], str | None],
        annotates: Callable[[ast.AST], bool],
        plainly_callable: Callable[[ast.expr], bool],
    ) -> None:
        self._names = names
        self._parents = parents
        self._path = path
        self._annotates = annotates
        self._plainly_callable = plainly_callable
        classes = [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
        others = {name for node in ast.walk(tree) if not isinstance(node, ast.ClassDef) for name in _bound(node)}
        remade = {n.name for n in classes if not all(self._targets(d) & _CLASS_DECORATORS for d in n.decorator_list)}
        self._own = {node.name for node in classes} - others - remade
        self._types_escape = any(
            isinstance(node, ast.Name) and node.id == "type" and self._escapes(node) for node in ast.walk(tree)
        )

    def problems(self, node: ast.AST) -> Iterator[str]:
        """What is wrong with one node, one sentence each."""
        match node:
            case ast.ClassDef():
                yield from self._definition(node)
            case ast.Name(ctx=ast.Load()) | ast.Attribute(ctx=ast.Load()):
                yield from self._maker(node)
            case ast.Call() if self._types_escape and self._may_make_a_class(node):
                yield "a value is called as `type` could be to make a class; write the class out"

    # --- definitions ---
    def _definition(self, node: ast.ClassDef) -> Iterator[str]:
        bases = [base.value if isinstance(base, ast.Subscript) else base for base in node.bases]  # Generic[T]
        if not all(self._is_known_base(base) for base in bases):
            yield "a class may only have bases that stand in the source, builtins, or classes of the standard library"
        targets = [self._targets(base) for base in bases]
        if any(target & _ENUMS for target in targets) and not any(self._is_member(each) for each in node.body):
            yield "an Enum needs its members written out"
        if any(target & _ENUMS for target in targets) and any("_ignore_" in _bound(each) for each in ast.walk(node)):
            yield "an Enum may not ignore its members"
        decorators = [_DATACLASS in self._targets(each) for each in node.decorator_list]
        if any(decorators[:-1]):
            yield "`dataclass` must be the decorator next to the class"
        if any(decorators) and not all(target and target <= _EMPTY_BASES for target in targets):
            yield "a dataclass may not have bases"

    def _is_known_base(self, base: ast.expr) -> bool:
        if targets := self._targets(base):
            return not any(target.split(".", 1)[0] in {"pandas", "numpy"} for target in targets)
        if not isinstance(base, ast.Name):
            return False
        means, name = self._names.meaning(base)
        if means is Means.OUTSIDE:
            return name != "type"
        return name in self._own

    def _is_member(self, node: ast.stmt) -> bool:
        return (
            isinstance(node, ast.Assign)
            and isinstance(node.value, _MEMBER_VALUES)
            and not (isinstance(node.value, ast.Call) and "enum.auto" not in self._targets(node.value))
            and all(isinstance(target, ast.Name) and not target.id.startswith("_") for target in node.targets)
        )

    # --- what makes classes ---
    def _maker(self, node: ast.Name | ast.Attribute) -> Iterator[str]:
        targets = self._targets(node)
        if _DATACLASS in targets and not self._decorates(node):
            yield "`dataclass` may only stand above a class"
        elif targets & _ENUMS and not (self._is_base(node) or self._is_asked_for(node)):
            yield f"`{min(targets & _ENUMS)}` may only be the base of a class"
        elif targets & _ARRAYS and not (self._is_asked_for(node) or self._is_compared(node) or self._annotates(node)):
            yield f"`{min(targets & _ARRAYS)}` may only be asked for with `isinstance`; `numpy.array` makes arrays"

    def _decorates(self, node: ast.expr) -> bool:
        parent = self._parents.get(id(node))
        if isinstance(parent, ast.Call) and parent.func is node:
            node, parent = parent, self._parents.get(id(parent))
        return isinstance(parent, ast.ClassDef) and node in parent.decorator_list

    def _is_base(self, node: ast.expr) -> bool:
        parent = self._parents.get(id(node))
        return isinstance(parent, ast.ClassDef) and node in parent.bases

    def _is_asked_for(self, node: ast.expr) -> bool:
        parent = self._parents.get(id(node))
        while isinstance(parent, ast.Tuple | ast.BinOp):
            node, parent = parent, self._parents.get(id(parent))
        return (
            isinstance(parent, ast.Call)
            and isinstance(parent.func, ast.Name)
            and parent.func.id in {"isinstance", "issubclass"}
            and node in parent.args
        )

    def _is_compared(self, node: ast.expr) -> bool:
        parent = self._parents.get(id(node))
        if not isinstance(parent, ast.Compare):
            return False
        others = [each for each in (parent.left, *parent.comparators) if each is not node]
        return all(isinstance(each, ast.Call) and _is_type(each.func) for each in others)

    # --- type ---
    def _escapes(self, node: ast.Name) -> bool:
        """Whether the type of a value can go on from here as a value: not where it is only compared or named."""
        parent = self._parents.get(id(node))
        if not isinstance(parent, ast.Call) or parent.func is not node:
            return not self._is_asked_for(node)
        outer = self._parents.get(id(parent))
        if isinstance(outer, ast.Compare):
            return not all(isinstance(op, ast.Is | ast.IsNot) for op in outer.ops)
        return not (isinstance(outer, ast.Attribute | ast.FormattedValue) or self._is_asked_for(parent))

    def _may_make_a_class(self, call: ast.Call) -> bool:
        given, func = call.args, call.func
        stars = any(isinstance(each, ast.Starred) for each in given) or any(each.arg is None for each in call.keywords)
        if self._targets(func) & _CALLERS or (isinstance(func, ast.Name) and func.id == "map" and len(given) > 2):
            return stars or not given or not self._plainly_callable(given[0])
        if isinstance(func, ast.Name) and self._plainly_callable(func):
            return False
        if self._path(func) is not None or self._targets(func):
            return False
        rest = given[1:_TYPE_ARGUMENTS]  # the bases and the names: a tuple and a dict
        plain = any(isinstance(each, ast.Constant | ast.Lambda | ast.JoinedStr) for each in rest)
        return stars or (len(given) == _TYPE_ARGUMENTS and not plain)

    def _targets(self, node: ast.expr) -> frozenset[str]:
        """`module.name` where the expression is a name out of a module, or the call of one; several where unclear."""
        if isinstance(node, ast.Call):
            node = node.func
        if isinstance(node, ast.Name):
            return self._names.sources_of(node.id)
        if isinstance(node, ast.Attribute) and (base := self._path(node.value)) is not None:
            return frozenset({f"{base}.{node.attr}"})
        return frozenset()


def _is_type(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "type"


def _bound(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Name):
        return [] if isinstance(node.ctx, ast.Load) else [node.id]
    return bound_names(node)
