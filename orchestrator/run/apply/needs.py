"""The columns that a function needs, told by its contract and its source before it runs. Called by `column_match`.

The contract says what a function changes and drops; what it only reads stands in its source, as `df["city"]`. A column
that the source asks for first (`if "city" in df`, `row.get("city")`) is used and not needed. The source is parsed
and never run; what cannot be seen in it (a name that is computed) is not told.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from orchestrator.core.candidate import Candidate, Shape
from orchestrator.core.parsing import parse_python

_ROWS = {"loc", "at"}
_ENTRIES: dict[Shape, set[str]] = {Shape.FITTED: {"fit", "transform"}, Shape.TEXT: set()}


class Needs(NamedTuple):
    """Columns without which a function fails, and those that it uses where they are there."""

    needed: frozenset[str]
    used: frozenset[str]


def needs_of(candidate: Candidate) -> Needs:
    """What the candidate needs of a table or a record."""
    contract = candidate.contract
    try:
        tree = parse_python(candidate.source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return Needs(frozenset(), frozenset())
    names = _Names(tree)
    entries = _ENTRIES.get(contract.shape, {candidate.name, "detect"})
    read: set[str] = set()
    for function in tree.body:
        if isinstance(function, ast.FunctionDef) and function.args.args and function.name in entries:
            read |= set(_Reads(function, names).found())
    read -= set(contract.adds)
    declared = {*(contract.modifies or ()), *contract.drops} - set(contract.adds)
    return Needs(frozenset(read - names.asked), frozenset(declared | read))


@dataclass
class _Names:
    """What stands in the source as a constant: names for texts, and texts whose presence is asked for."""

    tree: ast.Module

    def __post_init__(self) -> None:
        self.texts: dict[str, set[str]] = {}
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
                self._name(node.targets[0], node.value)
            elif isinstance(node, ast.For | ast.comprehension) and isinstance(node.target, ast.Name):
                self._name(node.target, node.iter)
        self.asked: set[str] = set()
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Compare) and any(isinstance(op, ast.In | ast.NotIn) for op in node.ops):
                self.asked |= self.of(node.left)
            elif isinstance(node, ast.Try | ast.With):  # an error may be expected
                inside = (one for part in node.body for one in ast.walk(part) if isinstance(one, ast.Subscript))
                self.asked |= {text for one in inside for text in self.of(one.slice)}

    def of(self, node: ast.expr) -> set[str]:
        """The texts that an expression can be: one, those of a list, those that a name stands for."""
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            return {node.value}
        if isinstance(node, ast.List | ast.Tuple | ast.Set):
            return set().union(*(self.of(element) for element in node.elts))
        return self.texts.get(node.id, set()) if isinstance(node, ast.Name) else set()

    def _name(self, target: ast.Name, value: ast.expr) -> None:
        if found := self.of(value):
            self.texts.setdefault(target.id, set()).update(found)


@dataclass
class _Reads:
    """The columns that one function takes out of its argument, or of what it made of it."""

    function: ast.FunctionDef
    names: _Names

    def found(self) -> Iterator[str]:
        tables = self._tables()
        written = {text for node in ast.walk(self.function) for text in self._written(node, tables)}
        for node in ast.walk(self.function):
            if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
                yield from self._columns(node, tables) - written

    def _tables(self) -> set[str]:
        """The names of the argument and of tables that are made of it: copies, selections of rows."""
        tables = {self.function.args.args[0].arg}
        for node in ast.walk(self.function):
            if isinstance(node, ast.Assign) and self._is_table(node.value, tables):
                tables |= {target.id for target in node.targets if isinstance(target, ast.Name)}
        return tables

    def _is_table(self, node: ast.expr, tables: set[str]) -> bool:
        if isinstance(node, ast.Name):
            return node.id in tables
        if isinstance(node, ast.Call):
            called = node.func
            if isinstance(called, ast.Attribute):
                return called.attr == "copy" and self._is_table(called.value, tables)
            is_dict = isinstance(called, ast.Name) and called.id == "dict" and len(node.args) == 1
            return is_dict and self._is_table(node.args[0], tables)
        if isinstance(node, ast.Subscript):  # df[mask]; df["city"] is a column
            return isinstance(node.slice, ast.Compare | ast.UnaryOp) and self._is_table(node.value, tables)
        return False

    def _columns(self, node: ast.Subscript, tables: set[str]) -> set[str]:
        if self._is_table(node.value, tables):
            return self.names.of(node.slice)
        table = node.value
        by_label = isinstance(table, ast.Attribute) and table.attr in _ROWS and self._is_table(table.value, tables)
        if by_label and isinstance(node.slice, ast.Tuple) and len(node.slice.elts) == 2:
            return self.names.of(node.slice.elts[1])
        return set()

    def _written(self, node: ast.AST, tables: set[str]) -> set[str]:
        """Columns that the function makes itself without reading them."""
        if not isinstance(node, ast.Assign):
            return set()
        inside = [one for one in ast.walk(node.value) if isinstance(one, ast.Subscript)]
        read = set().union(*(self._columns(one, tables) for one in inside))
        made = (self._columns(one, tables) for one in node.targets if isinstance(one, ast.Subscript))
        return set().union(*made) - read
