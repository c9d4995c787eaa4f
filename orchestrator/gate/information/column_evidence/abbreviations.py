"""Short forms of which a column has one long form only: `MT`, where `Manual` is the only M. Called by column.py.

Nobody has to know the words. The long form stands in other cells, and of all that stand there it is the only one that
begins with the letter of the code, or that holds the name in one piece (`Spurs`, `Tottenham Hotspur`).
"""

from collections.abc import Sequence

from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.similarity import key, related
from orchestrator.gate.information.tokens import words

MOST = 50  # different values of a column of labels: each short form is laid beside all of them
CODE = 3  # letters of a code that is known by its first one
PIECE = 4  # letters of a name that stand in the long form in one piece, but for one letter at the end
LONGEST = 60
TWO = 2  # words that differ where one stands for another


class Abbreviations:
    """The labels of a column, and which of its changes write one of them out."""

    def __init__(self, cells: Sequence[Change], unknown: Sequence[Change]) -> None:
        texts = [cell for cell in cells if all(isinstance(text, str) and 0 < len(text) <= LONGEST for text in cell)]
        labels = {before for before, after in texts if before == after and not any(map(str.isdigit, before))}
        self._labels = {label: key(label) for label in labels} if 1 < len(labels) <= MOST else {}
        self._words = {label: set(words(label)) for label in self._labels}
        self._said = {change for change in unknown if self._labels and self._writes_out(*change)}

    def passed_over(self, changed: Sequence[Change]) -> list[Change]:
        """The changes to what no other cell has, though one that is as like has it but for one word: Am as A major."""
        if not self._labels or len(changed) > MOST:
            return []
        return [change for change in changed if change[1] not in self._labels and self._other_than(*change)]

    def _other_than(self, before: str, after: str) -> bool:
        if any(map(str.isdigit, before)) or not related(before, after):
            return False
        mine = set(words(after))
        new = mine - set(words(before))
        return bool(new) and any(
            len(mine ^ theirs) == TWO and mine & theirs and new - theirs and related(before, label)
            for label, theirs in self._words.items()
        )

    def explains(self, change: Change) -> bool:
        """Whether the change writes out a short form of the one label that it can stand for."""
        return change in self._said

    def _writes_out(self, before: str, after: str) -> bool:
        short = key(before)
        if after not in self._labels or not short.isalpha() or len(before) >= len(after):
            return False
        if len(short) <= CODE:
            letters = set(short) <= set(self._labels[after]) or before.isupper()
            return letters and [label for label, said in self._labels.items() if said[:1] == short[0]] == [after]
        piece = short[: max(PIECE, len(short) - 1)]
        return [label for label, said in self._labels.items() if piece in said] == [after]
