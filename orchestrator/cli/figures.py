"""How figures of a run are written for people. Called by the live display, `runs list` and the tree."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from orchestrator.core.proposals import TokenUsage


def usage_text(usage: "TokenUsage") -> str:
    """Calls, tokens and money in a few words; empty when no model was asked."""
    if not usage.calls:
        return ""
    tokens = usage.prompt_tokens + usage.completion_tokens
    money = "price unknown" if usage.cost_usd is None else f"${usage.cost_usd:.4f}"
    return f"{usage.calls:,} calls, {tokens:,} tokens, {money}"
