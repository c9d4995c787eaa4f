"""What one sign stands for in a column whose characters were lost: `M?nchen`, `bxrmingham`. Called by column.py.

Where a function writes several other characters for one sign, and each result is the only text of the column that fits
around it, the column itself says what was lost.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence

from orchestrator.gate.information.changes import Change, both_text

ENOUGH = 3  # different cells that show it
CHARACTERS = 2  # that it stands for: one would be a recoding
RARE = 0.1  # of the texts that stay may have the sign, or it stands for itself

_Places = tuple[int, ...]  # of a text, where the sign stands for something else


class LostCharacters:
    """The changes of a column that put back what a sign stands for."""

    def __init__(self, cells: Sequence[Change]) -> None:
        texts = [cell for cell in cells if both_text(cell)]
        stay = {before for before, after in texts if before == after}
        by_sign: dict[str, dict[Change, _Places]] = defaultdict(dict)
        for change in texts:
            if places := sign_places(*change):
                by_sign[change[0][places[0]]][change] = places
        self._put_back: set[Change] = set()
        for sign, changes in by_sign.items():
            if sum(sign in text for text in stay) > RARE * len(stay):
                continue
            found = _only_fit(changes, stay)
            written = {change[1][place] for change in found for place in changes[change]}
            if len(found) >= ENOUGH and len(written) >= CHARACTERS:
                self._put_back |= found

    def explains(self, change: Change) -> bool:
        """Whether the change puts back what the column says was there."""
        return both_text(change) and change in self._put_back


def sign_places(before: str, after: str) -> _Places:
    """Where one sign of `before`, which is no figure, gives way to others; none where anything else differs."""
    if before == after or len(before) != len(after):
        return ()
    places = tuple(place for place, (one, other) in enumerate(zip(before, after, strict=True)) if one != other)
    signs = {before[place] for place in places}
    return places if len(signs) == 1 and not signs.pop().isdigit() else ()


def _only_fit(changes: dict[Change, _Places], stay: set[str]) -> set[Change]:
    """Those whose result is the one text that stays and fits around the places."""
    by_length: dict[int, list[str]] = defaultdict(list)
    for text in stay:
        by_length[len(text)].append(text)
    fitting: dict[tuple[int, _Places], Counter[str]] = {}
    found = set()
    for change, places in changes.items():
        after = change[1]
        length = len(after)
        if (length, places) not in fitting:
            fitting[length, places] = Counter(_around(text, places) for text in by_length[length])
        if after in stay and fitting[length, places][_around(after, places)] == 1:
            found.add(change)
    return found


def _around(text: str, places: _Places) -> str:
    return "".join(sign for place, sign in enumerate(text) if place not in places)
