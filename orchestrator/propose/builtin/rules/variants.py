"""Open columns (names, breweries, streets): "the Old mill" → "The Old Mill" where that is frequent.

The spelling rule repairs closed lists. Here nothing is known of most texts; only what is nearly a frequent one is
changed: the same but for case, quotes or separators, or with one typing error in a word that does not occur elsewhere.
Left alone: everything else, and names of persons, paths and web addresses, where every spelling may be meant.
"""

import functools
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from orchestrator.core.conventions import ColumnConvention
from orchestrator.propose.builtin.distance import _edits, _fingerprint
from orchestrator.propose.builtin.preferences import Preferences
from orchestrator.propose.builtin.remedy import Remedy
from orchestrator.propose.builtin.repair_rule import RepairRule, RuleFinding
from orchestrator.propose.builtin.rules import spelling
from orchestrator.propose.builtin.rules.exemptions.other_cells import Beside, in_rows
from orchestrator.propose.builtin.rules.exemptions.spelling_exceptions import (
    _is_inflection,
    are_other_words,
    is_another_thing,
    is_of_its_own,
    other_words,
)
from orchestrator.propose.builtin.rules.usual_case import gives_way, usual_case
from orchestrator.propose.builtin.working_rows import TextColumn, WorkingRows

_OFTEN = 4  # rows of a text that others are measured by
_FREQUENT = 8  # rows of a text before a slip of it is believed in
_RARER = 4  # times rarer is another way to write it
_MOST_LISTED = 600
_MOST_CHARS = 20_000
_SLIPS = 2  # different texts with a slip: fewer may be names of their own


def _by_words(listed: list[str], frequent: list[str], keep: list[str]) -> dict[str, list[str]]:
    """The listed texts by fingerprint, the frequent ones by what they are without one word, and all of them."""
    found: dict[str, list[str]] = {text: [text] for text in (*listed, *keep)}
    for text in listed:
        found.setdefault(f"print {_fingerprint(text)}", []).append(text)
    for text in frequent:
        words = text.split(" ")
        for place, word in enumerate(words):
            rest = " ".join([*words[:place], "", *words[place + 1 :]])
            found.setdefault(f"rest {rest} {word[:1]}", []).append(text)
    return found


def _nearly(value: str, lookup: dict[str, list[str]]) -> str:
    """The frequent text that is meant; a known text, or one that is near none or several, as it is."""
    if value in lookup or not 3 < len(value) <= 100:
        return value
    alike = lookup.get(f"print {_fingerprint(value)}", [])
    if alike:
        return alike[0] if len(alike) == 1 else value
    found = set()
    words = value.split(" ")
    for place, word in enumerate(words):
        rest = " ".join([*words[:place], "", *words[place + 1 :]])
        for text in lookup.get(f"rest {rest} {word[:1]}", []) if len(word) >= 4 else ():
            right = text.split(" ")[place]
            plain = word.isalpha() and right.isalpha() and word.isascii() == right.isascii()
            if plain and len(right) >= 5 and _edits(word, right, 1) == 1 and not _is_inflection(word, right):
                found.add(text)
    return found.pop() if len(found) == 1 else value


@dataclass(frozen=True)
class _Learnt:
    listed: list[str]
    frequent: list[str]
    keep: list[str]  # nearly listed, but texts of their own
    variants: list[str]
    slips: list[str]


def _look(column: TextColumn, convention: ColumnConvention, table: WorkingRows) -> RuleFinding | None:
    if convention.values or is_of_its_own(column) or spelling.is_closed_list(column):
        return None
    learnt = _learn(column, table)
    if learnt is None or len(learnt.variants) + len(learnt.slips) < _SLIPS:
        return None
    # Where no slip was seen, what other rows hold may be names of their own.
    frequent = learnt.frequent if learnt.slips else []
    return RuleFinding({"listed": learnt.listed, "frequent": frequent, "keep": learnt.keep})


def _learn(column: TextColumn, table: WorkingRows) -> _Learnt | None:
    """What the column's texts say; None where it is no column of words or nothing stands there often."""
    if column.filled < 20 or column.share(lambda text: 2 * sum(map(str.isalpha, text)) >= len(text)) < 0.9:
        return None
    listed = [t for t, n in column.counts.most_common(_MOST_LISTED) if n >= _OFTEN and 4 <= len(t) <= 100]
    while sum(map(len, listed)) > _MOST_CHARS:
        listed = listed[: len(listed) * 3 // 4]
    frequent = [text for text in listed if column.counts[text] >= _FREQUENT]
    lookup = _by_words(listed, frequent, [])
    kind = usual_case(column)
    words = Counter[str]()
    for text, count in column.counts.items():
        words.update(dict.fromkeys(text.casefold().split(" "), count))
    variants, slips, keep = [], [], []
    for text, count in column.counts.items():
        right = _nearly(text, lookup)
        if right == text:
            continue
        same = _fingerprint(text) == _fingerprint(right)
        odd = set(text.casefold().split(" ")) - set(right.casefold().split(" "))
        rare = count * (_RARER if count == 1 else 3 * _RARER) <= column.counts[right]
        if same and gives_way(right, column.counts[right], text, count, kind) and rare:
            variants.append(text)
        elif (
            not same
            and rare
            and count <= 2
            and all(words[word] <= count for word in odd)
            and not are_other_words(odd)
            and not is_another_thing(table, column, text, right)
        ):
            slips.append(text)
        else:
            keep.append(text)
    if len(slips) < _SLIPS:
        keep, slips = [*keep, *slips], []
    others = set(other_words(frequent)) - set(listed)
    return _Learnt(sorted(listed), sorted(frequent), sorted({*keep, *others})[:500], variants, slips)


def _meant_nearly(
    listed: list[str], frequent: list[str], keep: list[str], beside: list[dict[str, list[str]]]
) -> "tuple[Callable[[str], str], Beside]":
    """What is meant by a text, which is remembered, and what goes with that in the other cells of its row."""
    lookup = _by_words(listed, frequent, keep)
    return functools.cache(lambda value: _nearly(value, lookup)), beside


def find(table: WorkingRows, preferences: Preferences) -> Iterator[Remedy]:
    """The repairs that columns need: one for a column where others tell its texts apart, else for several."""
    found = (
        (column, finding, finding.settings["frequent"])
        for column in table.columns
        if (finding := _look(column, preferences[column.name], table)) is not None
    )
    yield from in_rows(RULE, table, found, _meant_nearly, (_by_words, _nearly))


RULE = RepairRule(
    name="same_writing_in_{columns}",
    issue="Some frequent texts in {columns} are written in other ways too, or misspelt.",
    doc="Write what is nearly one of the frequent texts of its column like it.",
    fix=_nearly,
    look=_look,
    compares=True,
    derive=_by_words,
    helpers=(_edits, _fingerprint, _is_inflection),
    examples=24,
)
