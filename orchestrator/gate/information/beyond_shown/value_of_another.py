"""Words that get the value which a witness shows of another word. Called by laws.py.

`on time` as 0 says nothing of `cancelled`, and `ca 1760` as `ABT 1760` nothing of `bef. 1790`: a witness settles one
word and its spellings. Of words that all stay words, column_laws.word_replaced says the same.
"""

import re
from collections import defaultdict
from collections.abc import Sequence

from orchestrator.gate.information.changes import Change, Found
from orchestrator.gate.information.column import Column
from orchestrator.gate.information.null_tokens import both_unknown
from orchestrator.gate.information.similarity import is_short_for
from orchestrator.gate.information.text_changes.words_changed import spells
from orchestrator.gate.information.tokens import figures, words
from orchestrator.gate.information.value_kinds.known_words import DECORATION, same_thing
from orchestrator.gate.information.value_kinds.spelled_numbers import spelled_number
from orchestrator.gate.information.value_kinds.units import names_unit

_PREFIX = re.compile(r"[^\W\d_]+-?")
_MORE = re.compile(r"\d+|[+*]+")
SEVERAL = 2  # words of a name
LONGEST = 60  # characters of a text that is looked at


def value_of_another(column: Column) -> Found | None:
    """A word, or a number with one, that becomes what another becomes which is no spelling of it."""
    if not column.shown:
        return None
    known = DECORATION.union(*(words(before) for before, _ in column.shown))
    for one in column.texts:
        part = any(_is_of_a_part(one, other, known) for other in column.shown)
        if part and not column.says_the_same(*one):  # Austria is AT, whatever `A` becomes
            return "a word gets the value that an example shows of a part of it", one
    unlike = [one for one in column.not_same if max(map(len, one)) <= LONGEST]
    words_alone = [one for one in column.texts if not any(map(str.isdigit, one[0])) and len(one[0]) <= LONGEST]
    shown = defaultdict[str, list[str]](list)
    for one in column.shown:
        if max(map(len, one)) <= LONGEST and (pair := _words(one)):
            shown[pair[1]].append(pair[0])
    for one in dict.fromkeys([*unlike, *words_alone]):  # `refused` is known as a no, which may be a 0
        pair = _words(one)
        if pair and pair[1] in shown and not any(_say_the_same(pair[0], other) for other in shown[pair[1]]):
            return "a word gets the value that an example shows of another word", one
    return _numbers_made_alike(unlike, column.shown) or _unit_of_another(unlike, column.shown)


def _is_of_a_part(change: Change, shown: Change, known: frozenset[str]) -> bool:
    """Whether a longer word or code gets the value of the one inside it: `N10` that of `N1`, `Pre-K` that of `K`.

    Or a team of women that of its club. A word that goes on in letters may be the long form of the short one:
    `Kindergarten` of `K`. `known`: words that say nothing more.
    """
    one, part = change[0].strip().casefold(), shown[0].strip().casefold()
    if change[1] != shown[1] or one == part or not part[-1:].isalnum() or _says(change[1], part):
        return False
    front = one.removesuffix(part) if one.endswith(part) else ""
    behind = one.removeprefix(part) if one.startswith(part) else ""
    more = behind[:1].isspace() and len(words(part)) >= SEVERAL and {*words(behind)} - known
    return bool(_PREFIX.fullmatch(front) or _MORE.fullmatch(behind) or more)


def _says(after: str, part: str) -> bool:
    """Whether the value is the part itself, so that something of the word was left out, and nothing looked up."""
    return {*words(after), *figures(after)} >= {*words(part), *figures(part)}


def _words(change: Change) -> Change | None:
    """A word and the number that it becomes, or the words that become others beside figures that stay."""
    before, after = (text.strip().casefold() for text in change)
    if not any(map(str.isdigit, after)):
        return None
    if not any(map(str.isdigit, before)):
        return (before, after) if words(before) and spelled_number(before) is None else None
    old, new = map(words, change)
    gone, come = ([word for word in ours if word not in theirs] for ours, theirs in ((old, new), (new, old)))
    if not come or figures(before) != figures(after):
        return None
    parts = (*gone, "".join(gone)) if gone else ()
    if any(is_short_for(*pair) for one in parts for new in come for pair in ((one, new), (new, one))):
        return None
    return " ".join(gone), " ".join(come)


def _say_the_same(one: str, other: str) -> bool:
    ours, theirs = {*words(one)}, {*words(other)}
    if ours <= theirs or theirs <= ours:  # `IV` and `Vol. IV`; and what a bare number gets, any may
        return True
    return one == other or spells(one, other) or same_thing(one, other) or both_unknown(one, other)


def _unit_of_another(unlike: list[Change], shown: Sequence[Change]) -> Found | None:
    """`16 kWh` as `16 l`, where witnesses convert other units into that one, and no number stays."""
    converted = [one for one in shown if figures(one[0]) != figures(one[1]) and max(map(len, one)) <= LONGEST]
    units = {word for before, after in converted for word in words(after) if word not in words(before)}
    known = {word for before, _ in shown for word in words(before)}
    for one in unlike:
        gone, come = ({*words(one[at])} - {*words(one[1 - at])} for at in (0, 1))
        stays = figures(one[0]) == figures(one[1]) != ()
        if stays and come and gone and come <= units and not gone & known and all(map(names_unit, gone)):
            return "a unit is replaced by that into which examples convert others, and its number stays", one
    return None


def _numbers_made_alike(unlike: list[Change], shown: list[Change]) -> Found | None:
    """`Gas 6` and `gas mark 4` as 180, where no witness has such a word."""
    known = {word for before, _ in shown for word in words(before)}
    made = defaultdict[str, dict[tuple[str, ...], Change]](dict)
    for one in unlike:
        if (
            figures(one[0])
            and words(one[0])
            and not known & {*words(one[0])}
            and not {*figures(one[0])} & {*figures(one[1])}
        ):
            made[one[1]].setdefault(figures(one[0]), one)
    found = next((ones for after, ones in made.items() if len(ones) > 1 and figures(after)), {})
    return ("different numbers become the same", next(iter(found.values()))) if found else None
