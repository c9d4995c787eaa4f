"""Which promoted functions may be given one table in one job, though they are applied in turn. Called by
`batch_grouping`.

A function that sees nothing of what those before it changed makes the same of the table with and without their work.
The source tells what a function sees only where it takes columns out of the table by names that stand there, as
`df["city"]`. A table that goes anywhere else (a helper, a selection of rows, a method but `copy`) may show every
column. A hostile source can hide that it looks: then it has seen a column as it was before, and the audit, which runs
it on what it should have seen, stops the apply where that makes a difference.
"""

import ast
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from orchestrator.core.candidate import Candidate, Shape
from orchestrator.core.parsing import parse_python
from orchestrator.core.promoted import Promoted
from orchestrator.run.apply.row_pickers import RowPickers

_BY_LABEL = {"loc", "at"}
_NAMES_ONLY = {"index", "columns", "shape"}  # what is the same whatever is in the cells


def stages(functions: Sequence[Promoted]) -> tuple[range, ...]:
    """The functions' numbers, cut where one may see what another one of its stage changes."""
    found: list[range] = []
    start, changed = 0, frozenset[str]()
    for number, function in enumerate(functions):
        own, seen = _changes(function.candidate), columns_seen(function.candidate)
        alone = start == number
        if not alone and (own is None or seen is None or changed & (own | seen)):
            found.append(range(start, number))
            start, changed, alone = number, frozenset(), True
        if own is None:
            found.append(range(start, number + 1))
            start, changed = number + 1, frozenset()
        else:
            changed |= own
    if start < len(functions):
        found.append(range(start, len(functions)))
    return tuple(found)


def columns_seen(candidate: Candidate) -> frozenset[str] | None:
    """The columns whose cells a function of tables and its `detect` can see; None where the source does not tell."""
    if candidate.contract.shape is not Shape.TABLE:
        return None
    return _seen_by(candidate.source, candidate.name)


@lru_cache(maxsize=256)  # orders are tried function by function, and each trial asks for all of them again
def _seen_by(source: str, name: str) -> frozenset[str] | None:
    try:
        tree = parse_python(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    entries = [one for one in tree.body if isinstance(one, ast.FunctionDef) and one.name in {name, "detect"}]
    bound = Counter(_bound(tree))
    names, pickers = _KnownTexts.of(tree, bound), RowPickers(tree, bound)
    seen: set[str] = set()
    for entry in entries:
        if bound[entry.name] > 1 or bound["len"] or not _is_plain(entry):
            return None
        sight = _Sight(entry, names, pickers)
        if not sight.told():
            return None
        seen |= sight.seen
    return frozenset(seen) if entries else None


def _is_plain(entry: ast.FunctionDef) -> bool:
    """Whether it has one argument and nothing else gets that: no decorator, and no name of other functions."""
    given = entry.args
    more = given.posonlyargs or given.kwonlyargs or given.vararg or given.kwarg or entry.decorator_list
    shares = any(isinstance(node, ast.Global | ast.Nonlocal) for node in ast.walk(entry))
    return len(given.args) == 1 and not more and not shares


def _changes(candidate: Candidate) -> frozenset[str] | None:
    """The columns that may come out otherwise; None where that is any, or rows or columns may come and go."""
    contract = candidate.contract
    whole = contract.modifies is None or contract.adds or contract.drops or contract.drops_rows
    return None if whole or contract.shape.by_row else frozenset(contract.modifies or ())


@dataclass
class _KnownTexts:
    """Names that can only stand for certain texts: constants of the module, and loops over such lists."""

    texts: dict[str, frozenset[str]] = field(default_factory=dict)

    @classmethod
    def of(cls, tree: ast.Module, bound: Counter[str]) -> "_KnownTexts":
        lists: dict[str, frozenset[str]] = {}
        known: dict[str, frozenset[str]] = {}
        for node in tree.body:
            if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
                name = node.targets[0].id
                if bound[name] == 1 and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
                    known[name] = frozenset({node.value.value})
                elif bound[name] == 1 and (texts := _list_of_texts(node.value)) is not None:
                    lists[name] = texts
        loops = [node for node in ast.walk(tree) if isinstance(node, ast.For | ast.comprehension)]
        iterated = [node.iter for node in loops if isinstance(node.iter, ast.Name)]
        loads = [one.id for one in ast.walk(tree) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load)]
        lists = {
            name: texts for name, texts in lists.items() if loads.count(name) == sum(i.id == name for i in iterated)
        }
        found: dict[str, list[frozenset[str] | None]] = {}
        for loop in loops:
            if isinstance(loop.target, ast.Name):
                own = lists.get(loop.iter.id) if isinstance(loop.iter, ast.Name) else _list_of_texts(loop.iter)
                found.setdefault(loop.target.id, []).append(own)
        for name, each in found.items():
            texts_of = [texts for texts in each if texts is not None]
            if len(texts_of) == len(each) == bound[name]:  # it is bound by such loops and nowhere else
                known[name] = frozenset().union(*texts_of)
        return cls(known)

    def at(self, node: ast.expr) -> frozenset[str] | None:
        """The texts that a key can be."""
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            return frozenset({node.value})
        if isinstance(node, ast.Name):
            return self.texts.get(node.id)
        return _list_of_texts(node)


@dataclass
class _Sight:
    """What one function takes out of its table; `told` where nothing else can be seen."""

    function: ast.FunctionDef
    names: _KnownTexts
    pickers: RowPickers
    seen: set[str] = field(default_factory=set)

    def told(self) -> bool:
        argument = self.function.args.args[0].arg
        self._tables, known = {argument}, 0
        while len(self._tables) > known:
            known = len(self._tables)
            for node in ast.walk(self.function):
                if isinstance(node, ast.Assign) and self._is_copy(node.value):
                    self._tables |= {target.id for target in node.targets if isinstance(target, ast.Name)}
        self._allowed: set[int] = set()
        self._returns = {id(node) for node in _own_statements(self.function)}
        for node in ast.walk(self.function):
            self._look(node)
        uses = (one for one in ast.walk(self.function) if isinstance(one, ast.Name) and one.id in self._tables)
        return all(isinstance(one.ctx, ast.Store) or id(one) in self._allowed for one in uses)

    def _look(self, node: ast.AST) -> None:
        """Note the tables in uses that show no more than the columns they name."""
        if isinstance(node, ast.Return):
            if id(node) in self._returns and node.value is not None and self._is_copy(node.value):
                self._allow(node.value)
        elif isinstance(node, ast.Assign):
            if self._is_copy(node.value) and all(isinstance(target, ast.Name) for target in node.targets):
                self._allow(node.value)
        elif isinstance(node, ast.Subscript):
            table, key = node.value, node.slice
            if isinstance(table, ast.Attribute) and table.attr in _BY_LABEL and self._is_table(table.value):
                if not isinstance(key, ast.Tuple) or len(key.elts) != 2:
                    return
                if not self.pickers.shows_no_more(key.elts[0], self._tables):
                    return
                table, key = table.value, key.elts[1]
            columns = self.names.at(key) if self._is_table(table) else None
            if columns is not None:
                self.seen |= columns
                self._allow(table)
        elif isinstance(node, ast.Attribute):
            if node.attr in _NAMES_ONLY and self._is_table(node.value) and isinstance(node.ctx, ast.Load):
                self._allow(node.value)
        elif isinstance(node, ast.Call):
            if isinstance(node.func, ast.Name) and node.func.id == "len" and len(node.args) == 1 and not node.keywords:
                self._allow(node.args[0])
        elif isinstance(node, ast.Compare) and all(isinstance(op, ast.In | ast.NotIn) for op in node.ops):
            for one in node.comparators:
                self._allow(one)

    def _is_table(self, node: ast.expr) -> bool:
        return isinstance(node, ast.Name) and node.id in self._tables

    def _is_copy(self, node: ast.expr) -> bool:
        """A table, or `table.copy()`."""
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "copy":
            return self._is_table(node.func.value) and not node.args and not node.keywords
        return self._is_table(node)

    def _allow(self, node: ast.expr) -> None:
        """Note a table, or the one that is copied here: what another method gives may be made of every column."""
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and self._is_copy(node):
            node = node.func.value
        if self._is_table(node):
            self._allowed.add(id(node))


def _own_statements(function: ast.FunctionDef) -> Iterator[ast.AST]:
    """What stands in it but for what stands in functions inside it."""
    waiting: list[ast.AST] = list(function.body)
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
            waiting += ast.iter_child_nodes(node)


def _list_of_texts(node: ast.expr) -> frozenset[str] | None:
    if not isinstance(node, ast.List | ast.Tuple):
        return None
    texts = [one.value for one in node.elts if isinstance(one, ast.Constant) and isinstance(one.value, str)]
    return frozenset(texts) if len(texts) == len(node.elts) else None


def _bound(tree: ast.Module) -> Iterator[str]:
    """Every name that the source binds, as often as it does."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            yield node.id
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.alias):
            yield (node.asname or node.name).partition(".")[0]
        elif isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar) and node.name:
            yield node.name
        elif isinstance(node, ast.MatchMapping) and node.rest:
            yield node.rest
        elif isinstance(node, ast.Global | ast.Nonlocal):
            yield from node.names * 2  # it may be bound anywhere
