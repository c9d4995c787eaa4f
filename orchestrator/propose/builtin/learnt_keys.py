"""Which keys a state keeps: all, or where that would be too much a fixed share of them, chosen by their hash.

So what is learnt of parts of the rows still adds up. And which words for nothing (`none`) are answers. Copied as source
into the fitted candidates of `majority` and `reports`, before them.
"""

import functools
import json
import re
from collections.abc import Callable
from typing import Any

_MOST = 1_300_000  # bytes of a state, before keys are left out: of more than 1.5 MB none is taken
_BLANK = re.compile(r"\W*")
_NOTHING = re.compile(
    r"(?i)\W*(?:n/?a|null|none|nan|unknown|not (?:available|provided|known|applicable)|missing|tbd)\W*"
)


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


def _most(heard: dict[str, int]) -> str:
    """The word for nothing that most reports of a thing give; "" where there is none such."""
    words = [word for word in sorted(heard) if _NOTHING.fullmatch(word) and 2 * heard[word] > sum(heard.values())]
    return words[0] if words else ""


def _meant(things: dict[str, dict[str, int]]) -> set[str]:
    """The words for nothing that are answers: at least half of their reports are of things of which most say so.

    `things`: by key, how many reports give each answer.
    """
    words: dict[str, list[int]] = {}
    for heard in things.values():
        most = _most(heard)
        for word, count in heard.items():
            if _NOTHING.fullmatch(word):
                counts = words.setdefault(word, [0, 0])
                counts[0] += count
                counts[1] += count if word == most else 0
    return {word for word, (count, agreed) in words.items() if 2 * agreed >= count}
