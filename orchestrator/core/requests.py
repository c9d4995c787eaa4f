"""What a proposer or planner is asked. Made by run/, answered by propose/ with the values of `core.proposals`."""

from typing import TYPE_CHECKING, Any, NamedTuple

from orchestrator.core.candidate import Candidate, Example, Shape
from orchestrator.core.proposals import Issue
from orchestrator.core.value import Value

if TYPE_CHECKING:
    import pyarrow as pa

    from orchestrator.core.conventions import Conventions
    from orchestrator.core.promoted import Promoted
    from orchestrator.core.steps import AnyStep
    from orchestrator.core.verdict import Verdict


class PromotedSummary(Value):
    """What a proposer may know of an already promoted function. `own`: by this run, which may replace it."""

    name: str
    docstring: str
    columns: tuple[str, ...] = ()
    adds: tuple[str, ...] = ()
    own: bool = False


class RejectedCandidate(Candidate):
    """A candidate that is not in use with all its repairs: its last form.

    `failed`: the ids of the checks that it failed, or the kinds of its concerns. `waits`: a person is to decide on it.
    """

    failed: tuple[str, ...] = ()
    waits: bool = False


class ProposalRequest(NamedTuple):
    """Everything that a proposer may see: never the holdout, never the true values.

    `rows` is the working part of the chunk's residual, as an Arrow table; if the wanted `shape` is not
    `table`, a record table (`data.record_tables`).
    """

    rows: "pa.Table"
    instruction: str = ""
    promoted: tuple[PromotedSummary, ...] = ()
    rejected: tuple[RejectedCandidate, ...] = ()  # given up in this chunk: not to be proposed again
    chunk_index: int = 0
    iteration: int = 1
    conventions: "Conventions | None" = None
    history: "tuple[AnyStep, ...]" = ()  # what happened in this chunk so far; `Step.to_messages` shortens it
    shape: Shape = Shape.TABLE
    remaining: tuple[str, ...] = ()  # what the host still finds, said to a proposer that has called the rows clean
    focus: tuple[str, ...] = ()  # the columns that the question is about; empty: to be found out
    data_format: str = ""  # of the file or database that the rows come from, as in `RunStep`
    before: "pa.Table | None" = None  # the same rows as they were read; None: no function has changed them

    @property
    def made(self) -> frozenset[str]:
        """The columns of `rows` that promoted functions added."""
        return frozenset(name for function in self.promoted for name in function.adds)


class RepairRequest(NamedTuple):
    """A rejected candidate with the gate's verdict.

    `repeated`: the very file was rejected before and then sent again; the verdict is the one of then.
    """

    request: ProposalRequest
    source: str
    reply: str
    verdict: "Verdict"
    attempt: int = 1
    issues: tuple[Issue, ...] = ()
    tests: tuple[Example, ...] = ()
    repeated: bool = False


class RowInQuestion(NamedTuple):
    """A row as it was before, and the columns in which it is not certain what should become of it."""

    cells: dict[str, Any]
    columns: tuple[str, ...]


class WitnessRequest(NamedTuple):
    """What should become of these rows? Whoever answers knows the issue, and neither the function nor its result.

    `source`: only its docstring is used, which names the issue.
    """

    request: ProposalRequest
    source: str
    issues: tuple[Issue, ...]
    rows: tuple[RowInQuestion, ...]


class ConsolidationRequest(NamedTuple):
    """Promoted functions of one shape in which overlaps are looked for.

    `rows`: working rows of the newest chunk, uncleaned.
    """

    functions: "tuple[Promoted, ...]"
    rows: "pa.Table"
    instruction: str = ""
