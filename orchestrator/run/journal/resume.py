"""An interrupted run as its journal tells it, and whether it can go on: same data, same functions. For `runs resume`.

Going on is exact because the loop takes every step that is in the journal as its own (`recorded`), and because what it
depends on besides, the data, the examples and the promoted functions, is checked here to be what it was.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import ValidationError

from orchestrator.core.errors import UsageError
from orchestrator.core.exchanges import TokenUsage
from orchestrator.core.policy import Policy
from orchestrator.core.promoted import Promoted
from orchestrator.core.steps import (
    AnyStep,
    EndStep,
    MergerStep,
    PromotionStep,
    ResumeStep,
    RunStep,
    VerificationStep,
)
from orchestrator.data.examples import read_examples
from orchestrator.data.formats import open_dataset
from orchestrator.run.journal.in_use import functions_in_use
from orchestrator.run.journal.journal import is_authentic, read_journal
from orchestrator.run.outputs import JOURNAL, Outputs
from orchestrator.run.request import OpenedRun, RunRequest

_ANEW = "Start it anew with `cleanroom run`."


class PastRun(NamedTuple):
    """What an earlier process did of a run."""

    folder: Path
    opening: RunStep
    steps: tuple[AnyStep, ...]
    authentic: bool  # written by this machine, and not changed since

    @property
    def end(self) -> EndStep | None:
        """How it ended; None when it was killed, also after it had been resumed."""
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
        """How long the processes were at work, the pauses between them left out."""
        total, begun = 0.0, self.opening.at
        for step, following in zip(self.steps, [*self.steps[1:], None], strict=True):
            if following is None or isinstance(following, ResumeStep):
                total += (step.at - begun).total_seconds()
                begun = following.at if following else begun
        return total

    @property
    def configuration(self) -> dict[str, Any]:
        """The newest one."""
        resumed = [step.configuration for step in self.steps if isinstance(step, ResumeStep)]
        return self.opening.configuration | (resumed[-1] if resumed else {})

    @property
    def policy(self) -> Policy:
        """The policy of the run, whatever its file says today. Raises UsageError."""
        try:
            return Policy.model_validate(self.configuration["policy"])
        except (KeyError, ValidationError) as error:
            raise _foreign(self.folder) from error

    def request(self) -> RunRequest:
        """What was asked for. Raises UsageError."""
        fields = {k: v for k, v in self.opening.configuration.items() if k in RunRequest.model_fields}
        try:
            return RunRequest.model_validate(fields | {"out": self.folder})
        except ValidationError as error:
            raise _foreign(self.folder) from error

    def open(self) -> OpenedRun:
        """The files of the run. Raises UsageError when they are not what they were, DataError.

        A journal that somebody else wrote says nothing that can be taken over: no path, no address, no verdict.
        """
        if not self.authentic:
            raise UsageError(
                f"The journal does not fit: {self.folder / JOURNAL} was not written on this machine, or was changed.",
                advice="`cleanroom runs resume FOLDER --data FILE` judges everything anew.",
            )
        request = self.request()
        if not request.data.is_file():
            raise UsageError(f"The data of the run, {request.data}, is gone.", advice=_ANEW)
        dataset = open_dataset(request.data)
        if dataset.sha256 != self.opening.data_sha256:
            raise UsageError(f"{request.data} has changed since the run began.", advice=_ANEW)
        examples = read_examples(request.examples) if request.examples else ()
        if [e.model_dump(mode="json") for e in examples] != self.opening.configuration.get("example_rows", []):
            raise UsageError(f"{request.examples} has changed since the run began.", advice=_ANEW)
        outputs = Outputs(folder=self.folder, cleaned=self.folder / f"cleaned{dataset.suffix}")
        return OpenedRun(dataset, examples, outputs, self.opening.quality, self.opening.rows, 0.0)

    def anew(self, data: Path, examples: Path | None) -> RunRequest:
        """The same question about files that the caller names, of which nothing is answered yet. Raises UsageError."""
        return self.request().model_copy(update={"data": data, "examples": examples, "overwrite": True})

    def report(self) -> None:
        """Write the report where a process was killed between its last step and that. Raises OutputError."""
        outputs = Outputs(folder=self.folder, cleaned=self.folder)
        if not outputs.report.exists():
            outputs.write_report(self.steps)

    def check_proposer(self, name: str) -> None:
        """Raises UsageError when another one would go on: the run was begun with a model object of the caller's own."""
        if name != self.opening.proposer:
            by_object = self.opening.proposer.startswith("custom/")
            reach = "Go on in Python, with such an object for Cleanroom" if by_object else "Set CLEANROOM_MODEL to it"
            raise UsageError(
                f"The run asked {self.opening.proposer}, and only {name} can be reached.",
                advice=f"{reach}, or start the run anew.",
            )

    def check(self, functions: Sequence[Promoted]) -> None:
        """Raises UsageError unless the registry holds what the run promoted.

        A run that was killed just when it changed the registry may have done so without having said it.
        """
        wanted, unsaid = functions_in_use(self.steps), self._unsaid()
        found = {f.candidate.sha256: f for f in functions}
        replaced = self._half_replaced()
        for sha256, name in wanted.items():
            if sha256 not in found and name not in replaced:
                raise UsageError(f"{name} was promoted in the run and is no longer in its registry.", advice=_ANEW)
        for sha256, function in found.items():
            if sha256 not in wanted and not (sha256 in unsaid and function.evidence.run_id == self.opening.run_id):
                raise UsageError(f"{function.name} is in the registry of the run, but not from it.", advice=_ANEW)

    def _unsaid(self) -> set[str]:
        """Hashes of what passed and was not said to be promoted."""
        passed: set[str] = set()
        for step in self.steps:
            if isinstance(step, VerificationStep) and step.verdict.passed:
                passed.add(step.verdict.candidate.sha256)
            elif isinstance(step, PromotionStep):
                passed.discard(step.sha256)
        return passed

    def _half_replaced(self) -> set[str]:
        """Functions whose merger was decided on and perhaps begun."""
        open_mergers: dict[int, MergerStep] = {}
        for step in self.steps:
            if isinstance(step, MergerStep) and step.adopted:
                open_mergers[step.chunk] = step
            elif isinstance(step, PromotionStep) and step.iteration == 0:
                open_mergers.pop(step.chunk, None)
        return {name for step in open_mergers.values() for name in step.replaces}


def read_past(folder: Path) -> PastRun:
    """What is known of the run in the folder. Raises UsageError when there is nothing to go on from."""
    steps = tuple(read_journal(folder / JOURNAL))
    if not steps or not isinstance(steps[0], RunStep):
        raise UsageError(f"The run in {folder} was killed before it began.", advice=f"{_ANEW} Use --overwrite.")
    return PastRun(folder, steps[0], steps, is_authentic(folder / JOURNAL))


def _foreign(folder: Path) -> UsageError:
    return UsageError(f"The run in {folder} was begun by another version of cleanroom.", advice=_ANEW)
