"""What a proposer or planner answers. Written by propose/, read by run/ and kept in steps."""

from enum import StrEnum

from orchestrator.core.candidate import Example
from orchestrator.core.exchanges import Exchange, TokenUsage
from orchestrator.core.value import Value


class ChunkStatus(StrEnum):
    """The proposer's claim about the chunk; the run relies only on what it measures."""

    CLEAN = "clean"
    NEEDS_WORK = "needs-work"


class Issue(Value):
    """One data-quality problem found in a chunk."""

    id: str
    description: str
    columns: tuple[str, ...] = ()
    solved: bool = False


class ProbeFinding(Value):
    """One read-only probe into the rows: what was asked, the code that was run, and what it printed, cut short."""

    question: str
    code: str
    output: str


class FurtherFunction(Value):
    """One more function of an answer, independent of the others; `tests` as in `Analysis`."""

    source: str
    tests: tuple[Example, ...] = ()


class Analysis(Value):
    """A proposer's answer: what is wrong with the rows, and functions as source text.

    `source` is the first function and `more` the others; each is judged by itself, in this order. `tests`: examples by
    an independent tester, which the first must satisfy as well as the user's. `exchanges`: all questions that led to
    this answer; `usage` is their sum.
    """

    issues: tuple[Issue, ...] = ()
    chunk_status: ChunkStatus = ChunkStatus.NEEDS_WORK
    source: str | None = None
    reply: str = ""  # as received, for the journal and for repair prompts
    usage: TokenUsage = TokenUsage()
    notes: tuple[str, ...] = ()  # what the user should know, for example that the instruction was not understood
    tests: tuple[Example, ...] = ()
    findings: tuple[ProbeFinding, ...] = ()  # what was found out beforehand; later prompts show it in the history
    exchanges: tuple[Exchange, ...] = ()
    more: tuple[FurtherFunction, ...] = ()
    lost: tuple[str, ...] = ()  # why functions of the answer were left out: later prompts show it in the history


class WitnessAnswer(Value):
    """What an independent tester says should become of rows; what it is not certain of is left out."""

    tests: tuple[Example, ...] = ()
    usage: TokenUsage = TokenUsage()
    exchanges: tuple[Exchange, ...] = ()


class Merger(Value):
    """One function, as source text, that is meant to replace several promoted ones."""

    replaces: tuple[str, ...]
    source: str


class Consolidation(Value):
    """A planner's answer. It is not trusted: each merger must pass the gate and change no result."""

    mergers: tuple[Merger, ...] = ()
    reply: str = ""
    usage: TokenUsage = TokenUsage()
    exchanges: tuple[Exchange, ...] = ()
