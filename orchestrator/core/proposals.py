"""What a proposer is asked and what it answers. Spoken by propose/ and run/."""

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from orchestrator.core.candidate import Candidate
from orchestrator.core.value import Value

if TYPE_CHECKING:
    import pyarrow as pa

    from orchestrator.core.promoted import Promoted
    from orchestrator.core.steps import AnyStep
    from orchestrator.core.verdict import Verdict


class ChunkStatus(StrEnum):
    """The proposer's word on the chunk; the run believes only what it measures."""

    CLEAN = "clean"
    NEEDS_WORK = "needs-work"


class Issue(Value):
    """One data-quality problem found in a chunk."""

    id: str
    description: str
    columns: tuple[str, ...] = ()
    solved: bool = False


class TokenUsage(Value):
    """What answering cost. `cost_usd` is None where no price is known."""

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost_usd: float | None = None
    seconds: float = 0.0

    def __add__(self, other: "TokenUsage") -> "TokenUsage":
        costs = [c for c in (self.cost_usd, other.cost_usd) if c is not None]
        return TokenUsage(
            calls=self.calls + other.calls,
            prompt_tokens=self.prompt_tokens + other.prompt_tokens,
            completion_tokens=self.completion_tokens + other.completion_tokens,
            cost_usd=sum(costs) if costs else None,
            seconds=self.seconds + other.seconds,
        )


class Analysis(Value):
    """A proposer's answer: what is wrong with the rows and, at most, one candidate as source text."""

    issues: tuple[Issue, ...] = ()
    chunk_status: ChunkStatus = ChunkStatus.NEEDS_WORK
    source: str | None = None
    reply: str = ""  # as received, for the journal and for repair prompts
    usage: TokenUsage = TokenUsage()


class PromotedSummary(Value):
    """What a proposer may know of an already promoted function."""

    name: str
    docstring: str
    columns: tuple[str, ...] = ()


class ProposalRequest(NamedTuple):
    """Everything that a proposer may look at: never the holdout, never ground truth.

    `rows` is the working part of the chunk's residual, as an Arrow table.
    """

    rows: "pa.Table"
    instruction: str = ""
    promoted: tuple[PromotedSummary, ...] = ()
    rejected: tuple[Candidate, ...] = ()  # candidates of this chunk that were given up: do not propose them again
    chunk_index: int = 0
    iteration: int = 1
    history: "tuple[AnyStep, ...]" = ()  # what happened in this chunk so far; `Step.to_messages` says it in short


class RepairRequest(NamedTuple):
    """A rejected candidate with what the gate said of it."""

    request: ProposalRequest
    source: str
    reply: str
    verdict: "Verdict"
    attempt: int = 1


class ConsolidationRequest(NamedTuple):
    """Promoted functions in which overlaps are looked for; `rows`: working rows of the newest chunk, uncleaned."""

    functions: "tuple[Promoted, ...]"
    rows: "pa.Table"
    instruction: str = ""


class Merger(Value):
    """One function, as source text, that shall take the place of several promoted ones."""

    replaces: tuple[str, ...]
    source: str


class Consolidation(Value):
    """A planner's answer. Nothing of it is believed: each merger has to pass the gate and to equal what it replaces."""

    mergers: tuple[Merger, ...] = ()
    reply: str = ""
    usage: TokenUsage = TokenUsage()
