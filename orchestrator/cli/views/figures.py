"""How figures of a run are written for people. Called by the live display, `runs list` and the tree."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from orchestrator.core.wording import plural

if TYPE_CHECKING:
    from orchestrator.core.exchanges import TokenUsage


def usage_text(usage: "TokenUsage") -> str:
    """Calls, tokens and money in a few words; empty when no model was asked."""
    if not usage.calls:
        return ""
    counted = usage.prompt_tokens + usage.completion_tokens
    tokens = f"{counted:,} tokens" if counted else "tokens unknown"
    if usage.cached_tokens:
        price = "" if usage.cached_usd is None else f" for ${usage.cached_usd:.4f}"
        tokens += f" ({usage.cached_tokens:,} cached{price})"
    money = "cost unknown" if usage.cost_usd is None else f"${usage.cost_usd:.4f}"
    return f"{usage.calls:,} {plural(usage.calls, 'call')}, {tokens}, {money}"


def budget_text(configuration: Mapping[str, Any]) -> str:
    """The limits of a recorded run, to stand behind what was used; empty where there are none."""
    budget = configuration.get("model", {}).get("budget", {})
    words = {"max_calls": "{:,} calls", "max_tokens": "{:,} tokens", "max_cost_usd": "${:g}", "max_seconds": "{:g} s"}
    limits = [word.format(budget[name]) for name, word in words.items() if budget.get(name) is not None]
    return f" of {', '.join(limits)}" if limits else ""


def limit_option(reason: str) -> str:
    """The option whose limit ended a run, by the words in which the budget says it."""
    words = {"model calls": "--max-calls", "tokens": "--max-tokens", "have passed": "--max-seconds", "$": "--max-cost"}
    return next((option for word, option in words.items() if word in reason), "--max-calls")
