"""What a proposer or planner answers, and what answering cost. Written by propose/, read by run/ and kept in steps."""

from enum import StrEnum
from typing import TYPE_CHECKING, Literal

from orchestrator.core.candidate import Example
from orchestrator.core.value import Value

if TYPE_CHECKING:
    from collections.abc import Iterable

ModelRole = Literal["proposer", "explorer", "tester", "planner"]


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
    """What answering cost. `cost_usd` is None where the price of any of the calls is not known: never a part of it."""

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost_usd: float | None = None
    seconds: float = 0.0

    def __add__(self, other: "TokenUsage") -> "TokenUsage":
        paid = [one for one in (self, other) if one.calls or one.cost_usd]
        costs = [one.cost_usd for one in paid if one.cost_usd is not None]
        return TokenUsage(
            calls=self.calls + other.calls,
            prompt_tokens=self.prompt_tokens + other.prompt_tokens,
            completion_tokens=self.completion_tokens + other.completion_tokens,
            cost_usd=sum(costs) if costs and len(costs) == len(paid) else None,
            seconds=self.seconds + other.seconds,
        )


class Exchange(Value):
    """One question to a model and what came of it. `about` is a sentence for people; `error` when it went wrong."""

    role: ModelRole
    model: str
    about: str
    usage: TokenUsage = TokenUsage()
    error: str | None = None


def usage_by_role(exchanges: "Iterable[Exchange]") -> dict[ModelRole, TokenUsage]:
    """What each role cost, in the order in which the roles first spoke."""
    found: dict[ModelRole, TokenUsage] = {}
    for exchange in exchanges:
        found[exchange.role] = found.get(exchange.role, TokenUsage()) + exchange.usage
    return found


class Finding(Value):
    """One read-only probe into the rows: what was asked, the code that was run, and what it printed, cut short."""

    question: str
    code: str
    output: str


class Analysis(Value):
    """A proposer's answer: what is wrong with the rows and, at most, one candidate as source text.

    `tests` are examples by an independent tester, to which the candidate is held beside the user's. `exchanges` are
    all questions that led to this answer, and `usage` is their sum.
    """

    issues: tuple[Issue, ...] = ()
    chunk_status: ChunkStatus = ChunkStatus.NEEDS_WORK
    source: str | None = None
    reply: str = ""  # as received, for the journal and for repair prompts
    usage: TokenUsage = TokenUsage()
    notes: tuple[str, ...] = ()  # what the user should know: an instruction that was not understood, say
    tests: tuple[Example, ...] = ()
    findings: tuple[Finding, ...] = ()  # what was looked up before; the history shows it to later prompts
    exchanges: tuple[Exchange, ...] = ()


class Merger(Value):
    """One function, as source text, that shall take the place of several promoted ones."""

    replaces: tuple[str, ...]
    source: str


class Consolidation(Value):
    """A planner's answer. Nothing of it is believed: each merger has to pass the gate and to equal what it replaces."""

    mergers: tuple[Merger, ...] = ()
    reply: str = ""
    usage: TokenUsage = TokenUsage()
    exchanges: tuple[Exchange, ...] = ()
