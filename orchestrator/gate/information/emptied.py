"""Texts that become empty though nothing says that they are wrong. Called by the check `keeps-information`.

A word that is none for nothing is a value, however many rows have it, and whatever `detect` says of it: a third of the
rows may be `held`. What speaks of nothing, as `not assigned` does, stands in many rows, or is built as no other cell.
"""

import datetime as dt
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from math import inf, isfinite
from typing import Any

from orchestrator.gate.information.null_tokens import (
    holds_something,
    is_empty_container,
    is_missing,
    is_placeholder,
    is_saying,
    speaks_of_nothing,
    stands_for_missing,
)
from orchestrator.gate.information.similarity import NO, YES, key
from orchestrator.gate.information.tokens import layout, words
from orchestrator.gate.information.value_kinds.known_words import things
from orchestrator.gate.information.value_kinds.typed_values import microseconds

_FIGURES = re.compile(r"(?<!\d)-?\d{1,15}(?:\.\d{1,15})?")
_NO_DAY = re.compile(r"\b9999\b|\b0000\b|\b19(?:00|70)-01-01\b")  # what programs write where there is no date
SHORT_TEXT = 60  # characters in which a number is looked for
_PLAIN = re.compile(r"[+-]?\d+(?:\.\d+)?")
_ANSWERS = frozenset(word for word in YES | NO if len(word) > 1)  # no pets is not an unknown number of pets
OFTEN = 3  # rows of a text that may stand for nothing
_SAYS_NONE = re.compile(r"\b(?:no|none|not|nothing|nobody|nil|without|empty|keine?|aucune?|ninguno?)\b", re.IGNORECASE)
_AGAIN = 3  # how often one figure alone is nothing that anybody has measured
SEVERAL = 2  # different texts that are too many to stand for nothing
ALIKE = 3  # different texts that stay and show how the column's are built
_CODE = 2  # letters of a country's code
_HOLDING_SUCH = ("country", "state", "language", "salutation", "level", "element", "result")  # `NA`, `Miss`, `error`
NEARLY_ALL = 0.8  # of the different values that stay: one that is written alike may be misspelled
NUMBERS = 8  # different numbers that stay and show what the column's are
BESIDE = 10  # a step from one value to the next is this part of the range at most


def emptied_like_others(before: Sequence[Any], after: Sequence[Any], elsewhere: Sequence[Any] = ()) -> list[int]:
    """The rows whose text is gone though it looks like others that stay, or whose list or object with anything in it.

    `elsewhere`: cells of other rows.
    """
    pairs = enumerate(zip(before, after, strict=True))
    full = [row for row, (one, other) in pairs if one and isinstance(one, list | dict) and is_missing(other)]
    return full + _texts_emptied([None if isinstance(one, list | dict) else one for one in before], after, elsewhere)


def _texts_emptied(before: Sequence[Any], after: Sequence[Any], elsewhere: Sequence[Any]) -> list[int]:
    emptied = [row for row, other in enumerate(after) if is_missing(other) and not is_missing(before[row])]
    sizes = {row: size for row in emptied if (size := _on_a_line(before[row])) is not None}
    if cut := _cut_off({row: size for row, size in sizes.items() if not stands_for_missing(before[row])}, after):
        return cut
    meant = _values_here({before[row] for row in emptied}, {one for one in after if isinstance(one, str)})
    gone = [row for row in emptied if before[row] in meant or _lost(before[row])]
    if not gone:
        return []
    nothing = {
        one.strip().casefold()
        for one, other in zip(before, after, strict=True)
        if isinstance(one, str) and is_missing(other) and not holds_something(one) and any(map(str.isalpha, one))
    }
    often = Counter(value for value in (*before, *elsewhere) if isinstance(value, str))
    stay = Counter(layout(value) for value in {value for value in after if isinstance(value, str)})
    numbers = {str(value) for value in after if _number(value)}
    several = {one for one in map(before.__getitem__, gone) if _words_only(one) and stay[layout(one)] >= ALIKE}
    values = _of_words_that_stay(set(map(before.__getitem__, gone)), after)
    return [
        row
        for row in gone
        if before[row] in meant
        or (_number(before[row]) and len(numbers) >= ALIKE and not _far_off(numbers))
        or (stay[layout(str(before[row]))] >= ALIKE and (often[before[row]] < OFTEN or len(several) >= SEVERAL))
        or (isinstance(before[row], str) and any(map(str.isalpha, before[row])) and not speaks_of_nothing(before[row]))
        or _holds_word_for_nothing(before[row], nothing)
        or before[row] in values
        or key(str(before[row])) in _ANSWERS
    ]


def values_emptied(before: Sequence[Any], after: Sequence[Any]) -> list[int]:
    """The rows whose number, or text with figures or stars, is gone, and none that stands for nothing or is far off.

    A number lies far off if those that stay, with their units or without, are all smaller or all larger.
    """
    pairs = enumerate(zip(before, after, strict=True))
    gone = [(row, one) for row, (one, other) in pairs if is_missing(other) and holds_something(one)]
    days = Counter(one for _, one in gone if isinstance(one, dt.date | dt.timedelta))
    stay = {str(value) for value in after if not is_missing(value)} if gone else ()
    sizes = [size for value in stay if (size := _figures(value)) is not None]
    low, high = (min(sizes), max(sizes)) if len(sizes) >= ALIKE else (-inf, inf)
    return [
        row
        for row, one in gone
        if _is_value(str(one))
        if not _stands_for_none(one, days)
        if (size := _figures(str(one))) is None or low <= size <= high
    ]


def _figures(text: str) -> float | None:
    """The first number of a text."""
    found = _FIGURES.search(text[:SHORT_TEXT])
    return None if found is None else float(found[0])


def _is_value(text: str) -> bool:
    """A text with figures, or of signs that say something, such as stars."""
    return any(map(str.isdigit, text)) or not any(map(str.isalnum, text))


def _stands_for_none(value: Any, days: Mapping[Any, int]) -> bool:
    """By its looks. Of typed days and spans of time only one that several rows have; `days`: how many have each."""
    if isinstance(value, dt.date | dt.timedelta) and days[value] < OFTEN:
        return False
    named = _NO_DAY.search(str(value)) is not None
    return named or is_placeholder(value) or stands_for_missing(value) or _speaks(value)


def _speaks(value: Any) -> bool:
    return isinstance(value, str) and speaks_of_nothing(value)


def _values_here(gone: set[Any], stay: set[str]) -> set[str]:
    """What is a value beside those that stay: `NA` among codes of countries, `Miss` among titles, - beside +, and %."""
    codes = {text.strip() for text in stay if holds_something(text)}
    texts = {one for one in gone if isinstance(one, str)}
    found = {text for text in texts if all(map(is_saying, text.strip())) or _of_their_kind(text.strip(), codes)}
    return found | (texts & {"-"} if "+" in codes else set())


def _of_their_kind(word: str, stay: set[str]) -> bool:
    """Whether a word for nothing is written as those that stay, and is of the kind that nearly all are of.

    Where all are of a kind that it is not of as well, nobody knows: `NA` beside `CA`, `DE` and `AL`, which are states.
    """
    if holds_something(word):
        return False
    alike = [one for one in stay if layout(one) == layout(word) and (len(word) > _CODE or len(one) == len(word))]
    if len(alike) < ALIKE:
        return False
    own, others = [0], [0]
    for kind in _HOLDING_SUCH:
        count = sum(_of_kind(kind, one) for one in stay)
        strange = any(not _of_kind(kind, one) and one not in alike for one in stay)
        (own if things(kind, word) else others).append(0 if strange else count)
    return max(own) >= NEARLY_ALL * len(stay) and max(own) > max(others)


def _of_kind(kind: str, text: str) -> bool:
    """Whether it is of the kind, or a part of a country: `US-CA`."""
    front, sign, _ = text.partition("-")
    parts = kind == "country" and sign != "" and len(front) == _CODE
    return bool(things(kind, text)) or (parts and bool(things(kind, front)))


def gone_alike(value: Any, shown: Any) -> bool:
    """Whether a witness that shows how one value becomes empty speaks for another: the same, or a number or date alike.

    Of words it speaks for itself alone: that `present` is no end of a job says nothing of `summer 2015`. What stands
    for nothing by its looks speaks for no value: that 0000-00-00 is no date says nothing of 2024-06-01.
    """
    one, other = (str(each).strip().casefold() for each in (value, shown))
    if one == other:
        return True
    alike = any(map(str.isdigit, one)) and layout(one) == layout(other)
    return alike and (_written_for_none(one) or not _written_for_none(other))


def _written_for_none(text: str) -> bool:
    """A day that never was, a number such as -999, nothing but zeros, or one figure three times and more."""
    figures = [sign for sign in text if sign.isdigit()]
    same = len(set(figures)) == 1 and (figures[0] == "0" or len(figures) >= _AGAIN)
    return same or stands_for_missing(text) or _NO_DAY.search(text) is not None


def lists_emptied(before: Sequence[Any], after: Sequence[Any], shown: Sequence[tuple[Any, Any]]) -> list[int]:
    """The rows whose text says something and becomes a list or object without anything, which no witness shows."""
    known = {key(str(one)) for one, other in shown if isinstance(one, str | int) and is_empty_container(other)}
    return [
        row
        for row, (one, other) in enumerate(zip(before, after, strict=True))
        if isinstance(one, str) and is_empty_container(other) and holds_something(one)
        if key(one) not in known and not _SAYS_NONE.search(one)
    ]


def _cut_off(gone: Mapping[int, float], after: Sequence[Any]) -> list[int]:
    """The rows of several different values on a line that lie among those that stay or go on from them step by step.

    Such as 46, 50 and 53 beside 1 to 45, and days before March. What is no value lies far off, has a sign that no other
    has, or is one number that stands for nothing.
    """
    sizes = {size for value in after if (size := _on_a_line(value)) is not None} if gone else set()
    if len(sizes) < NUMBERS:
        return []
    least, most = min(sizes), max(sizes)
    step = (most - least) / BESIDE
    floor = 0.0 if least >= 0 else -inf
    near: list[int] = []
    for row, size in sorted(gone.items(), key=lambda one: (max(one[1] - most, least - one[1]), one[0])):
        if least - step <= size <= most + step and size > floor:
            near.append(row)
            least, most = min(least, size), max(most, size)
    return sorted(near) if len({gone[row] for row in near}) >= ALIKE else []


def _on_a_line(value: Any) -> float | None:
    """A finite number or its text, and a date or time stamp as a number; None for anything else."""
    moment = microseconds(value)
    if moment is not None:
        return float(moment)
    size = _size(value) if _number(value) else inf
    return size if isfinite(size) else None


def _of_words_that_stay(gone: set[Any], after: Sequence[Any]) -> set[Any]:
    """Several different texts each of which has a word that other cells keep: `lamp (used)` and `mug (used)`."""
    stay = {word for value in after if isinstance(value, str) for word in words(value) if len(word) >= ALIKE}
    found = {text for text in gone if isinstance(text, str) and len(own := words(text)) > 1 and stay.intersection(own)}
    return found if len(found) >= SEVERAL else set()


def _words_only(value: Any) -> bool:
    return isinstance(value, str) and not any(map(str.isdigit, value))


def _far_off(numbers: set[str]) -> bool:
    """Whether zero lies further from these numbers than they from each other: 0 among the years 1870 to 2020."""
    sizes = [float(number) for number in numbers]
    return min(map(abs, sizes)) > max(sizes) - min(sizes)


def _holds_word_for_nothing(value: Any, nothing: set[str]) -> bool:
    """Whether a text has a word for nothing in it that goes as well, as `Nullmeier` has: it was taken for one."""
    return isinstance(value, str) and any(word in value.casefold() for word in nothing)


def _number(value: Any) -> bool:
    if isinstance(value, int | float):
        return not isinstance(value, bool) and not is_missing(value)
    return isinstance(value, str) and _PLAIN.fullmatch(value.strip()) is not None


def _size(value: Any) -> float:
    """Of a number or its text; infinite where it has more figures than a float can hold, which JSON may have."""
    return float(str(value))


def _lost(value: Any) -> bool:
    if _number(value) and _size(value) == 0:
        return True  # of other numbers nobody can say by their looks whether they are ones that may be
    if not isinstance(value, str) or not holds_something(value) or value.strip().isdecimal():
        return False
    return not is_placeholder(value) and not stands_for_missing(value)
