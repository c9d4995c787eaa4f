"""The columns that a function needs, told by its contract and its source before it runs. Called by `apply`, `check` and
the export.

The contract says what a function changes, drops and groups by; what it only reads stands in its source (`df["city"]`),
also in a function of the file that is given the table. A column that the source asks for first (`if "city" in df`,
`row.get("city")`) is used and not needed. The source is parsed and never run; what cannot be seen in it (a name that is
computed) is not told.
"""

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from orchestrator.core.candidate import Candidate, Shape
from orchestrator.core.fitted import FIT
from orchestrator.core.parsing import parse_python

_ROWS = {"loc", "at"}


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
    functions = {one.name: one for one in tree.body if isinstance(one, ast.FunctionDef) and one.args.args}
    entries = {candidate.function_name, "detect"} | ({FIT} if contract.shape is Shape.FITTED else set())
    read = set(contract.by)
    scopes = {one.name: names.inside(one, {}) for one in functions.values()}  # each adds to what is asked for
    for name in sorted(entries & functions.keys()) if contract.shape is not Shape.TEXT else ():
        read |= _Reads(functions[name], scopes[name], functions).found()
    read -= set(contract.adds)
    declared = {*(contract.modifies or ()), *contract.drops} - set(contract.adds)
    return Needs(frozenset(read - names.asked), frozenset(declared | read))


def own_columns(candidate: Candidate, there: Iterable[str]) -> tuple[str, ...]:
    """What the candidate modifies, adds, drops, and those of the columns `there` whose names stand in its source."""
    contract, read = candidate.contract, _named_in(candidate.source, there)
    return tuple(dict.fromkeys([*contract.named, *read]))


def read_first(source: str, row: Mapping[str, Any]) -> dict[str, Any]:
    """The row, in front what the source names: by these cells the function decides, and so does a person."""
    return {name: row[name] for name in _named_in(source, row)} | dict(row)


def _named_in(source: str, columns: Iterable[str]) -> list[str]:
    return [name for name in columns if f'"{name}"' in source or f"'{name}'" in source]


def names_column(candidate: Candidate, name: str) -> bool:
    """Whether the text stands in the source, so that it may be meant as a column's name."""
    try:
        tree = parse_python(candidate.source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return any(isinstance(node, ast.Constant) and node.value == name for node in ast.walk(tree))


@dataclass
class _Names:
    """What stands in a scope as a constant: names for texts, and texts whose presence is asked for.

    A name of one function says nothing of the same name in another.
    """

    tree: ast.Module | ast.FunctionDef
    texts: dict[str, set[str]] = field(default_factory=dict)
    asked: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        for node in _scope(self.tree):
            if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
                self._name(node.targets[0], node.value)
            elif isinstance(node, ast.For | ast.comprehension) and isinstance(node.target, ast.Name):
                self._name(node.target, node.iter)
        for node in _scope(self.tree):
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

    def inside(self, function: ast.FunctionDef, given: dict[str, set[str]]) -> "_Names":
        """The same in a function that is given these texts by the names of its arguments."""
        own = {one.arg for one in function.args.args}
        own |= {
            node.id for node in ast.walk(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        }
        texts = {name: set(known) for name, known in self.texts.items() if name not in own}
        return _Names(function, texts | given, self.asked)

    def _name(self, target: ast.Name, value: ast.expr) -> None:
        if found := self.of(value):
            self.texts.setdefault(target.id, set()).update(found)


def _scope(tree: ast.Module | ast.FunctionDef) -> Iterator[ast.AST]:
    """The nodes of a function with all inside of it; of a module those that stand in no function."""
    if isinstance(tree, ast.FunctionDef):
        yield from ast.walk(tree)
        return
    for node in tree.body:
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield from ast.walk(node)


@dataclass
class _Reads:
    """The columns that one function takes out of its table, or of what it made of it, also by other functions.

    `table`: which of its arguments is the table. `seen`: who was given it already, with which texts.
    """

    function: ast.FunctionDef
    names: _Names
    functions: Mapping[str, ast.FunctionDef]
    table: int = 0
    seen: set[tuple[str, int, str]] = field(default_factory=set)

    def found(self) -> set[str]:
        tables = self._tables()
        nodes = list(ast.walk(self.function))
        read: set[str] = set()
        for node in nodes:
            if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
                read |= self._columns(node, tables)
        expected = {one for node in nodes if isinstance(node, ast.Try | ast.With) for one in ast.walk(node)}
        for node in nodes:
            if isinstance(node, ast.Call) and node not in expected:
                read |= self._handed_on(node, tables)
        return read - {text for node in nodes for text in self._written(node, tables)}

    def _handed_on(self, call: ast.Call, tables: set[str]) -> set[str]:
        """What another function of the file takes out of the table that it is given."""
        other = self.functions.get(call.func.id) if isinstance(call.func, ast.Name) else None
        if other is None or len(call.args) > len(other.args.args):
            return set()
        names = [one.arg for one in other.args.args]
        given = dict(zip(names, call.args, strict=False)) | {one.arg: one.value for one in call.keywords if one.arg}
        texts = {name: self.names.of(value) for name, value in given.items()}
        own = self.names.inside(other, {name: known for name, known in texts.items() if known})
        found: set[str] = set()
        for place, name in enumerate(names):
            key = (other.name, place, repr(sorted((one, sorted(known)) for one, known in texts.items())))
            if name in given and self._is_table(given[name], tables) and key not in self.seen:
                self.seen.add(key)
                found |= _Reads(other, own, self.functions, place, self.seen).found()
        return found

    def _tables(self) -> set[str]:
        """The names of the argument and of tables that are made of it: copies, selections of rows."""
        tables = {self.function.args.args[self.table].arg}
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
