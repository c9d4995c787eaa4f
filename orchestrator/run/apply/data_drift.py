"""Says where the data is unlike the rows on which functions were proved. Called by `apply`, while it applies.

The same comparisons as `cleanroom check` makes (`run.rows.drifting`), of what functions are given: patterns,
categories, missing cells; and of what comes out: forms that were not made, or not left, where a function was proved,
and dates whose order this file contradicts (`run.rows.turned_dates`). To look at every batch would cost more than it
tells: looked at are the first one, the second, the fourth, the eighth and so on. Types are compared once: of columns
that a function can see, by its source. What the gate doubts of the changes themselves (`doubted_changes`) is of every
batch. Nothing is stopped for it, unless somebody asks for that; that is what `DriftGuard` is for.
"""

from collections.abc import Collection, Iterator, Sequence

import numpy as np
import pyarrow as pa

from orchestrator.core.baseline import DataBaseline
from orchestrator.core.errors import ApplyDrifted
from orchestrator.core.promoted import Promoted
from orchestrator.core.steps.run_steps import DataDrift
from orchestrator.core.witnesses import Witnesses
from orchestrator.data.cells import has_column
from orchestrator.data.profile.type_families import type_family
from orchestrator.data.record_tables import is_records
from orchestrator.run.apply.clean_table import Cleaned
from orchestrator.run.apply.doubted_changes import DoubtedChanges
from orchestrator.run.apply.stages import columns_seen
from orchestrator.run.rows.contract import CheckedBatch
from orchestrator.run.rows.drift_finding import DriftFinding, DriftKind
from orchestrator.run.rows.drifting import ERROR, SeenRows, comparisons, drifts
from orchestrator.run.rows.turned_dates import turned_dates

OTHER_TYPE = "other-type"
ORDER_OF_DATES = "order-of-dates"
DATES_OF_OTHER_ORDER = "dates-of-other-order"
"""Dates that a function leaves because they have another order than those that it reads."""
_GIVEN = {DriftKind.NEW_PATTERN, DriftKind.NEW_CATEGORY, DriftKind.MORE_MISSING, DriftKind.MORE_UNLISTED}
_COMES_OUT = {DriftKind.MAKES_PATTERN, DriftKind.LEAVES_PATTERN, DriftKind.LEAVES_MORE}


class DataDriftMeter:
    """Looks at some batches. `found`: each thing once, as the first batch showed it that has it.

    `left_out`: functions whose evidence the data is not held against. `refuse_doubts`: a change that the gate doubts is
    an error.
    """

    def __init__(
        self, functions: Sequence[Promoted], left_out: Collection[str] = (), *, refuse_doubts: bool = False
    ) -> None:
        self._functions = functions
        self._baselines = [None if f.name in left_out else f.evidence.verdict.baseline for f in functions]
        compared = sum(comparisons(proved) for proved in self._baselines if proved is not None)
        self._error = ERROR / max(1, compared)
        self._batches = 0
        self._typed: set[str] = set()
        self._found: dict[tuple[str, str], DataDrift] = {}
        self._changes = DoubtedChanges(functions, left_out)
        self._refuse_doubts = refuse_doubts
        self._doubts: tuple[DataDrift, ...] = ()

    @property
    def found(self) -> tuple[DataDrift, ...]:
        turned = {(one.function, one.column) for one in self._found.values() if one.kind == ORDER_OF_DATES}
        doubts = (one for one in self._doubts if (one.function, one.column) not in turned)  # which says it better
        return (*doubts, *self._found.values())

    def take(self, cleaned: Cleaned) -> None:
        """Hold what the functions were given of one batch against their evidence."""
        self._changes.take(cleaned)
        self._batches += 1
        if self._batches & (self._batches - 1):
            return
        self._error /= 2  # all looks together are wrong no more often than one would be
        for function, proved, batches in zip(self._functions, self._baselines, cleaned.made, strict=True):
            if proved is None or not batches:
                continue
            source = batches[0].source
            if function.name not in self._typed:
                self._typed.add(function.name)
                self._types(function, proved, source)
            if len(batches) != 1:
                continue
            for one in drifts(proved, SeenRows(source, batches[0], np.arange(source.num_rows)), self._error):
                if one.kind in _GIVEN | _COMES_OUT:
                    self._found.setdefault((one.column, one.value or one.kind), _as_step(function, one))
            for turned in contradicted_dates(function, proved, batches[0]):
                self._found.setdefault((turned.column, turned.kind), turned)

    def finish(self) -> None:
        """When all batches are there. Raises ApplyDrifted where a doubt is refused."""
        self._doubts = tuple(self._changes.found())
        if self._doubts and self._refuse_doubts:
            first = self._doubts[0]
            raise ApplyDrifted(
                f"The gate doubts what {first.function} does here: {first.said}.",
                function=first.function,
                advice="Nothing was written. An example that shows such a change settles it: "
                "`cleanroom verify FUNCTION --examples FILE --promote`. Or --drift stop, which applies it with a note.",
            )

    def _types(self, function: Promoted, proved: DataBaseline, source: pa.Table) -> None:
        seen = columns_seen(function.candidate)
        for name, before in zip(proved.order, proved.types, strict=False):
            if not has_column(source, name) or (seen is not None and name not in seen) or is_records(source):
                continue
            now = type_family(source.schema.field(name).type)
            if before and now and before != now:
                self._found[name, OTHER_TYPE] = DataDrift(
                    function=function.name,
                    kind=OTHER_TYPE,
                    column=name,
                    value=now,
                    before=(0, proved.rows),
                    now=(source.num_rows, source.num_rows),
                    said=f"{name[:60]!r}: it has {now}, and had {before} where it was proved",
                )


def _as_step(function: Promoted, one: DriftFinding) -> DataDrift:
    """As a run keeps it. Of what comes out a cell is shown: its form alone does not say what is wrong with it."""
    shown = f", such as {one.examples[0].cell!r}" if one.kind in _COMES_OUT and one.examples else ""
    return DataDrift(
        function=function.name,
        kind=one.kind.value,
        column=one.column,
        value=one.value,
        before=one.before,
        now=one.now,
        said=one.said + shown,
    )


def refuse_turned_dates(functions: Sequence[Promoted], cleaned: Cleaned, data_sha256: str) -> None:
    """Raise ApplyDrifted where a function that was proved on other data reads dates in an order that these have not."""
    for function, batches in zip(functions, cleaned.made, strict=True):
        proved = function.evidence.verdict.baseline
        if proved is None or not batches or function.evidence.data_sha256 == data_sha256:
            continue
        for turned in contradicted_dates(function, proved, batches[0]):
            if turned.kind != ORDER_OF_DATES:
                continue
            raise ApplyDrifted(
                f"{function.name} of the registry was proved on dates of another order. {turned.said}.",
                function=function.name,
                advice="Leave out --registry, or correct the dates of this file first.",
            )


def contradicted_dates(function: Promoted, proved: DataBaseline, batch: CheckedBatch) -> Iterator[DataDrift]:
    """Columns of dates whose order the file contradicts.

    Not of a function that looks at other columns as well, which may tell it the order of each row, nor of one for which
    somebody has said something: it was proved in spite of what the file shows, perhaps.
    """
    if any(column.made is None for column in proved.columns) or function.witnesses != Witnesses():
        return
    for column in proved.columns:
        mask = batch.masks.get(column.name)
        if mask is None or not mask.any() or not has_column(batch.table, column.name):
            continue
        found = turned_dates(batch.kept.column(column.name), batch.table.column(column.name), mask)
        if found is not None:
            yield DataDrift(
                function=function.name,
                kind=ORDER_OF_DATES if found.after else DATES_OF_OTHER_ORDER,
                column=column.name,
                before=(0, column.cells),
                now=(found.cells, len(mask)),
                said=f"{column.name[:60]!r}: {found.cells:,} {found.said}",
            )
