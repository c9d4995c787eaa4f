"""Tries a model again where that can help, and only there. Wraps any ChatModel; wired by `bootstrap`.

ModelUnavailable (rate limit, timeout, 5xx, no connection) is tried again with growing, jittered pauses, never shorter
than the provider asked for; ModelRefused is not.
"""

import time
from collections.abc import Callable, Sequence

import tenacity

from orchestrator.core.errors import ModelUnavailable
from orchestrator.propose.llm.chat import ChatModel, ChatReply, Message, RateLimited, ReplySchema

_FIRST_PAUSE_S, _MAX_PAUSE_S = 1.0, 30.0


class RetryingChat:
    """A ChatModel that retries another one, at most `attempts` times and `max_seconds` in all."""

    def __init__(
        self,
        chat: ChatModel,
        *,
        attempts: int = 5,
        max_seconds: float = 180.0,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._chat = chat
        self._attempts = attempts
        self._max_seconds = max_seconds
        self._backoff = tenacity.wait_exponential_jitter(
            initial=_FIRST_PAUSE_S, max=_MAX_PAUSE_S, jitter=_FIRST_PAUSE_S
        )
        self._sleep = sleep

    @property
    def name(self) -> str:
        return self._chat.name

    @property
    def structured(self) -> bool:
        return self._chat.structured

    def complete(self, messages: Sequence[Message], schema: ReplySchema | None = None) -> ChatReply:
        """One answer; the error of the last try when all have failed."""
        retrying = tenacity.Retrying(
            retry=tenacity.retry_if_exception_type(ModelUnavailable),
            wait=self._pause,
            stop=self._enough,
            sleep=self._sleep,
            reraise=True,
        )
        reply: ChatReply = retrying(self._chat.complete, messages, schema)
        return reply

    def _pause(self, state: tenacity.RetryCallState) -> float:
        pause = self._backoff(state)
        error = state.outcome.exception() if state.outcome else None
        if isinstance(error, RateLimited) and error.retry_after is not None:
            return max(pause, error.retry_after)
        return pause

    def _enough(self, state: tenacity.RetryCallState) -> bool:
        passed = max(state.seconds_since_start or 0.0, state.idle_for)
        return state.attempt_number >= self._attempts or passed + state.upcoming_sleep > self._max_seconds
