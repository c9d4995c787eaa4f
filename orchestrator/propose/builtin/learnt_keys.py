"""Which keys a state keeps: all, or where that would be too much a fixed share of them, chosen by their hash.

So what is learnt of parts of the rows still adds up. Copied as source into the fitted candidates of `majority` and
`reports`, before them.
"""

import functools
import json
from collections.abc import Callable
from typing import Any

_MOST = 1_300_000  # bytes of a state, before keys are left out: of more than 1.5 MB none is taken


@functools.lru_cache(maxsize=100_000)
def _level(key: str) -> int:
    """How many zero bits the key's hash ends with: every further one leaves half of the keys."""
    made = 2166136261
    for char in key:
        made = ((made ^ ord(char)) * 16777619) % 2**32
    made ^= made >> 15
    return (made & -made).bit_length() - 1 if made else 32


@functools.lru_cache(maxsize=100_000)
def _bytes(text: str) -> int:
    """The length of a text in a state, with what stands around it."""
    return len(json.dumps(text, ensure_ascii=False).encode("utf-8", "surrogatepass")) + 2


def _kept(level: int, told: dict[str, Any], size: Callable[[dict[str, Any]], int]) -> tuple[int, dict[str, Any]]:
    """What is told of as many keys as fit, and the level that they have; `size`: in bytes, the larger for more rows."""
    while size(told) > _MOST:
        level += 1
        told = {key: of_key for key, of_key in told.items() if _level(key) >= level}
    return level, told
