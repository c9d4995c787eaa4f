"""Reads a server's own count of tokens, which providers write in different places. Called by `litellm_chat`."""

from typing import Any

_MOST_TOKENS = 1_000_000_000  # of one question


def said(counted: Any, what: str) -> int:
    """The server's own count; 0 where it says none, or one that cannot be, by which a limit would never be reached."""
    number = getattr(counted, what, 0)
    return number if isinstance(number, int) and 0 < number < _MOST_TOKENS else 0


def from_cache(counted: Any) -> int:
    """How many tokens of the prompt came from the provider's cache, as OpenAI's or as Anthropic's protocol says it."""
    details = getattr(counted, "prompt_tokens_details", None)
    return said(details, "cached_tokens") or said(counted, "cache_read_input_tokens")


def thoughts_beside(counted: Any) -> int:
    """Tokens of thinking that a server counts in the total alone, and bills: not in those of the answer."""
    total, parts = said(counted, "total_tokens"), [said(counted, f"{one}_tokens") for one in ("prompt", "completion")]
    thoughts = said(getattr(counted, "completion_tokens_details", None), "reasoning_tokens")
    return max(0, min(thoughts, total - sum(parts))) if all(parts) else 0
