"""Compares two data sets cell by cell: only what changed, by column and kind. Called by `cleanroom diff`.

Rows are matched by their place, batch by batch, in constant memory; or by key columns, with both files in memory.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from orchestrator.core.errors import DataError, UsageError
from orchestrator.core.value import Value
from orchestrator.data.cells import as_text
from orchestrator.data.formats import Dataset
from orchestrator.data.text import clean_text
from orchestrator.run.diff.cell_kinds import CellKind, cell_kind
from orchestrator.run.diff.rows_left import numbers_of
from orchestrator.run.diff.values_beside_texts import has_values, shown_values, tables_with_values, unlike

_ONE_BLANK = ("csv", "tsv", "xlsx", "xls", "ods")
"""Formats in which nothing and an empty text are the same cell; what a parser has read counts as CSV."""
_BETWEEN = "\x1f"


class ChangedCell(Value):
    """One cell. `row`: its number among the rows of the first file that are compared, from 1.

    `file_row`: the number that people are told, in which the header of a CSV file and rows that could not be read are
    rows, too. `key`: the key columns' values, if rows have them.
    """

    row: int
    file_row: int
    key: tuple[str, ...] = ()
    column: str
    kind: CellKind
    before: str | None
    after: str | None


class ChangeGroup(Value):
    """All changes of one kind in one column: how many, and the first of them."""

    column: str
    kind: CellKind
    cells: int
    first: tuple[ChangedCell, ...]


class DataDiff(Value):
    """What differs between two files. `added`, `removed`: rows that only the second or the first has.

    `how_rows_count`: what a person has to know to find a row; empty where that is plain.
    """

    first: str
    second: str
    rows: int
    changed_rows: int
    how_rows_count: str = ""
    added: int = 0
    removed: int = 0
    columns_added: tuple[str, ...] = ()
    columns_removed: tuple[str, ...] = ()
    groups: tuple[ChangeGroup, ...] = ()

    @property
    def same(self) -> bool:
        return not (self.groups or self.added or self.removed or self.columns_added or self.columns_removed)


class _Pair(NamedTuple):
    """Rows of both files that belong together; `rows`: their numbers in the first file, from 0."""

    one: pa.Table
    other: pa.Table
    rows: Any


def data_diff(
    one: Dataset,
    other: Dataset,
    *,
    key: Sequence[str] = (),
    shown: int = 3,
    on_change: Callable[[ChangedCell], None] = lambda _cell: None,
) -> DataDiff:
    """Compare the data sets; `on_change` is given every changed cell. Raises DataError, UsageError.

    `shown`: how many cells of each group are kept.
    """
    names = [name for name in one.columns if name in other.columns]
    if not names:
        raise UsageError(f"{one.name} and {other.name} have no column in common.", advice="Compare other files.")
    added = removed = 0
    if key:
        pair, added, removed = _by_key(one, other, tuple(key))
        pairs: Iterator[_Pair] = iter([pair])
    else:
        if one.rows != other.rows:
            raise UsageError(
                f"{one.name} has {one.rows:,} rows and {other.name} {other.rows:,}: they cannot be matched by "
                "their place.",
                advice="Name the columns that tell rows apart, with --key COLUMN.",
            )
        pairs = _by_place(one, other)
    found = _Found(one, tuple(key), shown, on_change)
    for pair in pairs:
        found.add(pair, names)
    return DataDiff(
        first=one.name,
        second=other.name,
        rows=one.rows,
        changed_rows=found.rows,
        how_rows_count=numbers_of(one).how,
        added=added,
        removed=removed,
        columns_added=tuple(name for name in other.columns if name not in one.columns),
        columns_removed=tuple(name for name in one.columns if name not in other.columns),
        groups=found.groups(),
    )


class _Found:
    """Counts what changed."""

    def __init__(
        self, one: Dataset, key: tuple[str, ...], shown: int, on_change: Callable[[ChangedCell], None]
    ) -> None:
        self.rows = 0
        self._one = one
        self._key = key
        self._shown = shown
        self._on_change = on_change
        self._counts: dict[tuple[str, CellKind], int] = {}
        self._first: dict[tuple[str, CellKind], list[ChangedCell]] = {}

    def add(self, pair: _Pair, names: Sequence[str]) -> None:
        changed = np.zeros(len(pair.rows), dtype=np.bool_)
        for name in names:
            for mask, as_json in zip(unlike(pair.one, pair.other, name), (False, True), strict=True):
                if mask is not None:
                    places = np.flatnonzero(mask.to_numpy(zero_copy_only=False))
                    changed[places] = True
                    self._cells(pair, name, places, as_json=as_json)
        self.rows += int(changed.sum())

    def groups(self) -> tuple[ChangeGroup, ...]:
        order = sorted(self._counts, key=lambda group: (group[1].rank, -self._counts[group], group[0]))
        return tuple(
            ChangeGroup(column=name, kind=kind, cells=self._counts[name, kind], first=tuple(self._first[name, kind]))
            for name, kind in order
        )

    def _cells(self, pair: _Pair, name: str, places: Any, *, as_json: bool) -> None:
        """`as_json`: the texts of the cells are the same, and not the values."""
        both = (pair.one, pair.other)
        if as_json:
            before, after = (shown_values(table, name, places) for table in both)
        else:
            before, after = (as_text(table.column(name).take(places)).to_pylist() for table in both)
        numbers = numbers_of(self._one)
        keys = [as_text(pair.one.column(column).take(places)).to_pylist() for column in self._key]
        for at, (place, old, new) in enumerate(zip(places.tolist(), before, after, strict=True)):
            cell = ChangedCell.model_construct(
                row=int(pair.rows[place]) + 1,
                file_row=numbers.of_row(int(pair.rows[place])),
                key=tuple(column[at] or "" for column in keys),
                column=name,
                kind=CellKind.TYPE if as_json else cell_kind(old, new),
                before=old,
                after=new,
            )
            group = name, cell.kind
            self._counts[group] = self._counts.get(group, 0) + 1
            if len(first := self._first.setdefault(group, [])) < self._shown:
                first.append(cell)
            self._on_change(cell)


def _tables(one: Dataset, other: Dataset) -> tuple[Iterator[pa.Table], Iterator[pa.Table]]:
    """The batches of both; with the values of JSON where both are that, without nulls where one can hold none."""
    if has_values(one) and has_values(other):
        return tables_with_values(one), tables_with_values(other)
    if {one.format, other.format}.isdisjoint(_ONE_BLANK):
        return one.batches(), other.batches()
    return _without_nulls(one), _without_nulls(other)


def _without_nulls(dataset: Dataset) -> Iterator[pa.Table]:
    for batch in dataset.batches():
        columns = [pc.fill_null(as_text(cells), "") for cells in batch.columns]
        yield pa.table(columns, names=batch.column_names)


def _by_place(one: Dataset, other: Dataset) -> Iterator[_Pair]:
    done = 0
    rest: list[pa.Table] = []
    tables, others = _tables(one, other)
    for table in tables:
        while sum(part.num_rows for part in rest) < table.num_rows:
            rest.append(next(others))
        waiting = pa.concat_tables(rest)
        yield _Pair(table, waiting.slice(0, table.num_rows), np.arange(done, done + table.num_rows))
        rest = [waiting.slice(table.num_rows)]
        done += table.num_rows


def _by_key(one: Dataset, other: Dataset, key: tuple[str, ...]) -> tuple[_Pair, int, int]:
    """The rows of both with the same key, and how many are only in the second and in the first."""
    tables, keys = [], []
    for dataset, batches in zip((one, other), _tables(one, other), strict=True):
        if missing := [name for name in key if name not in dataset.columns]:
            raise UsageError(f"--key: {dataset.name} has no column '{clean_text(missing[0], 80)}'.")
        table = pa.concat_tables(list(batches))
        parts = [as_text(table.column(name)).fill_null("") for name in key]
        joined = pc.binary_join_element_wise(*parts, _BETWEEN) if len(parts) > 1 else parts[0]
        _refuse_double(dataset, joined, key)
        tables.append(table)
        keys.append(joined)
    places = pc.index_in(keys[0], value_set=keys[1])
    both = pc.is_valid(places)
    rows = np.flatnonzero(both.to_numpy(zero_copy_only=False))
    pair = _Pair(tables[0].filter(both), tables[1].take(places.drop_null()), rows)
    return pair, len(keys[1]) - len(rows), len(keys[0]) - len(rows)


def _refuse_double(dataset: Dataset, keys: Any, key: tuple[str, ...]) -> None:
    if pc.count_distinct(keys).as_py() == len(keys):
        return
    first: dict[str, int] = {}
    numbers = numbers_of(dataset)
    for place, value in enumerate(keys.to_pylist()):
        row = numbers.of_row(place)
        if value in first:
            shown = clean_text(value.replace(_BETWEEN, ", "), 80)
            raise DataError(
                f"{dataset.name}, rows {first[value]} and {row}{numbers.remark}: both have the key '{shown}' in "
                f"{', '.join(key)}.",
                advice="Name columns that tell all rows apart, with --key once for each.",
            )
        first[value] = row
