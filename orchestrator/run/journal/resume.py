"""Reads an interrupted run from its journal and checks that it can be resumed: same data, same functions.

Called by `cleanroom runs` and the library API. Resuming is exact because the loop uses every step of the journal as its
own (`cursor`), and because this module checks that everything else it depends on is unchanged: the data, the examples
and the promoted functions.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from shlex import quote
from typing import Any, NamedTuple

from pydantic import ValidationError

from orchestrator.core.errors import ApplyDrifted, CleanroomError, ColumnsMissing, DataChanged, RowsFailed, UsageError
from orchestrator.core.exchanges import TokenUsage
from orchestrator.core.policy import Policy
from orchestrator.core.promoted import Promoted
from orchestrator.core.steps import (
    AnalysisStep,
    AnyStep,
    ChunkEndStep,
    EndStep,
    MergerStep,
    PromotionStep,
    ResumeStep,
    RunStatus,
    RunStep,
    VerificationStep,
)
from orchestrator.data.data_address import DataAddress, location
from orchestrator.data.files import file_sha256
from orchestrator.data.formats.private_copy import STDIN
from orchestrator.data.sources import OpensData, open_source
from orchestrator.data.user_files.example_files import read_examples
from orchestrator.run.journal.cursor import is_unread
from orchestrator.run.journal.in_use import functions_in_use
from orchestrator.run.journal.journal import read_checked, unproved
from orchestrator.run.outputs import JOURNAL, REPORT, Outputs
from orchestrator.run.request import OpenedRun, RunRequest

_OF_NEW_RUNS = ("--model", "--protocol", "another model", "Use a model")  # a resumed run keeps to these
_ANEW = "Start a new run with `cleanroom run`."


class PastRun(NamedTuple):
    """What earlier processes did of a run."""

    folder: Path
    opening: RunStep
    steps: tuple[AnyStep, ...]
    authentic: bool  # written by this machine, and not changed since

    @property
    def end(self) -> EndStep | None:
        """How it ended; None if it was killed, even after it was resumed."""
        last = self.steps[-1]
        return last if isinstance(last, EndStep) else None

    @property
    def finished(self) -> bool:
        return self.end is not None and not self.end.status.resumable

    @property
    def used(self) -> TokenUsage:
        return sum((step.usage for step in self.steps), TokenUsage())

    @property
    def seconds(self) -> float:
        """Working time of all its processes, in seconds, without the pauses between them."""
        total, begun = 0.0, self.opening.at
        for step, following in zip(self.steps, [*self.steps[1:], None], strict=True):
            if following is None or isinstance(following, ResumeStep):
                total += (step.at - begun).total_seconds()
                begun = following.at if following else begun
        return total

    @property
    def configuration(self) -> dict[str, Any]:
        """The newest configuration."""
        resumed = [step.configuration for step in self.steps if isinstance(step, ResumeStep)]
        return self.opening.configuration | (resumed[-1] if resumed else {})

    @property
    def shared_registry(self) -> str | None:
        """The registry that it shares with others, as `RunRequest.shared_registry` names it."""
        recorded = self.opening.configuration.get("registry")
        return None if recorded is None else str(recorded)

    @property
    def policy(self) -> Policy:
        """The policy of the run as it was recorded. Raises UsageError."""
        try:
            return Policy.model_validate(self.configuration["policy"])
        except (KeyError, ValidationError) as error:
            raise _foreign(self.folder) from error

    def request(
        self, registry: str | None = None, limits: Mapping[str, Any] | None = None, *, quarantine: bool = False
    ) -> RunRequest:
        """What was asked for. `registry`: what the caller names. Raises UsageError where that is not what the run used.

        What a journal says is no reason to write to a database. `limits`: fields of `RunLimits` that are set anew.
        `quarantine`: rows on which a function fails are set aside from now on.
        Raises UsageError where the run ended at its limits, with all its files written, and they are the same; not
        where it ended on answers that could not be read.
        """
        recorded = self._recorded
        raised = recorded.limits.model_copy(update=dict(limits or {}))
        limited = self.end is not None and self.end.status is RunStatus.LIMIT
        written = (self.folder / REPORT).exists()  # it is what a run writes last
        if limited and written and raised == recorded.limits and not self._unread:
            raise UsageError(
                f"The run ended at its limits: {recorded.limits.max_rejected} functions given up or "
                f"{recorded.limits.max_iterations} proposed in a chunk.",
                advice="Raise one to go on: `cleanroom runs resume … --max-rejected N` (or --max-iterations N).",
            )
        aside = recorded.quarantine or quarantine
        request = recorded.model_copy(update={"registry": registry, "limits": raised, "quarantine": aside})
        if self.authentic and request.shared_registry != self.shared_registry:
            if self.shared_registry is None:
                raise UsageError("The run has a registry of its own.", advice="Leave out --registry.")
            raise UsageError(
                f"The run promotes into the registry {self.shared_registry}.", advice="Name it with --registry."
            )
        return request

    @property
    def _unread(self) -> bool:
        """Whether a chunk ended on answers that could not be read, for which a resumed run asks again."""
        last: dict[int, bool] = {}  # by chunk: whether its newest answer was one
        ended: dict[int, bool] = {}  # whether its newest end was after one
        for step in self.steps:
            if isinstance(step, AnalysisStep):
                last[step.chunk] = is_unread(step)
            elif isinstance(step, ChunkEndStep):
                ended[step.chunk] = step.status is RunStatus.LIMIT and last.get(step.chunk, False)
        return any(ended.values())

    @property
    def _recorded(self) -> RunRequest:
        """The request as it was recorded, without its registry. Raises UsageError."""
        fields = {k: v for k, v in self.configuration.items() if k in RunRequest.model_fields}
        rows = fields.pop("chunk_rows", None)  # earlier releases took any number of them
        try:
            request = RunRequest.model_validate(fields | {"out": self.folder, "registry": None})
            return request.model_copy(update={"chunk_rows": rows} if isinstance(rows, int) and rows > 0 else {})
        except ValidationError as error:
            raise _foreign(self.folder) from error

    @property
    def parser(self) -> str | None:
        """The parser that reads its data, where that is no format."""
        return self._recorded.parser

    def open(self, opener: OpensData = open_source) -> OpenedRun:
        """The files of the run. `opener`: opens data by the run's parser, where it has one.

        Raises UsageError if they or the parser have changed, DataError.
        Nothing from a journal that somebody else wrote is trusted: no path, no address, no verdict.
        """
        if not self.authentic:
            raise UsageError(
                f"The journal does not fit: {unproved(self.folder / JOURNAL)}.",
                advice="`cleanroom runs resume FOLDER --data FILE` judges everything again.",
            )
        request = self._recorded
        if request.data == STDIN:
            raise UsageError("The run read its data from stdin, which cannot be read again.", advice=_ANEW)
        if isinstance(request.data, DataAddress) and request.data.secret:
            raise UsageError(f"{request.data} has a secret part, which is not stored.", advice=_ANEW)
        if isinstance(request.data, Path) and not request.data.is_file():
            raise UsageError(f"The data of the run, {request.data}, is gone.", advice=_ANEW)
        if request.parser is not None and isinstance(request.data, Path):  # a parser may fail on other data
            self._check_data(file_sha256(request.data))
        dataset = opener(request.data, **request.reading)
        self._check_data(dataset.sha256)
        if dataset.parser_sha256 != self.opening.configuration.get("parser_sha256", ""):
            raise UsageError(f"The parser {request.parser} has changed since the run began.", advice=_ANEW)
        examples = read_examples(request.examples) if request.examples else ()
        if [e.model_dump(mode="json") for e in examples] != self.opening.configuration.get("example_rows", []):
            raise UsageError(f"{request.examples} has changed since the run began.", advice=_ANEW)
        outputs = Outputs(folder=self.folder, cleaned=self.folder / f"cleaned{dataset.suffix}")
        return OpenedRun(dataset, examples, outputs, self.opening.quality, self.opening.rows, 0.0)

    def _check_data(self, sha256: str) -> None:
        if sha256 != self.opening.data_sha256:
            raise UsageError(f"{self._recorded.data} has changed since the run began.", advice=_ANEW)

    def anew(
        self,
        data: Path | DataAddress | str,
        examples: Path | None,
        registry: str | None = None,
        limits: Mapping[str, Any] | None = None,
        *,
        quarantine: bool = False,
    ) -> RunRequest:
        """The same request for files that the caller names, without any recorded answer. Raises UsageError.

        `limits`, `quarantine`: as for `request`.
        That functions with concerns come into use is for the caller to say, whose signature it takes.
        """
        if self.parser is not None:
            raise UsageError("The run read its data by a parser.", advice=f"{_ANEW} Name the --parser again.")
        files = {"data": location(data), "examples": examples}
        request = self.request(registry, limits, quarantine=quarantine)
        on_hold = "keep" if request.on_hold == "accept" else request.on_hold
        return request.model_copy(update=files | {"overwrite": True, "on_hold": on_hold})

    def report(self) -> None:
        """Write the report, if a process was killed after its last step and before the report. Raises OutputError.

        One that is older than the journal is of an earlier end, where the run was interrupted or reached a limit.
        """
        outputs = Outputs(folder=self.folder, cleaned=self.folder)
        written = outputs.report.stat().st_mtime_ns if outputs.report.exists() else 0
        if written < outputs.journal.stat().st_mtime_ns:
            outputs.write_report(self.steps)

    def check_proposer(self, name: str) -> None:
        """Raises UsageError unless the proposer is the same; the run may have used the caller's own model object."""
        if name != self.opening.proposer:
            by_object = self.opening.proposer.startswith("custom/")
            reach = "Go on in Python, with such an object for Cleanroom" if by_object else "Set CLEANROOM_MODEL to it"
            raise UsageError(
                f"The run used {self.opening.proposer}, and only {name} is available.",
                advice=f"{reach}, or start a new run.",
            )

    def check(self, functions: Sequence[Promoted]) -> None:
        """Raises UsageError unless the registry holds exactly what the run promoted, besides what others did.

        A run that was killed while it changed the registry may not have recorded the change.
        """
        if self.shared_registry is not None:
            functions = [function for function in functions if function.evidence.run_id == self.opening.run_id]
        wanted, unsaid = functions_in_use(self.steps), self._unsaid()
        found = {f.candidate.sha256: f for f in functions}
        replaced = self._half_replaced() | {
            found[sha256].candidate.contract.replaces for sha256 in unsaid & found.keys() if sha256 not in wanted
        }
        for sha256, name in wanted.items():
            if sha256 not in found and name not in replaced:
                raise UsageError(f"{name} was promoted in the run and is no longer in its registry.", advice=_ANEW)
        for sha256, function in found.items():
            if sha256 not in wanted and not (sha256 in unsaid and function.evidence.run_id == self.opening.run_id):
                raise UsageError(f"{function.name} is in the registry of the run, but not from it.", advice=_ANEW)

    def _unsaid(self) -> set[str]:
        """Hashes of functions that passed and have no recorded promotion."""
        passed: set[str] = set()
        for step in self.steps:
            if isinstance(step, VerificationStep) and step.verdict.passed:
                passed.add(step.verdict.candidate.sha256)
            elif isinstance(step, PromotionStep):
                passed.discard(step.sha256)
        return passed

    def _half_replaced(self) -> set[str]:
        """Names of functions that an adopted merger may have replaced already."""
        open_mergers: dict[int, MergerStep] = {}
        for step in self.steps:
            if isinstance(step, MergerStep) and step.adopted:
                open_mergers[step.chunk] = step
            elif isinstance(step, PromotionStep) and step.iteration == 0:
                open_mergers.pop(step.chunk, None)
        return {name for step in open_mergers.values() for name in step.replaces}


def read_past(folder: Path) -> PastRun:
    """The run in the folder. Raises UsageError when there is nothing to resume."""
    steps, authentic = read_checked(folder / JOURNAL)
    if not steps or not isinstance(steps[0], RunStep):
        advice = f"Begin it again: `cleanroom run DATA --out {quote(str(folder))} --overwrite`."
        raise UsageError(f"The run in {folder} was killed before it began.", advice=advice)
    return PastRun(folder, steps[0], steps, authentic)


def how_to_go_on(folder: Path, error: CleanroomError | None, *, shared: bool) -> str:
    """The advice about a run that ends before its time. `error`: with which; `shared`: with a registry of others'."""
    command = f"cleanroom runs resume {quote(str(folder))}{' --registry …' if shared else ''}"
    if isinstance(error, ColumnsMissing):  # with other columns the data are others
        return f"{error.unmapped} {_ANEW}"
    if isinstance(error, ApplyDrifted):
        return error.advice
    if isinstance(error, RowsFailed):
        return f"Keep such rows apart: `{command} --quarantine`. Or correct the data and start a new run."
    advice = "" if error is None else error.advice
    other = any(word in advice for word in _OF_NEW_RUNS)
    told = f"{advice} Go on with `{command}`{', or start a new run with another model' if other else ''}.".strip()
    refused = isinstance(error, DataChanged)
    return f"{told} That is refused until the data are again what they were." if refused else told


def _foreign(folder: Path) -> UsageError:
    return UsageError(f"The run in {folder} was begun by another version of cleanroom.", advice=_ANEW)
