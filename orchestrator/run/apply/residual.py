"""What is left to clean: a table after the promoted functions, computed in a sandbox. Called by loop and verify."""

from collections.abc import Sequence
from datetime import UTC, datetime
from threading import Lock
from typing import NamedTuple, Self

import pyarrow as pa

from orchestrator.core.candidate import Candidate, Shape
from orchestrator.core.differences import VersionDiff
from orchestrator.core.errors import ColumnsMissing, DataError
from orchestrator.core.ports import Sample, SandboxAccess
from orchestrator.core.promoted import Evidence, Promoted
from orchestrator.data.record_tables import is_records
from orchestrator.data.text import clean_text
from orchestrator.run.apply.batch_grouping import begin
from orchestrator.run.apply.clean_table import clean
from orchestrator.run.apply.column_match import unknown_column
from orchestrator.run.apply.data_drift import refuse_turned_dates
from orchestrator.run.apply.failing_rows import FailedRow
from orchestrator.run.apply.function_runner import FunctionFailed, FunctionRunner
from orchestrator.run.apply.learn import learnt_at_once
from orchestrator.run.apply.ordering import OrderTrials
from orchestrator.run.apply.shapes import check_suits
from orchestrator.run.apply.version_diff import replacement_diff


class Rest(NamedTuple):
    """What functions leave of a sample. `functions`: those, the fitted ones with what they learnt of it."""

    sample: Sample
    functions: tuple[Promoted, ...]


class _Known(NamedTuple):
    """A sample and what the functions made of it."""

    sample: Sample
    functions: tuple[Promoted, ...]
    rest: Rest

    def begins(self, functions: Sequence[Promoted]) -> bool:
        """Whether these begin with the same ones; when each was promoted does not matter."""
        return all(
            one.candidate == other.candidate and one.state == other.state
            for one, other in zip(self.functions, functions, strict=False)
        ) and len(self.functions) <= len(functions)


class Residual:
    """Keeps one container of promoted functions, and applies to a sample only the functions that are new to it.

    Safe for several threads, one at a time: one such container is enough for all lanes of a run.
    `data_sha256`: of the data set, where functions that were proved on another one are held against its dates.
    """

    def __init__(self, access: SandboxAccess, data_sha256: str = "") -> None:
        self._data_sha256 = data_sha256
        self._runner = FunctionRunner(access)
        self._orders = OrderTrials(self._runner)
        self._known: _Known | None = None
        self._lock = Lock()

    def of(self, sample: Sample, functions: Sequence[Promoted]) -> Rest:
        """The sample after all functions, in order; rows on which one fails are left out.

        A fitted function learns of the sample, as it learns of each file to which it is applied: what it has learnt of
        another one says nothing of this. Raises SandboxError; DataError where no row is left, or where it cannot learn;
        ApplyDrifted where the data's dates have another order.
        """
        functions = tuple(functions)
        check_suits(functions, sample)
        with self._lock:
            known = self._known
            if known is None or known.sample is not sample or not known.begins(functions):
                known = _Known(sample, (), Rest(sample, ()))
            made = known.rest
            for group in _groups(functions[len(known.functions) :]):
                group = self._taught(made.sample, group)  # noqa: PLW2901 - the same ones, which know more
                made = Rest(self._apply(made.sample, group), (*made.functions, *group))
            self._known = _Known(sample, functions, made)
            return made

    def must_follow(
        self, sample: Sample, functions: Sequence[Promoted], candidate: Candidate, evidence: Evidence
    ) -> Evidence:
        """The evidence with the names of the functions that the proved candidate must come after. Raises SandboxError.

        `sample` is as it came in, before any function.
        """
        new = Promoted(candidate=candidate, evidence=evidence, order=0, promoted_at=datetime.now(UTC))
        with self._lock:
            return evidence.model_copy(update={"after": self._orders.must_follow(sample.working, functions, new)})

    def differences(self, sample: Sample, old: Promoted, candidate: Candidate, evidence: Evidence) -> VersionDiff:
        """What the proved candidate makes of the sample that the function that it replaces does not.

        `sample` is as the other functions leave it, without the replaced one. Raises SandboxError.
        """
        new = Promoted(candidate=candidate, evidence=evidence, order=0, promoted_at=datetime.now(UTC))
        with self._lock:
            [old] = self._taught(sample, (old,))
            return replacement_diff(sample, old, new, self._runner)

    def _taught(self, sample: Sample, functions: tuple[Promoted, ...]) -> tuple[Promoted, ...]:
        """The functions, the first one with what it learns of the rows, where it is fitted."""
        first, *others = functions
        if first.candidate.contract.shape is not Shape.FITTED:
            return functions
        rows = pa.concat_tables([sample.working, sample.holdout])
        try:
            state = learnt_at_once(self._runner, first, rows)
        except FunctionFailed as failure:
            raise _hopeless([FailedRow(0, first.name, str(failure))], functions, rows.column_names) from None
        return (first.model_copy(update={"learnt": state}), *others)

    def _apply(self, sample: Sample, functions: tuple[Promoted, ...]) -> Sample:
        """Working rows and holdout in one job: what was promoted treats a row the same wherever it stands."""
        working = sample.working.num_rows
        table = pa.concat_tables([sample.working, sample.holdout])
        if not functions or not table.num_rows:
            return sample
        self._runner.functions = functions
        begun = () if is_records(table) else begin(self._runner, [table])[0]
        cleaned = clean(self._runner, table, max_failures=table.num_rows, begun=begun)
        if cleaned.table is None:
            raise _hopeless(cleaned.failed, functions, table.column_names)
        if self._data_sha256:
            refuse_turned_dates(functions, cleaned, self._data_sha256)
        kept = int((cleaned.rows < working).sum())
        return Sample(cleaned.table.slice(0, kept), cleaned.table.slice(kept))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._runner.close()


def _groups(functions: Sequence[Promoted]) -> list[tuple[Promoted, ...]]:
    """Those that can be applied together: a fitted one learns of what the ones before it leave, and begins a group."""
    groups: list[tuple[Promoted, ...]] = []
    for function in functions:
        if groups and function.candidate.contract.shape is not Shape.FITTED:
            groups[-1] += (function,)
        else:
            groups.append((function,))
    return groups


def _hopeless(failed: Sequence[FailedRow], functions: Sequence[Promoted], columns: Sequence[str]) -> DataError:
    """Why no row came through: a column that is missing, or what the functions that failed say of their first rows."""
    reasons: dict[str, dict[str, None]] = {}
    for row in failed:
        reasons.setdefault(row.function, {})[row.reason] = None
    for function in functions:
        said = list(reasons.get(function.name, ()))
        if said and (name := unknown_column(function, said[0], columns, always=len(said) == 1)):
            return ColumnsMissing(
                f"The data have no column '{clean_text(name, 80)}', which {function.name} needs.",
                advice="Without it the function does not fit this data.",
                unmapped="Name the column so in the file, or leave out --registry: then no function is taken over.",
            )
    which = "; ".join(f"{name}: {next(iter(said))}" for name, said in reasons.items())
    return DataError(
        f"On every row of a chunk a promoted function fails ({which}).",
        advice="Leave out --registry where its functions were made for other data, or correct the data.",
    )
