"""The typed record of a run: one frozen value per thing that happened, in the order in which it happened.

The loop writes each step to the run's journal before the next one starts and hands it to the callbacks; live progress,
report and `runs show` are made from steps alone.
"""

from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import Field

from orchestrator.core.proposals import ChunkStatus, Issue, TokenUsage
from orchestrator.core.value import Value
from orchestrator.core.verdict import CheckResult, Verdict


class Step(Value):
    """What all steps share. `error` is one sentence when the step failed; the run goes on."""

    at: datetime
    seconds: float = 0.0
    usage: TokenUsage = TokenUsage()
    error: str | None = None


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
    """The proposer looked at the residual of a chunk."""

    kind: Literal["analysis"] = "analysis"
    chunk: int
    iteration: int
    issues: tuple[Issue, ...] = ()
    chunk_status: ChunkStatus = ChunkStatus.NEEDS_WORK
    proposed: bool = False
    reply: str = ""


class CandidateStep(Step):
    """A candidate was handed in; `attempt` 0 is the first proposal, later ones are repairs."""

    kind: Literal["candidate"] = "candidate"
    chunk: int
    iteration: int
    attempt: int = 0
    name: str
    source: str


class VerificationStep(Step):
    """The gate's verdict on the candidate."""

    kind: Literal["verification"] = "verification"
    chunk: int
    iteration: int
    attempt: int = 0
    verdict: Verdict

    @property
    def failures(self) -> tuple[CheckResult, ...]:
        return self.verdict.failures


class RepairStep(Step):
    """The proposer was shown why, and answered."""

    kind: Literal["repair"] = "repair"
    chunk: int
    iteration: int
    attempt: int
    proposed: bool = False
    reply: str = ""


class PromotionStep(Step):
    """The candidate entered the registry."""

    kind: Literal["promotion"] = "promotion"
    chunk: int
    iteration: int
    name: str
    sha256: str
    version: int = 1


class ColumnChange(Value):
    """How many cells of a column differ after apply, measured on the host."""

    name: str
    changed: int


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
    """How a run ended. CLEAN: measured saturation; LIMIT: a declared limit was reached first."""

    CLEAN = "clean"
    LIMIT = "limit"
    BUDGET = "budget"
    INTERRUPTED = "interrupted"
    FAILED = "failed"


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
    | ApplyStep
    | EndStep,
    Field(discriminator="kind"),
]
