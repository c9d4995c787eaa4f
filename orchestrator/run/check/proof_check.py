"""Does what was proved of promoted functions still hold on this data? Called by the command `check` and the library.

Rows are drawn at random. Each function is given them as those before it leave them, in a container, and judged on some
of them once more, by the gate; what it was given and what it did is held against its signed baseline (`drifting`).
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from orchestrator.core.candidate import Shape
from orchestrator.core.errors import DataError
from orchestrator.core.needs import own_columns
from orchestrator.core.policy import LARGEST_BYTES, LARGEST_ROWS, LARGEST_ROWS_OF_WIDE
from orchestrator.core.ports import Sample
from orchestrator.core.promoted import Promoted
from orchestrator.core.verdict import Outcome, Verdict
from orchestrator.core.weakened import weakened_layers
from orchestrator.core.wording import joined_by_and, plural
from orchestrator.data.chunks import chunks
from orchestrator.data.formats import Batch, Dataset
from orchestrator.data.record_rows import RecordDataset
from orchestrator.data.row_numbers import RowNumbers
from orchestrator.data.text import clean_text
from orchestrator.gate.checks.changed_columns.questions import UNASKED
from orchestrator.gate.checks.touches_only_declared import UNSHOWN
from orchestrator.run.apply.clean_table import clean
from orchestrator.run.apply.column_match import ColumnMatch, match_columns, placed, renamed, unknown_column
from orchestrator.run.apply.data_drift import ORDER_OF_DATES, contradicted_dates
from orchestrator.run.apply.drift import beyond
from orchestrator.run.apply.failing_rows import FailedRow
from orchestrator.run.apply.function_runner import FunctionRunner
from orchestrator.run.apply.learn import learn
from orchestrator.run.apply.shapes import works_on_records
from orchestrator.run.check.check_report import CheckedFunction, CheckReport, ProofState, worst
from orchestrator.run.check.file_rows import counted_in_file
from orchestrator.run.rows.drifting import ERROR, SeenRows, comparisons, drifts, too_few
from orchestrator.run.services import Services
from orchestrator.run.table_width import check_width
from orchestrator.run.verify.side_by_side import side_by_side
from orchestrator.run.verify.stored import verdict_again

if TYPE_CHECKING:
    from orchestrator.run.rows.drift_finding import DriftFinding

JUDGED_ROWS = 3_000
_CLAIM = "effective"
_NEEDS_WORK = {_CLAIM, "composes"}
"""What says nothing of a function without work: it has no effect then, and what it does is what others do."""
_ABOUT_NEW_COLUMNS = {UNASKED, UNSHOWN}
"""Concerns that were decided when it was promoted, and say nothing of this data."""
_NO_BASELINE = "no baseline: it was proved before baselines were kept, so only the laws were judged"


def check_proofs(
    dataset: Dataset,
    functions: Sequence[Promoted],
    services: Services,
    *,
    columns: Mapping[str, str] | None = None,
) -> CheckReport:
    """Whether the functions may be applied to the data. Nothing is written.

    `columns`: by the name that functions know, that of the file. What functions do is in the report. Raises DataError
    for a file without rows, UsageError for one without such columns, SandboxError.
    """
    dataset = renamed(dataset, columns or {})
    matches = match_columns(dataset, functions, columns)
    if not (by_row := works_on_records(functions)):
        check_width(dataset)
    if not dataset.rows:
        raise dataset.without_rows()
    table, numbers = _drawn(RecordDataset(dataset) if by_row else dataset)
    looked_at = table.num_rows
    counts = RowNumbers.of(dataset)
    if counts.unreadable:
        numbers = np.array([counts.of_row(row) - counts.header - 1 for row in numbers.tolist()], dtype=np.int64)
    error = ERROR / max(1, sum(comparisons(p) for f in functions if (p := f.evidence.verdict.baseline) is not None))
    with closing(FunctionRunner(services.access, tuple(functions), detect=True)) as runner:
        rows = _Rows(dataset, table, numbers, counts, runner, services, matches)
        looked = [rows.after(function) for function in functions]

    def judged(one: "_LookedAt | CheckedFunction") -> CheckedFunction:
        return one if isinstance(one, CheckedFunction) else _said(one, _verdict(one, services), error)

    if services.lanes is None:
        checked = [judged(one) for one in looked]
    else:
        checked = list(side_by_side(judged, looked, services.lanes))
    if looked_at < dataset.rows and not by_row:
        checked = counted_in_file(dataset, functions, checked)
    new, moved = placed(dataset, functions)
    return CheckReport(
        at=datetime.now(UTC),
        data=dataset.name,
        data_sha256=dataset.sha256,
        rows=dataset.rows,
        looked_at=looked_at,
        how_rows_count=counts.how,
        state=worst([one.state for one in checked]),
        functions=tuple(checked),
        new_columns=new,
        reordered=moved,
        renamed=dict(columns or {}),
        suggested={one.name: one.suggested for one in matches if one.suggested},
        weakened=weakened_layers(services.policy),
    )


def _drawn(dataset: Dataset) -> tuple[pa.Table, Any]:
    """Rows of the file at random, in their order, and their numbers: no more than functions are proved on."""
    [chunk] = chunks(dataset, chunk_rows=LARGEST_ROWS, max_chunks=1, holdout_share=0)
    table, numbers = chunk.working, np.array(chunk.working_rows, dtype=np.int64)
    if table.nbytes > LARGEST_BYTES and table.num_rows > LARGEST_ROWS_OF_WIDE:
        places = np.sort(np.random.default_rng(0).choice(table.num_rows, LARGEST_ROWS_OF_WIDE, replace=False))
        return table.take(pa.array(places)), numbers[places]
    return table, numbers


@dataclass(frozen=True, slots=True)
class _LookedAt:
    """What a function made of the drawn rows. The gate judges it on `judged`, beside the functions `before`.

    `unclean`: its columns that are not as they were where it was proved, as a function before it is broken: by column,
    that one's name.
    """

    function: Promoted
    seen: SeenRows
    failed: Sequence[FailedRow]
    judged: Sample
    before: tuple[Promoted, ...]
    unclean: Mapping[str, str]


@dataclass
class _Rows:
    """The drawn rows on their way through the functions. `before`: those that they have been through.

    `unclean`: the columns on which a function would have worked that is broken, with its name.
    """

    dataset: Dataset
    table: pa.Table
    numbers: Any
    counts: RowNumbers
    runner: FunctionRunner
    services: Services
    matches: Sequence[ColumnMatch]
    before: list[Promoted] = field(default_factory=list)
    unclean: dict[str, str] = field(default_factory=dict)

    def after(self, function: Promoted) -> _LookedAt | CheckedFunction:
        """Put the rows through one more function; what is to be judged, or why it cannot work on them."""
        looked = self._through(function)
        if isinstance(looked, CheckedFunction) or looked.failed:
            contract = function.candidate.contract
            anywhere = contract.modifies is None or contract.drops_rows
            names = self.table.column_names if anywhere else (*(contract.modifies or ()), *contract.adds)
            self.unclean = dict.fromkeys(names, function.name) | self.unclean
        return looked

    def _through(self, function: Promoted) -> _LookedAt | CheckedFunction:
        missing = [one for one in self.matches if one.own is None and one.needed and function.name in one.functions]
        if missing:
            return _broken(function, _lacks([one.name for one in missing]))
        if not self.table.num_rows:
            return _broken(function, "no row is left for it")
        try:
            function = self._taught(function)
        except DataError as error:
            return _broken(function, error.message)
        cleaned = clean(self.runner, self.table, max_failures=1, functions=[function], give_up=True)
        batch = None if cleaned.failed else cleaned.made[0][0]
        seen = SeenRows(self.table, batch, self.numbers, self.counts.header, self.counts.how)
        own = own_columns(function.candidate, self.table.column_names)
        unclean = {name: self.unclean[name] for name in own if name in self.unclean}
        looked = _LookedAt(function, seen, cleaned.failed, self._judged(), tuple(self.before), unclean)
        if not cleaned.failed and cleaned.table is not None:
            self.table, self.numbers = cleaned.table, self.numbers[cleaned.rows]
            self.before.append(function)
        return looked

    def _taught(self, function: Promoted) -> Promoted:
        if function.candidate.contract.shape is not Shape.FITTED:
            return function
        batches = [Batch(self.table)]
        [taught] = learn(
            lambda: iter(batches), [function], self.services.access, dataset=self.dataset, workers=1, max_failures=1
        )
        return taught

    def _judged(self) -> Sample:
        """Rows for the gate. None are held back: nobody proposes anything."""
        rows = self.table.num_rows
        places = np.sort(np.random.default_rng(1).permutation(rows)[:JUDGED_ROWS])
        return Sample(self.table.take(pa.array(places)).combine_chunks(), self.table.slice(0, 0))


def _verdict(looked: _LookedAt, services: Services) -> Verdict:
    return verdict_again(looked.function, looked.judged, looked.before, services, looked.function.witnesses, quick=True)


def _said(looked: _LookedAt, verdict: Verdict, error: float) -> CheckedFunction:
    function, seen = looked.function, looked.seen
    idle = seen.batch is not None and not (seen.touched or seen.flagged or function.candidate.contract.adds)
    failed = [check for check in verdict.checks if check.outcome is Outcome.FAIL]
    if idle:
        failed = [check for check in failed if check.id not in _NEEDS_WORK]
    laws = [check for check in failed if check.id != _CLAIM]
    broken = [f"the law `{check.id}` fails: {check.detail}" for check in laws] + list(_failures(looked))
    unmet = [f"it does not do what it claims: {check.detail}" for check in failed if check.id == _CLAIM]
    doubts = [one for one in verdict.concerns if one.kind not in _ABOUT_NEW_COLUMNS]
    notes = [f"perhaps it loses something here ({one.kind}): {one.detail}" for one in doubts]
    if idle:
        notes.append("it has nothing to do on these rows")
    baseline = function.evidence.verdict.baseline
    drift: tuple[DriftFinding, ...] = ()
    if baseline is None:
        notes.append(_NO_BASELINE)
    else:
        comparable = [column for column in baseline.columns if column.name not in looked.unclean]
        compared = baseline.model_copy(update={"columns": tuple(comparable)})
        drift = tuple(one for one in drifts(compared, seen, error) if one.column or not looked.unclean)
        notes += too_few(compared, seen, drift)
        for one in contradicted_dates(function, baseline, seen.batch) if seen.batch is not None else ():
            (unmet if one.kind == ORDER_OF_DATES else notes).append(one.said)
    more = () if seen.batch is None else beyond(function, seen.batch)
    if looked.unclean:  # what it does there may only come from that
        unmet, more = [], ()
        notes += _not_compared(looked.unclean)
    state = ProofState.BROKEN if broken else ProofState.STALE if unmet or more or drift else ProofState.VALID
    return CheckedFunction(
        name=function.name,
        version=function.version,
        state=state,
        broken=tuple(broken),
        laws=tuple(check.id for check in laws),
        unmet=tuple(unmet),
        drift=drift,
        beyond=tuple(f"it {clause}: beyond what apply accepts by itself" for clause in more),
        notes=tuple(notes),
        baseline=baseline is not None,
    )


def _not_compared(unclean: Mapping[str, str]) -> Iterator[str]:
    for broken in dict.fromkeys(unclean.values()):
        names = [repr(clean_text(name, 60)) for name, by in unclean.items() if by == broken]
        are = plural(len(names), "is", "are")
        yield f"{joined_by_and(names)} {are} not compared: {broken}, which would clean that before, is broken"


def _lacks(names: Sequence[str]) -> str:
    columns = joined_by_and([repr(clean_text(name, 80)) for name in names])
    if len(names) == 1:
        return (
            f"the data has no column {columns}, which it needs; if it has another name here, it can be mapped to that"
        )
    mapped = "if they have other names here, they can be mapped to those"
    return f"the data has no columns {columns}, which it needs; {mapped}"


def _failures(looked: _LookedAt) -> Iterator[str]:
    if looked.failed:
        first = looked.failed[0]
        if name := unknown_column(looked.function, first.reason, looked.seen.source.column_names):
            yield _lacks([name])
            return
        seen = looked.seen
        row, how = int(seen.numbers[first.row]) + 1 + seen.header, f" ({seen.how})" if seen.how else ""
        yield f"it fails on row {row}{how}: {first.reason}"


def _broken(function: Promoted, why: str) -> CheckedFunction:
    baseline = function.evidence.verdict.baseline is not None
    return CheckedFunction(
        name=function.name, version=function.version, state=ProofState.BROKEN, broken=(why,), baseline=baseline
    )
