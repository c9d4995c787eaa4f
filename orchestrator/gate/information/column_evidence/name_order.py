"""In which order names stand, as the cells that stay show it: `Hopper, Grace`. Called by equivalence.py and laws.py.

Who writes names anew turns them, and may turn the wrong ones. Family names and first names repeat in a column, so the
names that were right already tell most of them.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from orchestrator.gate.information.changes import Change, Found, unchanged_texts
from orchestrator.gate.information.similarity import key

ENOUGH = 4  # different names that stay, and words on either side
TOLD = 3  # changed names that the others tell
MOST_WORDS = 4
LONGEST = 80  # characters of a name
HALVES = 2
ENDS = frozenset(
    """jr sr ii iii iv esq phd ph.d md m.d dds cpa ltd limited inc incorporated llc llp lp corp co plc gmbh ag kg sa
    bv nv oy ab as srl spa pty""".split()  # noqa: SIM905 - a list of words
)
_NAME = re.compile(r"[^\W\d_]+(?:[-'’. ]+[^\W\d_]+)*\.?")
_Halves = tuple[frozenset[str], frozenset[str]]


class NameOrder:
    """Which words stand in front of the comma and which behind it, or first and last where there is none."""

    def __init__(self, cells: Sequence[Change]) -> None:
        self._sides: dict[bool, _Halves] = {}
        stay = unchanged_texts(cells)
        for comma in (True, False):
            halves = [found for text in stay if ("," in text) is comma and (found := _halves(text))]
            front, back = (frozenset().union(*side) for side in zip(*halves, strict=True)) if halves else ((), ())
            if len(halves) >= ENOUGH:
                self._sides[comma] = frozenset(front) - frozenset(back), frozenset(back) - frozenset(front)
        turned = list(dict.fromkeys(cell for cell in cells if _turned(cell)))
        told = Counter(self._says(after) for _, after in turned)
        self.right = told[True] >= TOLD and not told[False]
        wrong = told[False] >= TOLD and told[False] > told[True]
        self._wrong = [cell for cell in turned if wrong and self._says(cell[1]) is False]

    def fit(self, before: str, after: str) -> bool:
        """Whether only the order of a name changed, and the names that stay say that it is right so."""
        return self.right and _turned((before, after)) and self._says(after) is not False

    def against_others(self) -> Found | None:
        """Names that were written anew, and stand the other way round than those that stay."""
        return ("words stand in another order than in the cells that stay", self._wrong[0]) if self._wrong else None

    def _says(self, text: str) -> bool | None:
        halves, sides = _halves(text), self._sides.get("," in text)
        if halves is None or sides is None:
            return None
        straight = any(own & side for own, side in zip(halves, sides, strict=True))
        across = any(own & side for own, side in zip(halves, sides[::-1], strict=True))
        return None if straight is across else straight


def ends_in_front(changed: Sequence[Change]) -> Found | None:
    """What stands behind a name is taken for a first one: `Baker & Sons, Ltd` as `Ltd Baker & Sons`."""
    for before, after in changed:
        name, comma, end = (part.strip() for part in before.rpartition(","))
        said = end.rstrip(".").casefold()
        if comma and said in ENDS and after.casefold().startswith(f"{said}") and key(after) == key(end + name):
            return "what stands behind a name comes to stand in front of it", (before, after)
    return None


def _turned(cell: Change) -> bool:
    """Whether a comma came or went, and the words are the same."""
    if not all(isinstance(text, str) and _halves(text) for text in cell):
        return False
    one, other = cell
    return ("," in one) is not ("," in other) and sorted(_words([one])) == sorted(_words([other]))


def _words(texts: Iterable[str]) -> list[str]:
    return [word for text in texts for word in re.findall(r"[^\s,]+", text.casefold())]


def _halves(text: str) -> _Halves | None:
    if len(text) > LONGEST:
        return None
    parts = [part.strip() for part in text.split(",")]
    if len(parts) == 1:
        parts = text.strip().rsplit(maxsplit=1)
    if len(parts) != HALVES or not all(map(_NAME.fullmatch, parts)):
        return None
    front, back = (frozenset(_words([part])) for part in parts)
    return (front, back) if len(front) + len(back) <= MOST_WORDS else None
