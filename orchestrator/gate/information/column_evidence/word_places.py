"""Words and numbers that come to stand where no other cell has them. Called by laws.py.

In `47 km/h` the number is first in all cells of a column, the unit last. A function that writes `km/h 47` turned them,
also where both are new and nothing in the cell says in which order they stood.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from orchestrator.gate.information.changes import Change, Found, both_text, unchanged_texts
from orchestrator.gate.information.value_kinds.encodings import decoded

ENOUGH = 4  # different texts that have the word, and have it in the same place
OFTEN = 4  # one in so many texts of several words: names stand here and there
PAIR, LONGEST = 2, 6  # words of a text that has an order, and of one that is no sentence
MOSTLY = 0.8  # of the texts around a comma, which are turned
NUMBER, BETWEEN = "9", "between"
_SEVERAL = re.compile(r"[,;|>\n]")  # items of a list, or lines
_NUMBER = re.compile(r"[-+#$€£(]?\d")
_SIGNS = re.compile(r"^\W+|\W+$")


def in_no_usual_place(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """A word or number that was put in another place than all other cells have it in: `Stone 43 Road`."""
    moved = [
        (before, after)
        for before, after in changed
        if len(after.split()) <= LONGEST
        and not _SEVERAL.search(after)
        and (_new_pair(before, after) or _turned(before, after))
    ]
    usual = _usual(cells) if moved else {}
    for before, after in moved:
        new, old = _places(after), _places(decoded(before))
        pair = len(after.split()) == len(decoded(before).split()) == PAIR  # neither has anything between
        wanted = {part: usual[part] for part in new if part in usual and not (pair and usual[part] == BETWEEN)}
        if any(new[part] not in (place, old.get(part)) for part, place in wanted.items()):
            return "a word stands where no other cell has it", (before, after)
    return None


def _new_pair(before: str, after: str) -> bool:
    """Whether it is two words, of which none stood in its place before."""
    old = _places(decoded(before))
    return len(after.split()) == PAIR and not any(old.get(part) == place for part, place in _places(after).items())


def _turned(before: str, after: str) -> bool:
    """Whether words, or the number, that stand in both stand in another order."""
    ours, theirs = list(_places(before)), list(_places(after))
    return [part for part in ours if part in theirs] != [part for part in theirs if part in ours]


def not_turned(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """A text around a comma that loses the comma only, where the others are turned: `Perlman, Ada` as `Perlman Ada`."""
    turned = [change for change in cells if (halves := _halves(change)) and _same(change[1], reversed(halves))]
    kept = [change for change in changed if (halves := _halves(change)) and _same(change[1], halves)]
    if kept and len(turned) >= max(ENOUGH, MOSTLY * (len(turned) + len(kept))):
        return "a comma is left out, and the words are not turned as in the others", kept[0]
    return None


def _halves(change: Change) -> list[str]:
    """What stands before and behind the only comma of a text that has none afterwards."""
    if not both_text(change) or change[0] == change[1] or "," in change[1]:
        return []
    halves = change[0].split(",")
    return halves if len(halves) == 2 and all(map(str.strip, halves)) else []


def _same(text: str, parts: Iterable[str]) -> bool:
    return text.casefold().split() == " ".join(parts).casefold().split()


def _usual(cells: Sequence[Change]) -> dict[str, str]:
    """The one place of each word that stands in many texts: in those that were not changed, or else in all."""
    stay = unchanged_texts(cells)
    results = {other for _, other in cells if isinstance(other, str)}
    return _same_place(results, by=2) | _same_place(stay, by=0)


def _same_place(texts: set[str], by: int) -> dict[str, str]:
    """The place that words have in all texts, but for at most `by` in ten of them."""
    seen: dict[str, Counter[str]] = defaultdict(Counter)
    several = [places for places in map(_places, texts) if len(places) > 1]
    for places in several:
        for part, place in places.items():
            seen[part][place] += 1
    usual = {}
    for part, counts in seen.items():
        place, count = counts.most_common(1)[0]
        if count >= max(ENOUGH, len(several) / OFTEN) and 10 * (counts.total() - count) <= by * counts.total():
            usual[part] = place
    return usual


def _places(text: str) -> Mapping[str, str]:
    """For each word that stands once, and the first number: whether it is first, last or between."""
    parts = [_part(part) for part in text.split()]
    last = len(parts) - 1
    number = parts.index(NUMBER) if NUMBER in parts else last
    parts[number + 1 :] = [part.replace(NUMBER, "") for part in parts[number + 1 :]]
    counts = Counter(parts)
    return {
        part: "first" if at == 0 else "last" if at == last else BETWEEN
        for at, part in enumerate(parts)
        if part and counts[part] == 1
    }


def _part(part: str) -> str:
    return NUMBER if _NUMBER.match(part) else _SIGNS.sub("", part).casefold()
