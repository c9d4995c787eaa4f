"""Versions of which others have three parts: there `4.5` and `v4.5` are `4.5.0`. Called by equivalence.py."""

import re
from collections.abc import Set as AbstractSet

ENOUGH = 3  # different versions of three parts that stay
PARTS = 3
_WHOLE = re.compile(r"[vV]?\d{1,4}\.\d{1,4}\.\d{1,6}")
_SHORT = re.compile(r"(?:v(?:er(?:sion)?)?\.?\s?)?(\d{1,4}(?:\.\d{1,4})?)", re.IGNORECASE)


class Versions:
    """What the versions of one column show. `stay`: the texts that do not change."""

    def __init__(self, stay: AbstractSet[str]) -> None:
        whole, numbers = (sum(1 for one in stay if form.fullmatch(one.strip())) for form in (_WHOLE, _SHORT))
        self._three = whole >= ENOUGH and whole > numbers

    def completed(self, before: str, after: str) -> bool:
        """Whether a version of fewer parts gets the zeros that it lacks."""
        short = _SHORT.fullmatch(before.strip()) if self._three else None
        return short is not None and after == short[1] + ".0" * (PARTS - len(short[1].split(".")))
