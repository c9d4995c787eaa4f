"""Applies promoted functions to a whole data set: sandboxed, streamed, all or nothing. Called by `apply` and by a run.

Batches are read here, cleaned in sandboxes by several threads, and written here again in their order; a few are
on their way at any time, so that reading, cleaning and writing overlap and memory stays the same for any file.
"""

import os
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from types import TracebackType

import numpy as np
import pyarrow as pa

from orchestrator.core.columns import ColumnChange, ColumnQuality, FunctionChange
from orchestrator.core.errors import DataError, RowsFailed, UsageError
from orchestrator.core.fitted import LearntState
from orchestrator.core.policy import LARGEST_BYTES, LARGEST_ROWS, LARGEST_ROWS_OF_WIDE
from orchestrator.core.ports import SandboxAccess
from orchestrator.core.promoted import Promoted
from orchestrator.core.steps.run_steps import DataDrift
from orchestrator.data.data_address import DataAddress
from orchestrator.data.formats import Batch, Dataset, Writer
from orchestrator.data.profile.quality import QualityMeter
from orchestrator.data.renamed import open_own_writer
from orchestrator.data.row_numbers import RowNumbers
from orchestrator.data.sources import open_source
from orchestrator.data.targets import target_computes, target_takes_records
from orchestrator.run.apply.apply_audit import ApplyAudit
from orchestrator.run.apply.clean_table import Cleaned
from orchestrator.run.apply.column_match import match_columns, placed, refuse_missing, refuse_unknown, renamed
from orchestrator.run.apply.data_drift import DataDriftMeter
from orchestrator.run.apply.drift import DriftGuard
from orchestrator.run.apply.learn import learn
from orchestrator.run.apply.planted_formulas import planted_formulas
from orchestrator.run.apply.quarantine import Quarantine
from orchestrator.run.apply.same_file import check_places
from orchestrator.run.apply.shapes import works_on_records
from orchestrator.run.apply.stored_schema import expected_schema, stored_schema
from orchestrator.run.apply.value_changes import ValueChanges
from orchestrator.run.apply.workers import BatchWorkers
from orchestrator.run.table_width import check_width

WORKERS = max(1, (os.cpu_count() or 1) // 2)  # each keeps a core busy, and reading, checking and writing another
MAX_QUARANTINED = 1_000  # so many rows are no exception, but the rule


@dataclass(frozen=True, slots=True)
class ApplyOutcome:
    """What was done, measured on the host: to every column, and by each function.

    `quarantined`: rows that could not be read, or on which a function failed, and which were set aside. `formulas`: by
    column, cells that start a spreadsheet formula and did not before. `drifted`: what functions did beyond their
    evidence, where that was accepted; `without_band`: functions whose evidence is too old to say. `data_drift`,
    `new_columns`: what is unlike the rows on which functions were proved. `learnt`: by function, what a fitted one has
    learnt of this data. `idle`: columns that are not there, and the functions that do nothing for want of them.
    `written`: what to know of how the output was written.
    """

    rows_in: int
    rows_out: int
    columns: tuple[ColumnChange, ...]
    functions: tuple[FunctionChange, ...]
    quality_after: tuple[ColumnQuality, ...]
    quarantined: int
    formulas: dict[str, int]
    drifted: tuple[str, ...] = ()
    data_drift: tuple[DataDrift, ...] = ()
    new_columns: tuple[str, ...] = ()
    without_band: tuple[str, ...] = ()
    learnt: dict[str, LearntState] = field(default_factory=dict)
    idle: tuple[str, ...] = ()
    written: tuple[str, ...] = ()


def apply_functions(
    source: Path | DataAddress | Dataset,
    functions: Sequence[Promoted],
    output: Path | DataAddress,
    access: SandboxAccess,
    *,
    batch_rows: int = LARGEST_ROWS,
    workers: int = WORKERS,
    quarantine: Path | DataAddress | None = None,
    accept_drift: bool = False,
    refuse_doubts: bool = False,
    proved_on_it: Collection[str] = (),
    columns: Mapping[str, str] | None = None,
    on_progress: Callable[[int], None] | None = None,
    before_written: Callable[[], None] = lambda: None,
) -> ApplyOutcome:
    """Write the cleaned data to `output`, whole or not at all.

    Raises ApplyAuditFailed where a function treats a row differently the second time, and ApplyDrifted where it does
    more than its evidence allows, unless `accept_drift`, or, with `refuse_doubts`, something that the gate doubts. The
    data is compared with what functions were proved on, but for those in `proved_on_it`, proved on chunks of it.
    `on_progress` receives how many rows are done; `before_written` is called when all are, and nothing is written if it
    raises. Rows on which a function fails, and those that the data set could not read, go to `quarantine` with the
    reason, or, without it, are a DataError that names row and function. So is a file that is changed meanwhile; a data
    set whose hash is known already must still have it. Raises UsageError when two of the files are the same, and
    DataError where a column is missing that a function needs. `columns`: by the name that functions know, that of the
    file.
    """
    dataset = source if isinstance(source, Dataset) else open_source(source)
    check_places(dataset.place, output, quarantine)
    if dataset.unreadable and quarantine is None:
        raise UsageError("Rows that cannot be read need a place.", advice="Name a file with --quarantine.")
    dataset = renamed(dataset, columns or {})
    matches = match_columns(dataset, functions, columns)
    refuse_missing(dataset, matches)
    records_of = dataset if works_on_records(functions) else None
    if records_of is None and functions:
        check_width(dataset)
    _ = dataset.sha256
    allowed = 1 if quarantine is None else MAX_QUARANTINED
    read = partial(_as_proved, dataset, batch_rows)
    functions = learn(read, functions, access, dataset=dataset, workers=workers, max_failures=allowed)
    with ExitStack() as stack:
        audit = stack.enter_context(ApplyAudit(functions, access))
        pool = stack.enter_context(BatchWorkers(functions, access, workers, records_of, audit.take))
        apart = None if quarantine is None else Quarantine(quarantine, dataset)
        if apart is not None:
            stack.enter_context(apart.undone())
        job = stack.enter_context(_Application(dataset, functions, output, apart))
        if apart is not None:
            stack.enter_context(apart)  # later than the output, so that it is whole before that appears
        guard = DriftGuard(functions, accept=accept_drift)
        meter = DataDriftMeter(functions, proved_on_it, refuse_doubts=refuse_doubts)
        for batch, cleaned in pool.clean(audit.watching(read()), allowed):
            job.take(batch, cleaned)
            if cleaned is not None:
                guard.take(cleaned)
                meter.take(cleaned)
            if on_progress is not None:
                on_progress(job.rows_in)
        job.finish()
        audit.finish()
        meter.finish()
        dataset.check_unchanged()
        before_written()
    idle = tuple(f"{one.name}: {', '.join(one.functions)}" for one in matches if one.own is None)
    learnt = {f.name: f.learnt for f in functions if f.learnt is not None}
    return replace(
        job.outcome(),
        drifted=guard.found,
        data_drift=meter.found,
        new_columns=placed(dataset, [f for f in functions if f.name not in proved_on_it])[0],
        without_band=guard.without_band,
        learnt=learnt,
        idle=idle,
        written=tuple(job.said),
    )


def _as_proved(dataset: Dataset, batch_rows: int) -> Iterator[Batch]:
    """No batch larger than what functions are proved on: one that behaves on such a table need not on a larger one."""
    for batch in dataset.read(batch_rows):
        rows = batch.table.num_rows
        most = LARGEST_ROWS if batch.table.nbytes <= LARGEST_BYTES else LARGEST_ROWS_OF_WIDE
        if rows <= most:
            yield batch
        else:
            yield from (batch.take(np.arange(start, min(start + most, rows))) for start in range(0, rows, most))


@dataclass
class _Application(AbstractContextManager["_Application"]):
    """Writes what comes back and keeps count. The files appear when the block ends without an error."""

    dataset: Dataset
    functions: Sequence[Promoted]
    output: Path | DataAddress
    quarantine: Quarantine | None
    rows_in: int = 0
    rows_out: int = 0
    said: list[str] = field(default_factory=list)
    _changed: dict[str, int] = field(default_factory=dict)
    _by_function: list[dict[str, int]] = field(default_factory=list)
    _formulas: dict[str, int] = field(default_factory=dict)
    _values: ValueChanges = field(default_factory=ValueChanges)
    _quality: QualityMeter = field(default_factory=QualityMeter)
    _stack: ExitStack = field(default_factory=ExitStack)
    _writer: Writer | None = None

    def __post_init__(self) -> None:
        self._by_function = [{} for _ in self.functions]

    def take(self, batch: Batch, cleaned: Cleaned | None) -> None:
        """Write one batch. Raises DataError when a row failed and there is no quarantine for it."""
        if cleaned is None:
            self._write(batch.table, batch)
        else:
            self._reject(batch, cleaned)
            if cleaned.table is not None:
                source = batch.take(cleaned.rows)
                changed = [name for name, count in cleaned.changed.items() if count]
                self._values.add(source.table, cleaned.table, changed)
                _add(self._formulas, planted_formulas(source.table, cleaned.table, changed))
                self._write(cleaned.table, source, cleaned.records)
            self._count(cleaned)
        self.rows_in += batch.table.num_rows

    def outcome(self) -> ApplyOutcome:
        return ApplyOutcome(
            rows_in=self.rows_in + len(self.dataset.unreadable),
            rows_out=self.rows_out,
            columns=tuple(
                ColumnChange(name=n, changed=self._changed.get(n, 0), values=self._values.of(n))
                for n in self.dataset.columns
            ),
            functions=tuple(
                FunctionChange(name=function.name, changed=counts)
                for function, counts in zip(self.functions, self._by_function, strict=True)
            ),
            quality_after=self._quality.result(),
            quarantined=0 if self.quarantine is None else self.quarantine.rows,
            formulas=self._formulas if target_computes(self.output, like=self.dataset) else {},
        )

    def finish(self) -> None:
        """When no row came through, the output is a header."""
        if self._writer is None:
            self._open_writer(expected_schema(self.dataset, self.functions))

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.__exit__(kind, error, trace)

    def _write(
        self,
        table: pa.Table,
        source: Batch,
        records: tuple[pa.Table, pa.Table] | None = None,
    ) -> None:
        if self._writer is None:
            self._open_writer(stored_schema(table, self.dataset.schema))
        assert self._writer is not None  # noqa: S101 - opened in the line above
        if records is not None and source.raw is not None and target_takes_records(self.output, like=self.dataset):
            self._writer.write(records[1], Batch(records[0], source.raw))
        else:
            self._writer.write(table, source)
        self._quality.add(table)
        self.rows_out += table.num_rows

    def _open_writer(self, schema: pa.Schema) -> None:
        writer = open_own_writer(self.output, like=self.dataset, schema=schema, said=self.said.append)
        self._writer = self._stack.enter_context(writer)

    def _reject(self, batch: Batch, cleaned: Cleaned) -> None:
        failed = cleaned.failed
        if not failed:
            return
        first = failed[0]
        if cleaned.tried or self.quarantine is None:
            [function] = [one for one in self.functions if one.name == first.function]
            refuse_unknown(self.dataset, function, first.reason, (), always=bool(cleaned.tried))
        numbers = RowNumbers.of(self.dataset)
        rows = [numbers.of_row(self.rows_in + row.row) for row in failed]
        place = f"Row {rows[0]} of {self.dataset.name}{numbers.remark}"
        if cleaned.hopeless:
            raise DataError(
                f"From row {rows[-1]} of {self.dataset.name}{numbers.remark} on, {failed[-1].function} fails on rows "
                f"together that it may take one by one: {failed[-1].reason}.",
                advice="Revoke the function: it does not fit this data.",
            )
        if cleaned.tried:
            raise DataError(
                f"{place}: the function {first.function} fails on it, and on all {cleaned.tried} rows that were tried "
                f"of the {batch.table.num_rows:,} from row {numbers.of_row(self.rows_in)} on: {first.reason}.",
                advice="Nothing was written. The function does not fit this data: revoke it, or correct the data.",
            )
        if self.quarantine is None:
            raise RowsFailed(
                f"{place}: the function {first.function} fails on it: {first.reason}.",
                advice="Keep such rows apart with --quarantine FILE, or revoke the function.",
            )
        if self.quarantine.failed + len(failed) >= MAX_QUARANTINED:
            raise DataError(
                f"{MAX_QUARANTINED} rows fail; {place} is one, on which {first.function} fails: {first.reason}.",
                advice="Revoke the function: it does not fit this data.",
            )
        self.quarantine.take(
            batch.take([row.row for row in failed]), rows, [f"{r.function}: {r.reason}" for r in failed]
        )

    def _count(self, cleaned: Cleaned) -> None:
        for total, counts in [
            (self._changed, cleaned.changed),
            *zip(self._by_function, cleaned.by_function, strict=True),
        ]:
            _add(total, counts)


def _add(total: dict[str, int], counts: Mapping[str, int]) -> None:
    for name, count in counts.items():
        total[name] = total.get(name, 0) + count
