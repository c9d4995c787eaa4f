"""Remembers what was said of short texts. Decorates what many laws ask about the same cells, one law after the other.

On a column of thousands of different cells, reading them again for each law is most of a verdict's processor time.
"""

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import TypeVar

LONGEST = 200  # characters of a text that is remembered
MOST = 16_384  # texts: those of a chunk's column, before and after

Answer = TypeVar("Answer")


def remembered(function: Callable[[str], Answer]) -> Callable[[str], Answer]:
    """The same function, which answers faster for a text that it was asked lately. Its answers must be immutable."""
    answers = lru_cache(maxsize=MOST)(function)

    @wraps(function)
    def answer(text: str) -> Answer:
        return answers(text) if len(text) <= LONGEST else function(text)

    return answer
