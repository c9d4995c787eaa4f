"""A letter where all other codes of a column have a figure, or the reverse: `K1A OB1` among `K1A 0B1`.

Also in numbers of vehicles (ISO 3779), which hold no I, O and Q wherever letters stand. Called by equivalence.py.
"""

import re
from collections import Counter
from collections.abc import Iterable
from functools import cached_property

ENOUGH = 8  # different cells that stay, and are built as the new code is
SHORTEST = 5  # letters and figures of a code: `12B` is a house
_ALIKE = {"O": "0", "Q": "0", "D": "0", "I": "1", "L": "1", "S": "5", "B": "8", "Z": "2", "G": "6"}
_NO_SUFFIX = frozenset("OI")  # behind figures alone, where another letter may say which part of the house it is
_IN_NO_VEHICLE = frozenset({("O", "0"), ("Q", "0"), ("I", "1")})
_VEHICLE = re.compile(r"(?=.*\d)(?=.*[A-Z])[A-HJ-NPR-Z0-9]{17}")
_APART = re.compile(r"[\W_]+")
_LETTER, _FIGURE = re.compile(r"[^\W\d_]"), re.compile(r"\d")


class LookalikesInPlace:
    """How the codes of a column that stay are built, from letters and figures, whatever stands between these."""

    def __init__(self, stay: Iterable[str]) -> None:
        self._stay = stay

    def put_right(self, before: str, after: str) -> bool:
        """Whether signs become those that they look like, and the code is built as many others then, as none before."""
        one, other = (_APART.sub("", text).upper() for text in (before, after))
        if one == other or len(one) != len(other) or len(one) < SHORTEST:
            return False
        apart = {pair for pair in zip(one, other, strict=True) if pair[0] != pair[1]}
        if other.isdigit() and not {a for a, _ in apart} <= _NO_SUFFIX:
            return False
        if not all(_ALIKE.get(a) == b or _ALIKE.get(b) == a for a, b in apart):
            return False
        if apart <= _IN_NO_VEHICLE and _VEHICLE.fullmatch(other) and self._are_vehicles:
            return True
        return not self._built[_form(one)] and self._built[_form(other)] >= ENOUGH

    @cached_property
    def _are_vehicles(self) -> bool:
        """Whether all codes that stay are numbers of vehicles."""
        codes = {text.strip().upper() for text in self._stay if text.strip()}
        return len(codes) >= ENOUGH and all(map(_VEHICLE.fullmatch, codes))

    @cached_property
    def _built(self) -> Counter[str]:
        """How many different codes are built in each way."""
        return Counter(map(_form, {_APART.sub("", text).upper() for text in self._stay}))


def _form(code: str) -> str:
    return _LETTER.sub("A", _FIGURE.sub("0", code))
