"""What a run may spend on models: calls, tokens, money. Shared by all lanes of a run; called by `model_proposer`."""

import threading

from orchestrator.core.errors import BudgetExceeded
from orchestrator.core.proposals import TokenUsage
from orchestrator.core.value import Value


class BudgetLimits(Value):
    """None means no limit."""

    max_calls: int | None = None
    max_tokens: int | None = None
    max_cost_usd: float | None = None


class Budget:
    """Counts what was used and refuses the next call once a limit is reached. Safe to use from several threads."""

    def __init__(self, limits: BudgetLimits | None = None, used: TokenUsage | None = None) -> None:
        """`used`: what a run that is resumed has spent already."""
        self.limits = limits or BudgetLimits()
        self._used = used or TokenUsage()
        self._started = self._used.calls
        self._unpriced = self._used.calls > 0 and self._used.cost_usd is None
        self._lock = threading.Lock()

    @property
    def used(self) -> TokenUsage:
        """Everything spent so far, answers that could not be read included."""
        with self._lock:
            return self._used

    def start_call(self) -> None:
        """Reserve one call. Raises BudgetExceeded when a limit is reached."""
        limits = self.limits
        with self._lock:
            tokens = self._used.prompt_tokens + self._used.completion_tokens
            if limits.max_calls is not None and self._started >= limits.max_calls:
                raise BudgetExceeded(f"All {limits.max_calls} model calls of the budget are used.", advice=_ADVICE)
            if limits.max_tokens is not None and tokens >= limits.max_tokens:
                raise BudgetExceeded(f"{tokens} of {limits.max_tokens} tokens of the budget are used.", advice=_ADVICE)
            if limits.max_cost_usd is not None:
                self._check_money(limits.max_cost_usd)
            self._started += 1

    def _check_money(self, limit: float) -> None:
        if self._unpriced:
            raise BudgetExceeded(
                "A limit in money is set, but the price of this model is not known.",
                advice="Limit tokens or calls instead.",
            )
        spent = self._used.cost_usd or 0.0
        if spent >= limit:
            raise BudgetExceeded(f"${spent:.4f} of ${limit:.4f} of the budget are spent.", advice=_ADVICE)

    def add(self, usage: TokenUsage) -> None:
        """Count what one answer cost."""
        with self._lock:
            self._used = self._used + usage
            self._unpriced = self._unpriced or (usage.calls > 0 and usage.cost_usd is None)


_ADVICE = "What was promoted so far is kept; raise the limit to go on."
