"""The language-model proposer: prompt → model → reply → Analysis. One of the implementations of core's Proposer port.

An unreadable reply costs a retry that shows the model its reply and what was wrong with it; a prompt too long for the
model is shown with fewer rows. Keys are known to the chat model alone: nothing here could leak one. Called by run/,
wired by `bootstrap`.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Literal

from orchestrator.core.errors import ProposalError
from orchestrator.core.policy import ScreenPolicy
from orchestrator.core.proposals import Analysis, Exchange, ProposalRequest, RepairRequest
from orchestrator.propose.asking import Asker, fitted, total
from orchestrator.propose.budget import Budget
from orchestrator.propose.chat import ChatModel, Message
from orchestrator.propose.context import ContextLimits, analysis_values, repair_values
from orchestrator.propose.prompts import load_prompt
from orchestrator.propose.replies import read_reply
from orchestrator.propose.replies_structured import ANALYSIS_TOOL

ReplyProtocol = Literal["auto", "xml", "structured"]
_WANTED = {
    "structured": "one call of the tool",
    "xml": "one <cleaning_analysis> element, code in CDATA",
}


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
        self.budget = budget or Budget()
        self._asker = Asker(chat, "proposer", self.budget, max_reply_retries=max_reply_retries)
        self._protocol = protocol
        self._limits = limits or ContextLimits()
        self._imports = ", ".join(imports)

    @property
    def name(self) -> str:
        return self._asker.chat.name

    @property
    def protocol(self) -> Literal["xml", "structured"]:
        """How the model is asked to answer. Looked up when it is needed: to know the model takes seconds."""
        if self._protocol == "auto":
            return "structured" if self._asker.chat.structured else "xml"
        return self._protocol

    def analyse(self, request: ProposalRequest) -> Analysis:
        """Ask for issues and one candidate. Raises ProposalError."""
        with accounted() as log:
            return fitted(
                lambda limits: self._ask(self._analysis_prompt(request, limits), log, "analysis", may_give_up=False),
                self._limits,
            )

    def repair(self, repair: RepairRequest) -> Analysis:
        """Show why the candidate was rejected and ask for a better one. Raises ProposalError."""

        def ask(limits: ContextLimits) -> Analysis:
            values = repair_values(repair.source, repair.verdict, limits)
            prompt = load_prompt("repair").render(protocol=self.protocol, attempt=repair.attempt, **values)
            messages = (*self._analysis_prompt(repair.request, limits), *prompt)
            return self._ask(messages, log, f"repair {repair.attempt}", may_give_up=True)

        with accounted() as log:
            return fitted(ask, self._limits)

    def _analysis_prompt(self, request: ProposalRequest, limits: ContextLimits) -> tuple[Message, ...]:
        values = analysis_values(request, limits)
        return load_prompt("analyse").render(protocol=self.protocol, imports=self._imports, **values)

    def _ask(self, messages: Sequence[Message], log: list[Exchange], about: str, *, may_give_up: bool) -> Analysis:
        analysis = self._asker.ask(
            messages,
            lambda reply: read_reply(reply, may_give_up=may_give_up),
            log,
            about=about,
            wanted=_WANTED[self.protocol],
            schema=ANALYSIS_TOOL if self.protocol == "structured" else None,
        )
        return analysis.model_copy(update={"usage": total(log), "exchanges": tuple(log)})


@contextmanager
def accounted() -> Iterator[list[Exchange]]:
    """Where a job's exchanges are kept; an error that ends the job carries them to whoever accounts for them."""
    log: list[Exchange] = []
    try:
        yield log
    except ProposalError as error:
        error.exchanges, error.usage = tuple(log), total(log)
        raise
