"""What one version of a function makes of a data set that another does not, or of a sample the one that it replaces.

Called by `cleanroom registry diff`, and by `residual` and `verify` for functions that replace others.
Both versions run in the sandbox, each in a container of its own, batch by batch; rows are matched by their place in the
data set, so that a version that drops rows can be compared, too.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from orchestrator.core.differences import CellDiff, VersionDiff
from orchestrator.core.policy import LARGEST_ROWS
from orchestrator.core.ports import Sample, SandboxAccess
from orchestrator.core.promoted import Promoted
from orchestrator.data.formats import Batch, Dataset
from orchestrator.data.record_rows import RecordDataset
from orchestrator.data.row_numbers import RowNumbers
from orchestrator.gate.judge.compare import Rows, differing, shown_rows
from orchestrator.run.apply.clean_table import Cleaned, clean
from orchestrator.run.apply.function_runner import FunctionRunner
from orchestrator.run.apply.learn import learn
from orchestrator.run.apply.shapes import check_suits, works_on_records

MAX_EXAMPLES = 10


def version_diff(dataset: Dataset, old: Promoted, new: Promoted, access: SandboxAccess) -> VersionDiff:
    """Run both versions over the data set, from which fitted ones learn before, each for itself.

    Raises DataError, ApplyAuditFailed, SandboxError; UsageError for versions of other shapes.
    """
    read = RecordDataset(dataset) if works_on_records((old, new)) else dataset
    old, new = (_taught(one, dataset, access) for one in (old, new))
    tally = _Tally()
    with (
        closing(FunctionRunner(access, (old,))) as old_runner,
        closing(FunctionRunner(access, (new,))) as new_runner,
    ):
        for table in read.batches(LARGEST_ROWS):
            tally.add(
                table, *(clean(runner, table, max_failures=table.num_rows) for runner in (old_runner, new_runner))
            )
    return numbered_in_file(tally.diff(old, new), RowNumbers.of(dataset))


def _taught(function: Promoted, dataset: Dataset, access: SandboxAccess) -> Promoted:
    [taught] = learn(
        lambda: map(Batch, dataset.batches(LARGEST_ROWS)),
        (function,),
        access,
        dataset=dataset,
        workers=1,
        max_failures=1,
    )
    return taught


def replacement_diff(sample: Sample, old: Promoted, new: Promoted, runner: FunctionRunner) -> VersionDiff:
    """What a proved function makes of a sample's rows that the one that it is to replace does not. Raises SandboxError.

    Both run in the runner's container, one after the other.
    """
    check_suits((old, new), sample)
    table = pa.concat_tables([sample.working, sample.holdout])
    cleaned = []
    for function in (old, new):
        runner.functions = (function,)
        cleaned.append(clean(runner, table, max_failures=table.num_rows))
    tally = _Tally()
    tally.add(table, *cleaned)
    return tally.diff(old, new)


def numbered_in_file(found: VersionDiff, numbers: RowNumbers, places: Sequence[int] | None = None) -> VersionDiff:
    """The same, with the number that the row of each cell has in the file.

    `places`: where in the data set the rows are that were compared, from 0; None for all of it.
    """
    return found.model_copy(
        update={
            "examples": tuple(
                cell.model_copy(
                    update={"file_row": numbers.of_row(cell.row - 1 if places is None else places[cell.row - 1])}
                )
                for cell in found.examples
            )
        }
    )


class _Tally:
    """Counts differences, batch after batch."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self._columns: Counter[str] = Counter()
        self._examples: list[CellDiff] = []

    def add(self, table: pa.Table, one: Cleaned, other: Cleaned) -> None:
        """Compare what the old and the new version made of the batch."""
        for which, cleaned in (("old", one), ("new", other)):
            self._counts[f"{which}_failed"] += len(cleaned.failed)
            self._counts[f"{which}_dropped"] += table.num_rows - len(cleaned.rows) - len(cleaned.failed)
        for name, cells in _differing(table, one, other):
            self._columns[name] += len(cells.places)
            self._examples += cells.shown(name, self._counts["rows"], MAX_EXAMPLES - len(self._examples))
        self._counts["rows"] += table.num_rows

    def diff(self, old: Promoted, new: Promoted) -> VersionDiff:
        """All of it as one value."""
        return VersionDiff(
            name=new.name,
            old=old.version,
            new=new.version,
            changed=dict(self._columns),
            examples=tuple(self._examples),
            replaced=old.name if old.name != new.name else "",
            **self._counts,
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
