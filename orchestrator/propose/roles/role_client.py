"""The client through which one role asks its model: each call is reserved in the budget, counted and logged.

Called by `model_proposer`, `explorer`, `tester` and `model_planner`. An answer that cannot be read costs another call,
which shows the model its answer and what was wrong with it; a prompt that is too long is made smaller.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

from orchestrator.core.errors import ProposalError, ReplyError
from orchestrator.core.exchanges import Exchange, ModelRole, TokenUsage
from orchestrator.propose.llm.budget import Budget
from orchestrator.propose.llm.chat import ChatModel, ChatReply, ContentFiltered, ContextTooLong, Message, ReplySchema
from orchestrator.propose.prompting.prompt_context import ContextLimits, reread_values
from orchestrator.propose.prompting.prompts import load_prompt

Read = TypeVar("Read")
_MAX_SHRINKS = 3


class RoleClient:
    """A model in a role. Safe to use from several threads: what belongs to one job is kept by the caller."""

    def __init__(self, chat: ChatModel, role: ModelRole, budget: Budget, *, max_reply_retries: int = 2) -> None:
        self.chat = chat
        self.role = role
        self.budget = budget
        self._retries = max_reply_retries

    def ask(
        self,
        messages: Sequence[Message],
        read: Callable[[ChatReply], Read],
        log: list[Exchange],
        *,
        about: str,
        wanted: str,
        schema: ReplySchema | None = None,
    ) -> Read:
        """What `read` makes of the answer. Raises ReplyError when no answer can be read, and what the model raises.

        `wanted` is the form of the answer in words, for a model whose answer could not be read.
        """
        conversation = messages
        for attempt in range(self._retries + 1):
            reply = self._call(conversation, schema, log, about)
            try:
                return read(reply)
            except ReplyError as error:
                log[-1] = log[-1].model_copy(update={"error": error.message})
                if attempt == self._retries:
                    raise ReplyError(
                        f"{self.chat.name} gave {attempt + 1} unreadable answers, the last one: {error.message}",
                        advice="Try another model, or --protocol xml.",
                    ) from error
                answer = "\n".join([reply.tool_arguments or reply.text, *reply.more_arguments])
                values = reread_values(answer, error.message)
                conversation = (*messages, *load_prompt("reread").render(wanted=wanted, **values))
        raise AssertionError("the loop returns or raises")  # pragma: no cover

    def _call(
        self, messages: Sequence[Message], schema: ReplySchema | None, log: list[Exchange], about: str
    ) -> ChatReply:
        self.budget.start_call()
        try:
            reply = self.chat.complete(messages, schema)
        except ProposalError as error:
            usage = error.usage or TokenUsage()  # an answer that a filter held back is paid for
            self.budget.add(usage)
            log.append(Exchange(role=self.role, model=self.chat.name, about=about, usage=usage, error=error.message))
            raise
        self.budget.add(reply.usage)
        log.append(Exchange(role=self.role, model=self.chat.name, about=about, usage=reply.usage))
        return reply


def fitted(ask: Callable[[ContextLimits], Read], limits: ContextLimits) -> Read:
    """The answer to a prompt that shows less each time it was too long, or once when a filter objects to it.

    Raises ContextTooLong in the end; a filter that still objects is about these rows only, and is a ReplyError.
    """
    shrinks, filtered = 0, 0
    while True:
        try:
            return ask(limits)
        except ContextTooLong:
            shrinks += 1
            if shrinks > _MAX_SHRINKS:
                raise
        except ContentFiltered as error:
            filtered += 1
            if filtered > 1:
                raise ReplyError(error.message, advice=error.advice) from error
        limits = limits.smaller()


def total(log: Sequence[Exchange]) -> TokenUsage:
    """What all of them cost together."""
    return sum((exchange.usage for exchange in log), TokenUsage())


@contextmanager
def accounted() -> Iterator[list[Exchange]]:
    """The list for a job's exchanges; an error that ends the job carries them, so that they are accounted for."""
    log: list[Exchange] = []
    try:
        yield log
    except ProposalError as error:
        error.exchanges, error.usage = tuple(log), total(log)
        raise
