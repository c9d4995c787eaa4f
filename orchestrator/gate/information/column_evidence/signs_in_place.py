"""A letter where nearly all other cells of a column have one sign: `89x` among `75%`. Called by equivalence.py."""

from collections import Counter
from collections.abc import Iterable
from functools import cached_property

from orchestrator.gate.information.value_kinds.amounts import is_sized
from orchestrator.gate.information.value_kinds.units import names_unit

ENOUGH = 8  # different cells that stay
NEARLY_ALL = 0.9  # of them have the sign in this place
LONGEST = 30  # characters from either end


class SignsInPlace:
    """The signs that nearly all texts which stay have in one place, counted from their beginning or their end."""

    def __init__(self, stay: Iterable[str]) -> None:
        self._texts = list(stay)

    def put_back(self, before: str, after: str) -> bool:
        """Whether one letter, which names no unit, becomes the sign, and nothing else changes."""
        if len(before) != len(after):
            return False
        apart = [at for at, pair in enumerate(zip(before, after, strict=True)) if pair[0] != pair[1]]
        if len(apart) != 1 or not before[at := apart[0]].isalpha():
            return False
        if names_unit(before[at]) or is_sized(f"$1{before[at]}"):
            return False
        return after[at] in (self._signs.get(at), self._signs.get(at - len(after)))

    @cached_property
    def _signs(self) -> dict[int, str]:
        signs: dict[int, str] = {}
        for at in range(LONGEST) if len(self._texts) >= ENOUGH else ():
            for place in (at, -1 - at):
                found = Counter(text[place] for text in self._texts if -len(text) <= place < len(text))
                ((sign, count),) = found.most_common(1) or [("", 0)]
                if count >= NEARLY_ALL * len(self._texts) and not sign.isalnum() and not sign.isspace():
                    signs[place] = sign
        return signs
