"""Whether a column's words are recoded one to one: codes to names, names to codes. Called by column.py.

Nobody has to know the words. A recoding changes every cell of a layout, keeps different values apart, brings them to
values that other cells have, and none of its values is more like what another one becomes than like its own. A mistake
in a map merges two values, exchanges two, or passes over a value that nothing else leads to. Words only: no numbers.
"""

import difflib
from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations

from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.similarity import is_short_for, key, related
from orchestrator.gate.information.tokens import layout, words
from orchestrator.gate.information.value_kinds.known_words import contradict
from orchestrator.gate.information.value_kinds.number_parsing import reading
from orchestrator.gate.information.value_kinds.spelled_numbers import spelled_number

FEWEST, MOST = 3, 50  # different values that a recoding changes: they are compared with each other
SAID_BY_OTHERS = 0.5  # of what they become, as it stands in cells that stay
LONGEST = 120  # characters of both
COMPARED = 24  # letters of each that are laid beside the other's: the time grows with their product
CLEARLY, SLIGHTLY = 0.15, 0.05  # more alike: than what is exchanged, and than what is left over
SHORT = 4  # characters of a code, in which each letter counts
INITIAL = 0.8  # how alike a word and its code are: LHR and London Heathrow


class Recoding:
    """The words of a column that are exchanged for others. `doubted`: the changes that hint at a mistake.

    `merged`: those of them that make the same of values which are no spellings of each other; `turned`: words
    that become what another one of them is more like.
    """

    def __init__(self, cells: Sequence[Change], unknown: Sequence[Change]) -> None:
        texts = [cell for cell in cells if all(isinstance(text, str) and text.strip() for text in cell)]
        self._stay = {before for before, after in texts if before == after}
        self._forms = {layout(text) for text in self._stay}
        self._changed = [cell for cell in texts if cell[0] != cell[1]]
        recoded = {change for change in unknown if self._is_word(change)}
        numbers = {change for change in recoded if _is_number(*change)}
        recoded -= numbers if len({key(before) for before, _ in numbers}) < FEWEST - 1 else set()  # one is no code
        said = FEWEST <= len(self._changed) <= MOST and self._is_said()
        self._recoded = recoded if said else set()
        self.merged = self._merged() & self._recoded if self._recoded else set()
        turned = _turned(self._changed) & self._recoded if self._recoded else set()
        self.turned = {change for change in turned if not any(map(str.isdigit, change[0] + change[1]))}
        self.doubted = self.merged | turned | self._passing_over()

    def explains(self, change: Change) -> bool:
        """Whether the change is one of a recoding that loses nothing."""
        return change in self._recoded and change not in self.doubted and layout(change[1]) in self._forms

    def misleads(self, shown: Sequence[Change]) -> bool:
        """Whether likeness says nothing here: witnesses show words that become what others of them are more like."""
        return bool(_turned([change for change in shown if self._is_word(change)]))

    def _is_word(self, change: Change) -> bool:
        """A word or a code, all of whose layout change; a number that becomes another one is no word."""
        before, after = change
        figures = [any(map(str.isdigit, text)) for text in change]
        if len(before) + len(after) > LONGEST:
            return False
        if _one_word_of_several(*change) or _spells_number(*change):
            return False
        exchanged = bool(set(words(after)) - set(words(before))) or figures == [False, True]
        return exchanged and not all(figures) and layout(before) not in self._forms and "\n" not in before + after

    def _is_said(self) -> bool:
        """Whether most of what is new stands in other cells: the column has the form to which it is brought."""
        targets = {after for _, after in self._changed}
        return len(targets & self._stay) >= SAID_BY_OTHERS * len(targets)

    def _merged(self) -> set[Change]:
        """Changes that make one of two values which are no spellings of each other."""
        groups: dict[str, list[Change]] = defaultdict(list)
        for change in self._changed:
            groups[change[1]].append(change)
        return {
            change
            for group in groups.values()
            for pair in combinations(group, 2)
            if not _one_thing(pair[0][0], pair[1][0], pair[0][1])
            for change in pair
            if key(change[0]) != key(change[1])
        }

    def _passing_over(self) -> set[Change]:
        """Changes to another value than the one that is left over."""
        found: set[Change] = set()
        taken = {after for _, after in self._changed}
        for change in self._recoded:
            left = [text for text in self._stay - taken if layout(text) == layout(change[1])]
            if any(_alike((change[0], text)) > _alike(change) + SLIGHTLY for text in left):
                found.add(change)
            if change[1] not in self._stay and any(_resorted(change[1], text) for text in self._stay):
                found.add(change)
        return found


def _turned(changed: Sequence[Change]) -> set[Change]:
    """Changes to what another value is more like: two of them that are exchanged."""
    found: set[Change] = set()
    for one, other in combinations(changed, 2):
        if one[1] != other[1] and _alike(one) + _alike(other) + CLEARLY < sum(map(_alike, _crossed(one, other))):
            found |= {one, other}
    return found


def _one_word_of_several(before: str, after: str) -> bool:
    """Whether a word of a text becomes one that is no form of it, and the others stay: that is no code."""
    olds, news = (Counter(words(text)) for text in (before, after))
    gone, come = olds - news, news - olds
    if not olds & news or not gone or not come:
        return False
    return any(not any(related(old, new) or related(new, old) for old in gone) for new in come)


def _is_number(before: str, after: str) -> bool:
    """Whether a word becomes a number: `full-time` as `0.0`."""
    return not any(map(str.isdigit, before)) and reading(after) is not None


def _spells_number(before: str, after: str) -> bool:
    """Whether the first word is the number that the text becomes: `Four bed` as 4."""
    return after.isdecimal() and spelled_number("".join(before.split()[:1])) == int(after)


def _resorted(new: str, text: str) -> bool:
    """Whether a value has the letters and figures of another one, with other signs or in another order."""
    return sorted(key(new)) == sorted(key(text)) != []


def _crossed(one: Change, other: Change) -> tuple[Change, Change]:
    return (one[0], other[1]), (other[0], one[1])


def _one_thing(one: str, other: str, both: str) -> bool:
    """Whether two values that become the same can be spellings of one thing."""
    spelled_out = len(one) > 1 < len(other) and key(both) in (key(one), key(other))
    if layout(one) == layout(other) and key(one) != key(other) and not spelled_out:
        return min(len(one), len(other)) > SHORT and _ratio(key(one), key(other)) >= INITIAL
    if contradict(one, other):
        return False
    spelled = [text for text in (one, other) if related(text, both)]
    return len(spelled) == 2 or related(one, other) or related(other, one)


@lru_cache(maxsize=4_096)
def _alike(change: Change) -> float:
    """How much a value is like what it becomes, from 0 to 1, by its letters alone."""
    short, long = sorted(map(key, change), key=len)
    if not short:
        return 0.0
    if is_short_for(short, long):
        return max(INITIAL, _ratio(short, long))
    return _ratio(short, long)


def _ratio(short: str, long: str) -> float:
    return difflib.SequenceMatcher(None, short[:COMPARED], long[:COMPARED], autojunk=False).ratio()
