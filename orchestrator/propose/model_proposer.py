"""The language-model proposer: prompt → model → reply → Analysis. One of the implementations of core's Proposer port.

An unreadable reply costs a retry that shows the model its reply and what was wrong with it; a prompt too long for the
model is shown with fewer rows. Keys are known to the chat model alone: nothing here could leak one. Called by run/,
wired by `bootstrap`.
"""

from collections.abc import Callable, Sequence
from typing import Literal

from orchestrator.core.errors import ReplyError
from orchestrator.core.policy import ScreenPolicy
from orchestrator.core.proposals import Analysis, ProposalRequest, RepairRequest, TokenUsage
from orchestrator.propose.budget import Budget
from orchestrator.propose.chat import ChatModel, ChatReply, ContextTooLong, Message
from orchestrator.propose.context import ContextLimits, analysis_values, repair_values, reread_values
from orchestrator.propose.prompts import load_prompt
from orchestrator.propose.replies import read_reply
from orchestrator.propose.replies_structured import ANALYSIS_TOOL

ReplyProtocol = Literal["auto", "xml", "structured"]
_MAX_SHRINKS = 3


class ModelProposer:
    """Proposes by asking a language model. `protocol` "auto" takes tool calls where the model is known to make them."""

    def __init__(
        self,
        chat: ChatModel,
        *,
        budget: Budget | None = None,
        protocol: ReplyProtocol = "auto",
        max_reply_retries: int = 2,
        limits: ContextLimits | None = None,
        imports: Sequence[str] = ScreenPolicy().imports,
    ) -> None:
        self._chat = chat
        self.budget = budget or Budget()
        self._protocol = protocol
        self._max_reply_retries = max_reply_retries
        self._limits = limits or ContextLimits()
        self._imports = ", ".join(imports)

    @property
    def name(self) -> str:
        return self._chat.name

    @property
    def protocol(self) -> Literal["xml", "structured"]:
        """How the model is asked to answer. Looked up when it is needed: to know the model takes seconds."""
        if self._protocol == "auto":
            return "structured" if self._chat.structured else "xml"
        return self._protocol

    def analyse(self, request: ProposalRequest) -> Analysis:
        """Ask for issues and one candidate. Raises ProposalError."""
        return self._fitted(lambda limits: self._ask(self._analysis_prompt(request, limits), may_give_up=False))

    def repair(self, repair: RepairRequest) -> Analysis:
        """Show why the candidate was rejected and ask for a better one. Raises ProposalError."""

        def ask(limits: ContextLimits) -> Analysis:
            values = repair_values(repair.source, repair.verdict, limits)
            prompt = load_prompt("repair").render(protocol=self.protocol, attempt=repair.attempt, **values)
            return self._ask((*self._analysis_prompt(repair.request, limits), *prompt), may_give_up=True)

        return self._fitted(ask)

    def _analysis_prompt(self, request: ProposalRequest, limits: ContextLimits) -> tuple[Message, ...]:
        values = analysis_values(request, limits)
        return load_prompt("analyse").render(protocol=self.protocol, imports=self._imports, **values)

    def _fitted(self, ask: Callable[[ContextLimits], Analysis]) -> Analysis:
        limits = self._limits
        for _ in range(_MAX_SHRINKS):
            try:
                return ask(limits)
            except ContextTooLong:
                limits = limits.smaller()
        return ask(limits)

    def _ask(self, messages: tuple[Message, ...], *, may_give_up: bool) -> Analysis:
        usage = TokenUsage()
        conversation = messages
        for attempt in range(self._max_reply_retries + 1):
            reply = self._call(conversation)
            usage = usage + reply.usage
            try:
                return read_reply(reply, may_give_up=may_give_up).model_copy(update={"usage": usage})
            except ReplyError as error:
                if attempt == self._max_reply_retries:
                    raise ReplyError(
                        f"{self.name} gave {attempt + 1} unreadable answers, the last one: {error.message}",
                        advice="Try another model, or --protocol xml.",
                    ) from error
                values = reread_values(reply.tool_arguments or reply.text, error.message)
                conversation = (*messages, *load_prompt("reread").render(protocol=self.protocol, **values))
        raise AssertionError("the loop returns or raises")  # pragma: no cover

    def _call(self, messages: tuple[Message, ...]) -> ChatReply:
        self.budget.start_call()
        reply = self._chat.complete(messages, ANALYSIS_TOOL if self.protocol == "structured" else None)
        self.budget.add(reply.usage)
        return reply
