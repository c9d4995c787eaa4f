"""What a run may spend on models: calls, tokens, money, wall time. Shared by all roles and threads of a run.

Called by `roles.role_client`, through which every model call goes.
"""

import threading
import time
from collections.abc import Callable

from pydantic import Field

from orchestrator.core.errors import BudgetExceeded
from orchestrator.core.exchanges import TokenUsage
from orchestrator.core.option_value import OptionValue


class BudgetLimits(OptionValue):
    """None means no limit. `max_seconds` counts from the start of the run, whatever the time was spent on."""

    max_calls: int | None = Field(default=None, ge=1)
    max_tokens: int | None = Field(default=None, ge=1)
    max_cost_usd: float | None = Field(default=None, ge=0.0, le=1e9)
    max_seconds: float | None = Field(default=None, gt=0.0, le=1e9)


class Budget:
    """Counts what was used and refuses the next call once a limit is reached. Safe to use from several threads.

    `used`, `passed_s`: what a run that is resumed has spent already, of money and the like and of seconds.
    """

    def __init__(
        self,
        limits: BudgetLimits | None = None,
        used: TokenUsage | None = None,
        *,
        passed_s: float = 0.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.limits = limits or BudgetLimits()
        self._used = used or TokenUsage()
        self._started = self.used.calls
        self._clock = clock
        self._begun = clock() - passed_s
        self._lock = threading.Lock()

    @property
    def used(self) -> TokenUsage:
        """Everything spent so far, answers that could not be read included."""
        return self._used

    def start_call(self) -> None:
        """Reserve one call. Raises BudgetExceeded when a limit is reached."""
        limits = self.limits
        with self._lock:
            used = self.used
            tokens = used.prompt_tokens + used.completion_tokens
            seconds = self._clock() - self._begun
            if limits.max_calls is not None and self._started >= limits.max_calls:
                raise BudgetExceeded(f"All {limits.max_calls} model calls of the budget are used.", advice=_ADVICE)
            if limits.max_tokens is not None and tokens >= limits.max_tokens:
                raise BudgetExceeded(f"{tokens} of {limits.max_tokens} tokens of the budget are used.", advice=_ADVICE)
            check_seconds(limits.max_seconds, seconds)
            if limits.max_cost_usd is not None:
                _check_money(used, limits.max_cost_usd)
            self._started += 1

    def add(self, usage: TokenUsage) -> None:
        """Count what one answer cost."""
        with self._lock:
            self._used += usage


def check_seconds(limit: float | None, passed: float) -> None:
    """Raise BudgetExceeded where that many seconds have passed; also called by runs whose proposer asks no model."""
    if limit is not None and passed >= limit:
        raise BudgetExceeded(f"The {limit:g} s of the budget have passed.", advice=_ADVICE)


def _check_money(used: TokenUsage, limit: float) -> None:
    if used.calls and used.cost_usd is None:
        raise BudgetExceeded(
            "A limit in money is set, but the price of this model is not known.",
            advice="Limit tokens or calls instead.",
        )
    spent = used.cost_usd or 0.0
    if spent >= limit:
        raise BudgetExceeded(f"${spent:.4f} of ${limit:.4f} of the budget are spent.", advice=_ADVICE)


_ADVICE = "What was promoted so far is kept; raise the limit to go on."
