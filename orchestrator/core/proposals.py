"""What a proposer or planner answers. Written by propose/, read by run/ and kept in steps."""

from enum import StrEnum

from orchestrator.core.candidate import Example
from orchestrator.core.exchanges import Exchange, TokenUsage
from orchestrator.core.value import Value


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
