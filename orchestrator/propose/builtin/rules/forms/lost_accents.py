"""Texts that lost their accents get those of a frequent text: "Malaga" → "Málaga", "Duesseldorf" → "Düsseldorf".

Needed as proof: the text with accents is eight times as frequent as all that lack them, twenty times where these
recur, and two texts lost theirs, or one that is as rare; umlauts that are written out in two texts need not be rare,
and where most texts with accents lost theirs, three or more, twice as frequent is enough. Left alone: names of persons,
words in small letters ("tache" is not "tâche"), accents on the last letter ("Paye" is not "Payé"), an umlaut that only
lost its points ("Mantel" and "Mäntel"), other words, things that other columns tell apart, and texts that two frequent
ones would fit.
"""

import unicodedata
from collections import Counter

from orchestrator.core.conventions import ColumnConvention
from orchestrator.propose.builtin.repair_rule import RepairRule, RuleFinding
from orchestrator.propose.builtin.rules.exemptions.spelling_exceptions import (
    are_other_words,
    is_another_thing,
    is_of_its_own,
)
from orchestrator.propose.builtin.working_rows import TextColumn, WorkingRows

_FREQUENT = 8  # rows of the text with accents
_RARER, _MUCH_RARER = 8, 20  # times as rare are those without
_RECURS = 3  # rows of those without
_THROUGHOUT, _MOST = 3, 0.6  # texts with accents, most of which lost theirs somewhere
_SHORTEST, _LONGEST = 5, 60
_PLAIN = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "ı": "i", "æ": "ae", "œ": "oe"})
_WRITTEN_OUT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe"})


def _with_accents(value: str, written: dict[str, str]) -> str:
    """The frequent text that the value is without accents, in whatever case; any other text as it is."""
    return written.get(value.lower(), value)


def _look(column: TextColumn, convention: ColumnConvention, table: WorkingRows) -> RuleFinding | None:
    if convention.values or convention.case or is_of_its_own(column):
        return None
    frequent = [text for text, n in column.counts.items() if n >= _FREQUENT and _is_word(text)]
    accented = [text for text in frequent if not text.isascii() and text[0].isupper()]
    keys = [(key, text) for text in accented for key in _without_accents(text)]
    if not keys:
        return None
    with_some = {small for text in column.counts if not text.isascii() and _has_accents(small := text.lower())}
    many = Counter(key for small in with_some for key in _keys(small))
    lost: dict[str, list[str]] = {}
    for text in column.counts:
        lost.setdefault(text.lower(), []).append(text)
    habit = {key for key, text in keys if key in lost and key == _written_out(text) != _stripped(text.lower())}
    rare = _are_no_rarer if len(habit) > 1 else _are_rare
    found = len({text for key, text in keys if key in lost})
    others = _are_half if found >= max(_THROUGHOUT, _MOST * len({*accented})) else _are_rare
    written = {
        key: text
        for key, text in keys
        if many[key] == 1
        and all((rare if key in habit else others)(column.counts[o], column.counts[text]) for o in lost.get(key, ()))
        and not are_other_words(key.split())
        and not any(is_another_thing(table, column, other, text) for other in lost.get(key, ()))
    }
    mended = [key for key in written if key in lost]
    rows = sum(column.counts[text] for key in mended for text in lost[key])
    much_rarer = all(_MUCH_RARER * rows <= column.counts[written[key]] for key in mended)
    return RuleFinding({"written": dict(sorted(written.items()))}) if mended and (mended[1:] or much_rarer) else None


def _is_word(text: str) -> bool:
    return len(_written_out(text)) >= _SHORTEST and len(text) <= _LONGEST


def _are_rare(count: int, frequent: int) -> bool:
    return count * (_MUCH_RARER if count >= _RECURS else _RARER) <= frequent


def _are_half(count: int, frequent: int) -> bool:
    """Where each text with accents is written without them, too, some of the rows were typed without any."""
    return 2 * count <= frequent


def _are_no_rarer(count: int, frequent: int) -> bool:
    """Where several texts have umlauts written out, one may be as frequent as with them: nobody types ue for u."""
    return count <= 3 * frequent


def _written_out(text: str) -> str:
    return _stripped(text.lower().translate(_WRITTEN_OUT))


def _without_accents(text: str) -> set[str]:
    """How a text may be typed by who has no accents, in small letters; nothing where its last letters have some."""
    small = text.replace("İ", "i").lower()
    if any(_has_accents(word[-1]) for word in small.split()):
        return set()
    forms = _keys(small)
    if any(sign in small for sign in "äöü"):
        forms.discard(_stripped(small))
    return {form for form in forms if form != text.lower() and not _has_accents(form)}


def _keys(small: str) -> set[str]:
    return {_stripped(small), _stripped(small.translate(_WRITTEN_OUT))}


def _has_accents(text: str) -> bool:
    return _stripped(text) != text


def _stripped(text: str) -> str:
    letters = unicodedata.normalize("NFD", text.translate(_PLAIN))
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


RULE = RepairRule(
    name="restore_accents_in_{columns}",
    issue="Some texts in {columns} lack the accents of a frequent one.",
    doc="Write texts that lost their accents like the frequent ones that have them.",
    fix=_with_accents,
    look=_look,
    compares=True,
)
