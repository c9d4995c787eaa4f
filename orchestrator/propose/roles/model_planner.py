"""The planner: finds promoted functions that overlap and writes one for each group. Implements core's Planner port.

Its answer is not trusted: each merger must pass the gate and do what the originals do on every recorded case.
Called by run/loop/consolidation, wired by `wiring`.
"""

from collections.abc import Sequence

from orchestrator.core.candidate import Shape
from orchestrator.core.policy import ScreenPolicy
from orchestrator.core.ports import Planner, Proposer, Replayable, Tester
from orchestrator.core.promoted import Promoted
from orchestrator.core.proposals import Analysis, Consolidation, Merger, WitnessAnswer
from orchestrator.core.requests import ConsolidationRequest, ProposalRequest, RepairRequest, WitnessRequest
from orchestrator.propose.llm.chat import ChatReply
from orchestrator.propose.privacy.privacy_view import PrivacyView, RawView
from orchestrator.propose.prompting.column_profile import plain
from orchestrator.propose.prompting.fencing import Json
from orchestrator.propose.prompting.prompt_context import ContextLimits, rows_values, text_lines
from orchestrator.propose.prompting.prompts import load_prompt
from orchestrator.propose.replies.roles import consolidation_tool, read_mergers
from orchestrator.propose.roles.role_client import RoleClient, accounted, fitted, total

_MAX_FUNCTIONS = 60  # the newest; older ones were looked at by earlier plans
_LIMITS = ContextLimits(rows=10, values=4)
_MAX_SOURCES = 60_000  # characters of all sources together


class ModelPlanner:
    """A model in the role of the planner."""

    def __init__(
        self,
        client: RoleClient,
        *,
        structured: bool | None = None,
        view: PrivacyView | None = None,
        imports: Sequence[str] = ScreenPolicy().imports,
    ) -> None:
        self._client = client
        self._structured = structured
        self._view = view or RawView()
        self._imports = ", ".join(imports)

    def consolidate(self, request: ConsolidationRequest) -> Consolidation:
        """Ask which functions could be one. Raises ProposalError."""
        structured = self._client.chat.structured if self._structured is None else self._structured
        shown = _fitting(request.functions)
        names = [function.name for function in shown]
        # They are all of one shape: fitted functions are not given.
        shape = shown[0].candidate.contract.shape if shown else Shape.TABLE
        rows = ProposalRequest(rows=self._view.table(request.rows), instruction=request.instruction, shape=shape)
        answered: list[str] = []

        def read(reply: ChatReply) -> tuple[Merger, ...]:
            answered.append(reply.tool_arguments or reply.text)
            return read_mergers(reply, names, shape)

        def ask(limits: ContextLimits) -> tuple[Merger, ...]:
            values = rows_values(rows, _without_rows(limits, self._view), functions=[_described(f) for f in shown])
            messages = load_prompt("consolidate").render(
                protocol="structured" if structured else "xml",
                privacy=self._view.privacy,
                shape=str(shape),
                imports=self._imports,
                **values,
            )
            return self._client.ask(
                messages,
                read,
                log,
                about=f"consolidation of {len(shown)} functions",
                wanted="one call of the tool" if structured else "one <consolidation_result> element, code in CDATA",
                schema=consolidation_tool(shape) if structured else None,
            )

        with accounted() as log:
            mergers = fitted(ask, _LIMITS)
            return Consolidation(mergers=mergers, reply=answered[-1], usage=total(log), exchanges=tuple(log))


class PlanningProposer:
    """A proposer whose run also plans: it proposes like the one it is given, and consolidates by the planner."""

    def __init__(self, proposer: Proposer, planner: Planner) -> None:
        self._proposer = proposer
        self._planner = planner

    @property
    def name(self) -> str:
        return self._proposer.name

    @property
    def gate_secret(self) -> str:
        """As the proposer's."""
        return self._proposer.gate_secret if isinstance(self._proposer, Replayable) else ""

    def analyse(self, request: ProposalRequest) -> Analysis:
        """As the proposer does."""
        return self._proposer.analyse(request)

    def repair(self, repair: RepairRequest) -> Analysis:
        """As the proposer does."""
        return self._proposer.repair(repair)

    @property
    def has_tester(self) -> bool:
        """As the proposer has."""
        return isinstance(self._proposer, Tester) and self._proposer.has_tester

    def testify(self, request: WitnessRequest) -> WitnessAnswer:
        """As the proposer's tester does."""
        return self._proposer.testify(request) if isinstance(self._proposer, Tester) else WitnessAnswer()

    def consolidate(self, request: ConsolidationRequest) -> Consolidation:
        """As the planner does."""
        return self._planner.consolidate(request)


def _without_rows(limits: ContextLimits, view: PrivacyView) -> ContextLimits:
    return limits if view.rows_shown else limits._replace(rows=0)


def _fitting(functions: Sequence[Promoted]) -> list[Promoted]:
    """The newest functions whose sources fit, in the order in which they are applied."""
    chosen: list[Promoted] = []
    size = 0
    for function in reversed(functions[-_MAX_FUNCTIONS:]):
        size += len(function.candidate.source)
        if size > _MAX_SOURCES:
            break
        chosen.append(function)
    return chosen[::-1]


def _described(function: Promoted) -> Json:
    return {"name": plain(function.name, 160), "source": text_lines(function.candidate.source, 20_000)}
