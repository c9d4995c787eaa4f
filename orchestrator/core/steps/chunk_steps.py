"""The steps of one chunk: its start, the analysis, each candidate's verdict, repair and promotion, and its end."""

from typing import Literal

from pydantic import Field

from orchestrator.core.candidate import Example
from orchestrator.core.differences import VersionDiff
from orchestrator.core.proposals import ChunkStatus, FurtherFunction, Issue, ProbeFinding
from orchestrator.core.steps.run_steps import RunStatus
from orchestrator.core.steps.step_base import Step, StepMessage
from orchestrator.core.value import Value
from orchestrator.core.verdict import CheckResult, Verdict
from orchestrator.core.wording import counted


class ChunkStep(Step):
    """Work on a chunk begins. `rows`: all rows; `holdout`: how many of them are hidden from the proposer."""

    kind: Literal["chunk"] = "chunk"
    chunk: int
    rows: int
    holdout: int


class AnalysisStep(Step):
    """The proposer looked at the residual of a chunk, or the next function of its last answer has its turn.

    `more`: functions of the answer that wait for theirs; the step of each of them has no usage and no reply.
    `again`: there was no answer (no budget, no model), so that a resumed run asks again.
    """

    kind: Literal["analysis"] = "analysis"
    chunk: int
    iteration: int
    issues: tuple[Issue, ...] = ()
    chunk_status: ChunkStatus = ChunkStatus.NEEDS_WORK
    proposed: bool = False
    again: bool = False
    source: str | None = None
    tests: tuple[Example, ...] = ()  # by the independent tester
    reply: str = ""
    notes: tuple[str, ...] = ()

    findings: tuple[ProbeFinding, ...] = ()
    more: tuple[FurtherFunction, ...] = Field(default=(), exclude_if=lambda more: not more)
    lost: tuple[str, ...] = Field(default=(), exclude_if=lambda lost: not lost)  # why functions were left out

    def to_messages(self, *, summary: bool = False) -> tuple[StepMessage, ...]:
        if self.error is not None:
            return (StepMessage("user", "your answer could not be read" if summary else self.error),)
        if summary and self.proposed and not (self.reply or self.exchanges or self.lost):
            return (StepMessage("assistant", f"iteration {self.iteration}: the next function of the same answer"),)
        if summary:
            what = "proposed a function" if self.proposed else f"proposed nothing ({self.chunk_status})"
            left_out = f"; not taken: {' '.join(self.lost)}" if self.lost else ""
            text = f"iteration {self.iteration}: {counted(len(self.issues), 'issue')}; {what}{left_out}"
            return (StepMessage("assistant", text),)
        return (StepMessage("assistant", self.reply),) if self.reply else ()


class CandidateStep(Step):
    """A candidate was submitted; `attempt` 0 is the first proposal, later ones are repairs."""

    kind: Literal["candidate"] = "candidate"
    chunk: int
    iteration: int
    attempt: int = 0
    name: str
    source: str


class VerificationStep(Step):
    """The gate's verdict on the candidate, judged together with the promoted functions whose fingerprint is `against`.

    A candidate is judged a second time when another lane has promoted something since.
    """

    kind: Literal["verification"] = "verification"
    chunk: int
    iteration: int
    attempt: int = 0
    against: str = ""
    verdict: Verdict

    @property
    def failures(self) -> tuple[CheckResult, ...]:
        return self.verdict.failures

    def to_messages(self, *, summary: bool = False) -> tuple[StepMessage, ...]:
        name = self.verdict.candidate.name
        if self.verdict.passed:
            return (StepMessage("user", f"{name}: accepted"),)
        if self.verdict.held:
            kinds = ", ".join(dict.fromkeys(concern.kind for concern in self.verdict.concerns))
            return (StepMessage("user", f"{name}: in doubt ({kinds})"),)
        if summary:
            return (StepMessage("user", f"{name}: rejected by {', '.join(c.id for c in self.failures)}"),)
        lines = [f"{name}: rejected", *(f"{check.id}: {check.detail}" for check in self.failures)]
        return (StepMessage("user", "\n".join(lines)),)


class RepairStep(Step):
    """The proposer was shown why its candidate was rejected, and answered; `again` as in AnalysisStep."""

    kind: Literal["repair"] = "repair"
    chunk: int
    iteration: int
    attempt: int
    proposed: bool = False
    again: bool = False
    source: str | None = None
    tests: tuple[Example, ...] = ()  # by the independent tester
    reply: str = ""

    def to_messages(self, *, summary: bool = False) -> tuple[StepMessage, ...]:
        if self.error is not None:
            return (StepMessage("user", "your repair could not be read" if summary else self.error),)
        if summary:
            what = "another try" if self.proposed else "given up"
            return (StepMessage("assistant", f"repair {self.attempt}: {what}"),)
        return (StepMessage("assistant", self.reply),) if self.reply else ()


class PromotionStep(Step):
    """The candidate entered the registry.

    `replaces`: the function whose place it takes, if any; `differences`: what it makes of the chunk's rows that that
    one does not.
    """

    kind: Literal["promotion"] = "promotion"
    chunk: int
    iteration: int
    name: str
    sha256: str
    version: int = 1
    replaces: str = Field(default="", exclude_if=lambda name: not name)
    differences: VersionDiff | None = Field(default=None, exclude_if=lambda found: found is None)


class WitnessStep(Step):
    """The independent tester was asked what should become of `rows` rows about which there are concerns.

    `again` as in AnalysisStep.
    """

    kind: Literal["witness"] = "witness"
    chunk: int
    iteration: int
    attempt: int
    rows: int
    tests: tuple[Example, ...] = ()
    again: bool = False


class HoldStep(Step):
    """The candidate keeps every law, and nobody independent has settled the concerns in its verdict: it is kept.

    It is not applied. `tests`: what the tester said. `against`: as in VerificationStep.
    """

    kind: Literal["hold"] = "hold"
    chunk: int
    iteration: int
    attempt: int
    name: str
    source: str
    sha256: str
    against: str
    verdict: Verdict
    tests: tuple[Example, ...] = ()


class HeldEntryStep(Step):
    """At the end of the run: a held candidate entered the registry, where it waits for a person; or why it did not."""

    kind: Literal["held-entry"] = "held-entry"
    chunk: int
    name: str
    sha256: str
    entered: bool
    version: int = 0
    reason: str = ""
    verdict: Verdict


class LeftForm(Value):
    """Cells of one form that nothing was done about: `rows` that the proposer could see, and rows of the `holdout`.

    `place`: the path of values inside of lists and objects of the column, such as `items[].day`; then values are
    counted, of which a row can have several. `suspected`: the form is not rare, and may be right; the instruction names
    the column. `usual`: the form that most cells of the column have, where it was looked at for that.
    """

    column: str
    place: str = Field(default="", exclude_if=lambda place: not place)
    form: str
    rows: int
    holdout: int
    suspected: bool = Field(default=False, exclude_if=lambda suspected: not suspected)
    usual: str = Field(default="", exclude_if=lambda usual: not usual)

    @property
    def where(self) -> str:
        """The column, or the place in it."""
        return self.place or self.column

    @property
    def counts(self) -> str:
        """What is counted."""
        return "value" if self.place else "row"


class ChunkEndStep(Step):
    """A chunk is done. `left`: cells by column in which the host still measures null words or stray blanks.

    `reason`: which limit ended it, as a clause; empty for the other ends.
    """

    kind: Literal["chunk-end"] = "chunk-end"
    chunk: int
    status: RunStatus
    proposed: int = 0
    promoted: int = 0
    rejected: int = 0
    held: int = 0
    left: dict[str, int] = Field(default_factory=dict)
    reason: str = Field(default="", exclude_if=lambda reason: not reason)
    forms: tuple[LeftForm, ...] = Field(default=(), exclude_if=lambda forms: not forms)
