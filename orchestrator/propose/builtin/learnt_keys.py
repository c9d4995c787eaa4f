"""Which keys a state keeps: all, or where that would be too much a fixed share of them, chosen by their hash.

So what is learnt of parts of the rows still adds up. Copied as source into the fitted candidates of `majority` and
`reports`, before them.
"""

from typing import Any

_MOST = 700_000  # characters of what a state holds, before keys are left out


def _level(key: str) -> int:
    """How many zero bits the key's hash ends with: every further one leaves half of the keys."""
    made = 2166136261
    for char in key:
        made = ((made ^ ord(char)) * 16777619) % 2**32
    made ^= made >> 15
    return (made & -made).bit_length() - 1 if made else 32


def _kept(level: int, told: dict[str, Any]) -> dict[str, Any]:
    """The state of what is told of each key, of as many keys as fit."""
    size = {key: len(key) + len(str(told[key])) for key in told}
    while sum(size[key] for key in told) > _MOST:
        level += 1
        told = {key: of_key for key, of_key in told.items() if _level(key) >= level}
    return {"level": level, "told": told}
