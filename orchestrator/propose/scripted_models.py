"""In-memory fakes of the two ports on the model side: core's Proposer and the package's ChatModel.

They answer from a script and remember what they were asked. Shipped, so that the run's tests and users' own tests need
no network.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from orchestrator.core.errors import ModelRefused, ProposalError
from orchestrator.core.proposals import Analysis, ChunkStatus, Consolidation
from orchestrator.core.requests import ConsolidationRequest, ProposalRequest, RepairRequest
from orchestrator.propose.llm.chat import ChatReply, Message, ReplySchema


class Asked(NamedTuple):
    """One conversation that a ScriptedChat was given."""

    messages: tuple[Message, ...]
    schema: ReplySchema | None


class ScriptedProposer:
    """A Proposer that answers from lists: source texts, whole analyses, or errors to raise.

    When a list is used up, `analyse` says that the chunk is clean and `repair` gives up.
    """

    def __init__(
        self,
        proposals: Iterable[str | Analysis | ProposalError] = (),
        repairs: Iterable[str | Analysis | ProposalError] = (),
        *,
        name: str = "scripted",
    ) -> None:
        self.name = name
        self._proposals = list(proposals)
        self._repairs = list(repairs)
        self.requests: list[ProposalRequest] = []
        self.repair_requests: list[RepairRequest] = []

    def analyse(self, request: ProposalRequest) -> Analysis:
        """The next proposal."""
        self.requests.append(request)
        return _next(self._proposals, Analysis(chunk_status=ChunkStatus.CLEAN))

    def repair(self, repair: RepairRequest) -> Analysis:
        """The next repair."""
        self.repair_requests.append(repair)
        return _next(self._repairs, Analysis())


class ScriptedPlanner(ScriptedProposer):
    """A ScriptedProposer that plans as well, from a third list; used up, it finds nothing to consolidate."""

    def __init__(
        self,
        proposals: Iterable[str | Analysis | ProposalError] = (),
        plans: Iterable[Consolidation | ProposalError] = (),
    ) -> None:
        super().__init__(proposals)
        self._plans = list(plans)
        self.plan_requests: list[ConsolidationRequest] = []

    def consolidate(self, request: ConsolidationRequest) -> Consolidation:
        """The next plan."""
        self.plan_requests.append(request)
        plan = self._plans.pop(0) if self._plans else Consolidation()
        if isinstance(plan, ProposalError):
            raise plan
        return plan


class ScriptedChat:
    """A ChatModel that answers from a list of texts, replies, or errors to raise; used up, it refuses."""

    def __init__(
        self,
        answers: Iterable[str | ChatReply | ProposalError],
        *,
        name: str = "scripted-model",
        structured: bool = False,
    ) -> None:
        self.name = name
        self.structured = structured
        self._answers = list(answers)
        self.asked: list[Asked] = []

    def complete(self, messages: Sequence[Message], schema: ReplySchema | None = None) -> ChatReply:
        """The next answer."""
        self.asked.append(Asked(tuple(messages), schema))
        if not self._answers:
            raise ModelRefused("The script has no more answers.")
        answer = self._answers.pop(0)
        if isinstance(answer, ProposalError):
            raise answer
        return ChatReply(answer) if isinstance(answer, str) else answer


def _next(script: list[str | Analysis | ProposalError], otherwise: Analysis) -> Analysis:
    if not script:
        return otherwise
    answer = script.pop(0)
    if isinstance(answer, ProposalError):
        raise answer
    return Analysis(source=answer, reply=answer) if isinstance(answer, str) else answer
