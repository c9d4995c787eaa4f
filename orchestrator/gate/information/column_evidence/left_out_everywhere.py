"""Words that a column leaves out of every cell that has them, so that the rest is compared. Called by equivalence.py.

Where `floor` goes from all cells, `first floor` and `1` are asked about as `first` and `1`. Only words are stripped of
it: a number without its unit is another matter.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from orchestrator.gate.information.changes import Change

ENOUGH = 3  # different cells that have the word
LONGEST = 60
_WORD = re.compile(r"[^\W\d_]{3,}")


class LeftOutEverywhere:
    """The words that at least some changed cells of a column had, and that no cell has afterwards."""

    def __init__(self, cells: Sequence[Change]) -> None:
        texts = [cell for cell in cells if all(isinstance(text, str) and len(text) <= LONGEST for text in cell)]
        left = {word for _, after in texts for word in _words(after)}
        had = Counter(word for before, after in texts if before != after for word in set(_words(before)) - left)
        self._words = frozenset(word for word, count in had.items() if count >= ENOUGH)
        self._words -= self._telling_apart(before for before, after in texts if before != after)

    def _telling_apart(self, texts: Iterable[str]) -> set[str]:
        """Words of which one or the other stands beside the same rest, time and again: `A pos` and `A neg`."""
        beside = defaultdict[str, set[str]](set)
        for text in texts:
            own = self._words.intersection(_words(text))
            if len(own) == 1:
                beside[self.rest(text)] |= own
        several = [found for rest, found in beside.items() if rest and len(found) > 1]
        return set().union(*several) if len(several) >= ENOUGH else set()

    def rest(self, text: str) -> str:
        """The text without such words; empty where there is none in it, or nothing but figures is left."""
        if not self._words or self._words.isdisjoint(_words(text)):
            return ""
        rest = " ".join(_WORD.sub(lambda word: "" if word[0].casefold() in self._words else word[0], text).split())
        return rest if any(map(str.isalpha, rest)) else ""


def _words(text: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(text)]
