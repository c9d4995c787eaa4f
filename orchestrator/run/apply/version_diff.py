"""What one version of a function makes of a data set that another does not. Called by `cleanroom registry diff`.

Both versions run in the sandbox, each in a container of its own, batch by batch; rows are matched by their place in the
data set, so that a version that drops rows can be compared, too.
"""

from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from pydantic import Field

from orchestrator.core.ports import SandboxAccess
from orchestrator.core.promoted import Promoted
from orchestrator.core.value import Value
from orchestrator.data.formats import Dataset
from orchestrator.data.record_rows import RecordDataset
from orchestrator.gate.judge.compare import Rows, differing, shown_rows
from orchestrator.run.apply.bisect import Cleaned, clean
from orchestrator.run.apply.runner import FunctionRunner
from orchestrator.run.apply.shapes import works_on_records

MAX_EXAMPLES = 10


class CellDiff(Value):
    """One cell of which the versions make something else. `row` counts the data set's rows from 1."""

    row: int
    column: str
    before: Any
    old: Any
    new: Any


class VersionDiff(Value):
    """All differences, counted, and the first few of them. `*_failed` and `*_dropped` are rows."""

    name: str
    old: int
    new: int
    rows: int = 0
    changed: dict[str, int] = Field(default_factory=dict)  # cells by column
    old_failed: int = 0
    new_failed: int = 0
    old_dropped: int = 0
    new_dropped: int = 0
    examples: tuple[CellDiff, ...] = ()

    @property
    def same(self) -> bool:
        rows_differ = self.old_failed != self.new_failed or self.old_dropped != self.new_dropped
        return not self.changed and not rows_differ


def version_diff(dataset: Dataset, old: Promoted, new: Promoted, access: SandboxAccess) -> VersionDiff:
    """Run both versions over the data set. Raises DataError, SandboxError; UsageError for versions of other shapes."""
    if works_on_records((old, new)):
        dataset = RecordDataset(dataset)
    counts: Counter[str] = Counter()
    columns: Counter[str] = Counter()
    examples: list[CellDiff] = []
    with (
        closing(FunctionRunner(access, (old,))) as old_runner,
        closing(FunctionRunner(access, (new,))) as new_runner,
    ):
        for table in dataset.batches():
            one, other = (clean(runner, table, max_failures=table.num_rows) for runner in (old_runner, new_runner))
            for which, cleaned in (("old", one), ("new", other)):
                counts[f"{which}_failed"] += len(cleaned.failed)
                counts[f"{which}_dropped"] += table.num_rows - len(cleaned.rows) - len(cleaned.failed)
            for name, cells in _differing(table, one, other):
                columns[name] += len(cells.places)
                examples += cells.shown(name, counts["rows"], MAX_EXAMPLES - len(examples))
            counts["rows"] += table.num_rows
    return VersionDiff(
        name=new.name, old=old.version, new=new.version, changed=dict(columns), examples=tuple(examples), **counts
    )


@dataclass(frozen=True)
class _Cells:
    """The differing cells of one column in one batch: `places` in both results, of `rows` in the source."""

    source: pa.Table
    old: pa.Table
    new: pa.Table
    rows: Rows
    places: Rows

    def shown(self, column: str, offset: int, most: int) -> list[CellDiff]:
        """The first cells; `offset` rows lie before the batch."""
        return [
            CellDiff(
                row=offset + int(self.rows[place]) + 1,
                column=column,
                before=_value(self.source, int(self.rows[place]), column),
                old=_value(self.old, int(place), column),
                new=_value(self.new, int(place), column),
            )
            for place in self.places[:most]
        ]


def _differing(table: pa.Table, one: Cleaned, other: Cleaned) -> Iterator[tuple[str, _Cells]]:
    """The columns that differ, in rows that both versions kept."""
    if one.table is None or other.table is None:
        return
    rows, left, right = np.intersect1d(one.rows, other.rows, assume_unique=True, return_indices=True)
    old, new = one.table.take(pa.array(left)), other.table.take(pa.array(right))
    for name in dict.fromkeys([*old.column_names, *new.column_names]):
        if name in old.column_names and name in new.column_names:
            places = differing(old.column(name), new.column(name)).nonzero()[0]
        else:
            places = np.arange(len(rows))
        if len(places):
            yield name, _Cells(table, old, new, rows, places)


def _value(table: pa.Table, row: int, column: str) -> Any:
    return shown_rows(table.select([column]), [row])[0][column] if column in table.column_names else None
