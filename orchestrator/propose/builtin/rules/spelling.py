"""Closed lists of words (cities, categories): "Bostn" and "boston" become "Boston".

The list is learnt: what occurs often is right. Another way to write a listed text (case, separators, quotes, "&" or
"and") becomes the listed one; so does a typing error, where it is rare and near one listed text only. Left alone: two
texts that both occur often, a rare one that recurs more than slips do, texts whose case is their meaning ("5 mW", "5
MW"), and texts that differ in a digit, in a code, or in a word that occurs elsewhere.
"""

import functools
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from math import lgamma, log
from typing import Any

from orchestrator.core.conventions import ColumnConvention
from orchestrator.propose.builtin.distance import _edits, _fingerprint
from orchestrator.propose.builtin.preferences import Preferences
from orchestrator.propose.builtin.remedy import Remedy
from orchestrator.propose.builtin.repair_rule import RepairRule, RuleFinding
from orchestrator.propose.builtin.rules.exemptions.meant_case import CASE_COUNTS, codes_in_case
from orchestrator.propose.builtin.rules.exemptions.other_cells import Beside, in_rows
from orchestrator.propose.builtin.rules.exemptions.spelling_exceptions import (
    _is_inflection,
    are_other_words,
    is_another_thing,
    is_of_its_own,
    other_words,
)
from orchestrator.propose.builtin.rules.exemptions.two_in_case import are_two_things
from orchestrator.propose.builtin.rules.usual_case import gives_way, main_form, usual_case
from orchestrator.propose.builtin.working_rows import TextColumn, WorkingRows

_MOST_LISTED = 200
_LONGEST = 200  # characters: what is longer is prose and no entry of a list
_COVERAGE = 0.8
_RARER, _RARE = 20, 5  # times as often as a slip of it; as a text that may be one
_RECURS, _BY_CHANCE = 3, 0.03  # times a text occurs at least (once less, if two slips), and how likely, were it one
_OFTEN, _LEAST_OFTEN, _OF_ROWS = 0.003, 4, 3000  # of more rows no more are asked: in them a rare text is still a text
_LETTERS_OF_CODE = 6  # in capitals; more may be two words
_JOINED, _RARER_CODE = 5, 6  # letters and figures of a text; times as often as with other blanks
_SIGNED = re.compile(r"^[-\u2013\u2014]\w|\w[-\u2013\u2014]$")
_APART = re.compile(r"^[-\u2013\u2014]\s+|(?<=\S)\s{1,9}[-\u2013\u2014]$")


def _parts(text: str) -> list[str]:
    """The words of a text, folded; hyphens, slashes and apostrophes join words as blanks do."""
    return "".join(" " if sign in "-/'\u2019" else sign for sign in text.casefold()).split()


def _slips(text: str, listed: str) -> int:
    """How many slips make `text` out of `listed`, word by word; 9 where the difference is more than slips.

    What joins words must be the same. Short words in capitals that a sign joins are codes (`KJFK-KLAX`), and slashes
    in small letters part paths and types (`image/jpeg`).
    """
    joints = [[sign for sign in one.strip() if sign in " -/'\u2019"] for one in (text, listed)]
    joined = joints[0] == joints[1] and bool({*joints[0]} - {" "}) and not ("/" in listed and listed.islower())
    words, right = (_parts(one) if joined else one.casefold().split() for one in (text, listed))
    if len(words) != len(right):
        apart = len(listed) >= 8 and abs(len(words) - len(right)) == 1
        return 1 if apart and "".join(words) == "".join(right) else 9
    slips, shortest = 0, 6 if joined and listed.isupper() else 4
    for place, (word, wanted) in enumerate(zip(words, right)):  # noqa: B905 - same length
        if word == wanted:
            continue
        limit = 2 if len(wanted) >= 9 else 1
        starts_alike = word[0] == wanted[0] or (place > 0 and not joined)
        if not (word.isalpha() and wanted.isalpha() and len(wanted) >= shortest and starts_alike):
            return 9
        edits = _edits(word, wanted, limit)
        slips += 9 if edits > limit or _is_inflection(word, wanted) else edits
    return slips if len(listed) >= 6 and slips <= 2 else 9


def _respell(value: str, listed: list[str], written: dict[str, str], slips: bool, keep: list[str]) -> str:
    """The listed text that was meant; a text that is listed, to be kept, or near none or several, as it is."""
    if value in listed or value in keep or len(value) > 100:
        return value
    meant = written.get(_fingerprint(value))
    if meant is not None or not slips:
        return meant or value
    near = sorted((_slips(value, text), text) for text in listed)[:2]
    if not near or near[0][0] > 2 or (len(near) > 1 and near[1][0] == near[0][0]):
        return value
    return near[0][1]


def is_closed_list(column: TextColumn) -> bool:
    """Whether this rule takes care of the column."""
    return (lists := _lists(column)) is not None and len(lists.listed) > 1


def nearly_listed(column: TextColumn, table: WorkingRows) -> dict[str, str]:
    """Rarer texts that one slip makes of a listed one, with it, and that stay: they recur, or may be other words."""
    lists = _lists(column, table) or _Lists()
    pairs = (
        (text, listed)
        for text in [*lists.keep, *(() if lists.are_corrected() else lists.slips), *lists.listed]
        for listed in lists.listed
        if _slips(text, listed) == 1
    )
    return {text: listed for text, listed in pairs if _RARE * column.counts[text] <= column.counts[listed]}


@dataclass
class _Lists:
    """What a column's texts are: listed ones, other ways to write these, slips, and rare ones to be kept."""

    listed: list[str] = field(default_factory=list)
    written: dict[str, str] = field(default_factory=dict)
    slips: list[str] = field(default_factory=list)
    keep: list[str] = field(default_factory=list)

    def are_corrected(self) -> bool:
        """Whether the slips are: a single one may be another word."""
        return len(self.slips) >= 2


def _look(column: TextColumn, convention: ColumnConvention, table: WorkingRows) -> RuleFinding | None:
    if convention.values or is_of_its_own(column) or (lists := _lists(column, table)) is None:
        return None
    settings: dict[str, Any] = {
        "listed": lists.listed,
        "written": lists.written,
        "slips": lists.are_corrected(),
        "keep": sorted({*lists.keep, *other_words(lists.listed)} - set(lists.listed)),
    }
    return RuleFinding(settings) if any(_respell(text, **settings) != text for text in column.counts) else None


def _lists(column: TextColumn, table: WorkingRows | None = None) -> _Lists | None:
    """Sort the column's texts, most frequent first; None where the column has no closed list of words.

    With the table, a text is no slip where the other columns say that it is another thing.
    """
    if column.filled < 20 or column.share(lambda text: sum(map(str.isalpha, text)) >= 0.5 * len(text)) < 0.9:
        return None
    often = max(_LEAST_OFTEN, round(_OFTEN * min(column.filled, _OF_ROWS)))
    lists = _Lists()
    groups = _groups(column)
    common = [total for group in groups.values() if (total := group.total()) >= often]
    if len(common) > _MOST_LISTED or sum(common) < 0.6 * column.filled:
        return None
    words = _common_words(column, often)
    kind, meant = usual_case(column), codes_in_case(column)
    rows = 0
    for print_, group in sorted(groups.items(), key=lambda item: -sum(item[1].values())):
        total = sum(group.values())
        text = main_form(group, kind, meant)
        count = group[text]
        if len(text) > _LONGEST:
            continue
        rivals = [
            other
            for other in group
            if other != text
            and (
                other in meant
                or not gives_way(text, count, other, group[other], kind)
                or (table and are_two_things(table, column, text, other, groups))
            )
        ]
        near = [known for known in lists.listed if _slips(text, known) <= 2]
        if near and _is_slip(text, total, near, column, words, table) and not _recurs(text, total, near, column):
            lists.slips.append(text)
            rows += total
        elif total >= often:
            rows += total
            lists.listed.append(text)
            lists.listed.extend(rivals)
            if not rivals and text not in meant and not CASE_COUNTS.search(text):
                lists.written |= {print_: text} | {_fingerprint(one): text for one in group}
        elif near:
            lists.keep.extend(group)
    if len(lists.listed) < 2:
        lists.keep, lists.slips = [*lists.keep, *lists.slips], []  # one text alone is no list
        if lists.written and any(text.casefold() != lists.listed[0].casefold() for text in column.counts):
            lists.written = {}  # and only where all cells are that text is its case made the usual one
    if rows < _COVERAGE * column.filled or len(lists.listed) > _MOST_LISTED:
        return None
    return lists


def _groups(column: TextColumn) -> dict[str, Counter[str]]:
    """The texts that are one but for the way to write them.

    A dash that stands apart at an end says nothing where no text of the column has one that touches it: `North -`.
    """
    groups: dict[str, Counter[str]] = defaultdict(Counter)
    signed = any(map(_SIGNED.search, column.counts))
    for text, count in column.counts.items():
        groups[_fingerprint(text if signed else _APART.sub("", text))][text] += count
    return _with_lost_blanks(groups)


def _with_lost_blanks(groups: dict[str, Counter[str]]) -> dict[str, Counter[str]]:
    """The groups, with those that differ in blanks alone from one much more frequent: `Net30`, `US HOU`, no two words.

    Between two figures a blank is none that was lost: `Type 1 1`, `Type 11`.
    """
    joined: dict[str, list[str]] = defaultdict(list)
    for print_ in groups:
        if sum(map(str.isalnum, print_)) >= _JOINED and not re.search(r"\d \d", print_):
            joined[print_.replace(" ", "")].append(print_)
    for prints in joined.values():
        usual = groups[max(prints, key=lambda print_: groups[print_].total())]
        text, rows = usual.most_common(1)[0]
        others = [group for print_ in prints if (group := groups[print_]) is not usual]
        short = text.isupper() and sum(map(str.isalpha, text)) <= _LETTERS_OF_CODE
        if not (short or any(map(str.isdigit, text)) or text.count(" ") > 1):
            continue  # New Port is no Newport
        if _RARER_CODE * sum(map(Counter.total, others)) > rows:
            continue
        for print_ in prints:
            if groups[print_] is not usual:
                usual += groups.pop(print_)
    return groups


def _is_slip(
    text: str, count: int, near: list[str], column: TextColumn, words: Counter[str], table: WorkingRows | None
) -> bool:
    """Whether a text is a slip of the one listed text near: much rarer, no word used elsewhere, no thing of its own."""
    counts = sorted((_slips(text, known), known) for known in near)
    if len(counts) > 1 and counts[0][0] == counts[1][0]:
        return False
    meant = counts[0][1]
    odd = {*_parts(text)} - {*_parts(meant)}
    if any(words[word] for word in odd) or are_other_words(odd):
        return False
    rare = count * _RARER <= column.counts[meant] or (count == 1 and column.counts[meant] >= 8)
    return rare and not (table and is_another_thing(table, column, text, meant))


def _recurs(text: str, count: int, near: list[str], column: TextColumn) -> bool:
    """Whether a text occurs more often than one slip would: the slips of a word are nearly all different.

    Of the slips that a word of so many letters invites, each should occur as often as the number of different ones
    that were seen says: where nearly all were seen, several times; where few were, hardly twice. A blank or a
    second letter that is missing or too many makes hardly another word, and may well be a habit.
    """
    slips, meant = min((_slips(text, known), known) for known in near)
    if count < _RECURS - (slips == 2) or _without_doubles(text) == _without_doubles(meant):
        return False
    seen = sum(
        other != text and rows * _RARER <= column.counts[meant] and _slips(other, meant) == 1
        for other, rows in column.counts.items()
    )
    possible = len(meant) ** max(1, slips)
    if not 0 < seen < possible:
        return seen == 0
    expected = -log(1 - seen / possible)
    return count * log(expected) - lgamma(count + 1) < log(_BY_CHANCE)


def _without_doubles(text: str) -> str:
    return re.sub(r"(.)\1", r"\1", "".join(text.casefold().split()))


def _common_words(column: TextColumn, often: int) -> Counter[str]:
    """Words of the texts that occur often: such a word is no slip."""
    words = Counter[str]()
    for text, count in column.counts.items():
        if count >= often * 3:
            words.update(_parts(text))
    return words


def _meant(
    listed: list[str], written: dict[str, str], slips: bool, keep: list[str], beside: list[dict[str, list[str]]]
) -> "tuple[Callable[[str], str], Beside]":
    """What is meant by a text, which is remembered, and what goes with that in the other cells of its row."""
    return functools.cache(lambda value: _respell(value, listed, written, slips, keep)), beside


def find(table: WorkingRows, preferences: Preferences) -> Iterator[Remedy]:
    """The repairs that columns need: one for a column where others tell its texts apart, else for several."""
    found = (
        (column, finding, finding.settings["listed"] if finding.settings["slips"] else ())
        for column in table.columns
        if (finding := _look(column, preferences[column.name], table)) is not None
    )
    yield from in_rows(RULE, table, found, _meant, (_respell,))


RULE = RepairRule(
    name="correct_spelling_in_{columns}",
    issue="Some texts in {columns} are written in several ways or misspelt.",
    doc="Write common texts in one way and correct slips of the keyboard.",
    fix=_respell,
    look=_look,
    compares=True,
    helpers=(_edits, _fingerprint, _is_inflection, _parts, _slips),
)
