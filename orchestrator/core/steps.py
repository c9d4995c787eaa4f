"""The typed record of a run: one frozen value per thing that happened, in the order in which it happened.

The loop writes each step to the run's journal before the next one starts and hands it to the callbacks; live progress,
report, `runs show`, `runs resume` and `runs replay` are made from steps alone.
"""

from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import Field

from orchestrator.core.candidate import Example
from orchestrator.core.changes import ValueChange
from orchestrator.core.proposals import ChunkStatus, Exchange, Finding, Issue, Merger, TokenUsage
from orchestrator.core.value import Value
from orchestrator.core.verdict import CheckResult, Counterexample, Verdict


class StepMessage(NamedTuple):
    """A step as a turn of the conversation with a model. The content holds untrusted text: fence it."""

    role: Literal["assistant", "user"]
    content: str


class Step(Value):
    """What all steps share. `error` is one sentence when the step failed; the run goes on.

    `exchanges` are the questions to models behind the step, by role; `usage` is their sum.
    """

    at: datetime
    seconds: float = 0.0
    usage: TokenUsage = TokenUsage()
    exchanges: tuple[Exchange, ...] = ()
    error: str | None = None

    def to_messages(self, *, summary: bool = False) -> tuple[StepMessage, ...]:
        """How the step appears in a later prompt: whole, or in a line without any cell of the data; many not at all."""
        del summary
        return ()


class ColumnQuality(Value):
    """Simple measures of one column, really computed on the data they stand for; all counts are cells."""

    name: str
    cells: int = 0
    missing: int = 0  # null or blank
    null_tokens: int = 0  # words that stand for nothing: N/A, null, -, …
    untrimmed: int = 0  # leading, trailing or repeated inner white space
    off_pattern: int = 0  # cells whose character pattern is shared by less than 5 % of the column
    distinct: int = 0
    patterns: int = 0
    capped: bool = False  # so many that `distinct` and `patterns` are lower bounds


class RunStep(Step):
    """The run as it was started."""

    kind: Literal["run"] = "run"
    run_id: str
    data: str
    data_sha256: str
    data_format: str
    columns: tuple[str, ...]
    rows: int
    proposer: str
    instruction: str = ""
    configuration: dict[str, Any] = Field(default_factory=dict)
    quality: tuple[ColumnQuality, ...] = ()


class ChunkStep(Step):
    """A chunk is taken up. `rows` in all, `holdout` of them hidden from the proposer."""

    kind: Literal["chunk"] = "chunk"
    chunk: int
    rows: int
    holdout: int


class AnalysisStep(Step):
    """The proposer looked at the residual of a chunk.

    `again`: there was no answer (no budget, no model), so that a resumed run asks anew.
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

    findings: tuple[Finding, ...] = ()

    def to_messages(self, *, summary: bool = False) -> tuple[StepMessage, ...]:
        if self.error is not None:
            return (StepMessage("user", "your answer could not be read" if summary else self.error),)
        if summary:
            what = "proposed a function" if self.proposed else f"proposed nothing ({self.chunk_status})"
            return (StepMessage("assistant", f"iteration {self.iteration}: {len(self.issues)} issues; {what}"),)
        return (StepMessage("assistant", self.reply),) if self.reply else ()


class CandidateStep(Step):
    """A candidate was handed in; `attempt` 0 is the first proposal, later ones are repairs."""

    kind: Literal["candidate"] = "candidate"
    chunk: int
    iteration: int
    attempt: int = 0
    name: str
    source: str


class VerificationStep(Step):
    """The gate's verdict on the candidate, judged beside the promoted functions whose fingerprint is `against`.

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
        if summary:
            return (StepMessage("user", f"{name}: rejected by {', '.join(c.id for c in self.failures)}"),)
        lines = [f"{name}: rejected", *(f"{check.id}: {check.detail}" for check in self.failures)]
        return (StepMessage("user", "\n".join(lines)),)


class RepairStep(Step):
    """The proposer was shown why, and answered; `again` as in AnalysisStep."""

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
    """The candidate entered the registry."""

    kind: Literal["promotion"] = "promotion"
    chunk: int
    iteration: int
    name: str
    sha256: str
    version: int = 1


class PlanningStep(Step):
    """The planner was asked which functions could be one. What becomes of each of its mergers follows, as iteration 0.

    `chunk` is the last one before it; `again` as in AnalysisStep. `against`: the fingerprint of the functions; empty
    where the planner was not asked, because there are too few, or because it has looked at the same ones before.
    """

    kind: Literal["planning"] = "planning"
    chunk: int
    against: str = ""
    mergers: tuple[Merger, ...] = ()
    again: bool = False
    reply: str = ""


class MergerStep(Step):
    """Whether a merger is adopted; if not, `reason` says why in a sentence, `counterexample` perhaps by a row."""

    kind: Literal["merger"] = "merger"
    chunk: int
    attempt: int  # the number of the merger in its plan
    name: str
    replaces: tuple[str, ...]
    adopted: bool
    reason: str = ""
    counterexample: Counterexample | None = None


class ColumnChange(Value):
    """How many cells of a column differ after apply, measured on the host; `values`: the most frequent changes."""

    name: str
    changed: int
    values: tuple[ValueChange, ...] = ()


class FunctionChange(Value):
    """What one function changed while it was applied, as its sandbox reported it."""

    name: str
    changed: dict[str, int] = Field(default_factory=dict)


class ApplyStep(Step):
    """The promoted functions were applied to the whole data set."""

    kind: Literal["apply"] = "apply"
    rows_in: int = 0
    rows_out: int = 0
    output: str = ""
    columns: tuple[ColumnChange, ...] = ()
    functions: tuple[FunctionChange, ...] = ()
    quality: tuple[ColumnQuality, ...] = ()


class RunStatus(StrEnum):
    """How a run ended, the natural ends first, from the best to the worst; of a chunk, only these."""

    CLEAN = "clean"  # nothing more is proposed, and the host measures nothing that is left
    FINISHED = "finished"  # nothing more is proposed, but there are still null words or stray blanks
    GAVE_UP = "gave-up"  # something was found for which no function could be proved
    LIMIT = "limit"  # a declared limit was reached first
    BUDGET = "budget"
    INTERRUPTED = "interrupted"
    FAILED = "failed"

    @property
    def resumable(self) -> bool:
        """Whether the run ended before its work was done."""
        return self in {RunStatus.BUDGET, RunStatus.INTERRUPTED, RunStatus.FAILED}


class ChunkEndStep(Step):
    """A chunk is done. `left`: cells by column in which the host still measures null words or stray blanks."""

    kind: Literal["chunk-end"] = "chunk-end"
    chunk: int
    status: RunStatus
    proposed: int = 0
    promoted: int = 0
    rejected: int = 0
    left: dict[str, int] = Field(default_factory=dict)


class ResumeStep(Step):
    """An interrupted run goes on. `configuration`: how the proposer is reached from now on."""

    kind: Literal["resume"] = "resume"
    configuration: dict[str, Any] = Field(default_factory=dict)


class EndStep(Step):
    """The run is over. Without it a journal belongs to a run that was killed."""

    kind: Literal["end"] = "end"
    status: RunStatus
    promoted: int = 0
    rejected: int = 0


AnyStep = Annotated[
    RunStep
    | ChunkStep
    | AnalysisStep
    | CandidateStep
    | VerificationStep
    | RepairStep
    | PromotionStep
    | PlanningStep
    | MergerStep
    | ChunkEndStep
    | ApplyStep
    | EndStep
    | ResumeStep,
    Field(discriminator="kind"),
]
