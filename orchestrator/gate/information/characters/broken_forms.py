"""Signs and blanks that go or come where they held a value together or apart. Called by character_laws.py.

The letters and figures stay, so that other laws take the cells for the same.
"""

import html
import json
import re
from collections.abc import Sequence
from itertools import pairwise

from orchestrator.gate.information.changes import Change, Found, unchanged_texts
from orchestrator.gate.information.tokens import words
from orchestrator.gate.information.value_kinds.known_words import DECORATION
from orchestrator.gate.information.value_kinds.moments import moments, month_of

LONGEST, LONGEST_TEXT = 200, 2_000  # characters of a cell that is looked at, and of a text
ENOUGH = 2  # words that one comma may turn
LONG = 7  # figures of a telephone number
THOUSAND = 3  # figures behind a mark that may group them
_DECIMALS = re.compile(r"[^\d.]*\d+((?:\.\d+)+)[^\d.]*")
_APOSTROPHE = re.compile(r"[^\W\d_]['\u2019][^\W\d_]")
_NO_LETTER = re.compile(r"[\W\d_]")
_PAIRS = re.compile(r"\d\d(?:\.\d\d){3,6}")  # of a telephone number
_TARIFF = re.compile(r"\d{4}(?:\.\d\d){1,3}")  # 8471.30.00, which customs write with blanks as well
_RATED = re.compile(r"(\d+)\.(\d{1,2}) ?/ ?\d+")
_HOST = re.compile(r"https?://([\w-]+(?:\.[\w-]+)+)")
_FIRST_ZERO = re.compile(r"\(?0\d+\)?(?:[ -]\d+)+")
_GROUPED = re.compile(
    r"(?<![\d,.])\d{1,3}(?:,\d{3})+(?:(?![\d.])(?!,\d)|(?=\.\d\d(?!\d)))|(?<=[$€£¥])\d{1,3}(?:,\d{3})+"
)
_AMOUNT = re.compile(r"[$€£¥+%]|\.\d\d\b")
_SIGN_ALONE = re.compile(r"\W*[%$€£¥°]\W*")
_PARTED = re.compile(r"([^\W\d_]{2,})[,;|]([^\W\d_]{2,})")
_SEVERAL = re.compile(r"[,;|]")  # between the parts of an address, or items
_TITLE = re.compile(r"(?<![^\W_])[A-Z\u00c0-\u00de][a-z\u00df-\u00ff]{2,}(?![^\W_])")
_ASKED, _ENTITY = re.compile(r"\?\w"), re.compile(r"&(?:#\d{2,4}|#x[0-9a-fA-F]{2,4}|[a-z]{2,6});")
_WORD = re.compile(r"[^\W\d_]*[a-z\u00df-\u00ff]{3,}")


def decimal_mark_to_blank(changed: Sequence[Change]) -> Found | None:
    """`1.5` as `1 5`. Groups of three figures and parts of a date may be parted by blanks."""
    for before, after in _short(changed):
        rated = _RATED.fullmatch(before.strip())
        if rated and re.search(rf"{rated[1]}\s+{rated[2]}\b", after):
            return "a point inside a number becomes a blank", (before, after)
        number = _DECIMALS.fullmatch(before.strip())
        figures = re.sub(r"[^\d\s]", "", after).split()
        if number is None or "." in after or figures != re.findall(r"\d+", before):
            continue
        grouped = all(len(part) == THOUSAND for part in number[1].split(".")[1:])
        grouped = grouped or any(form.fullmatch(before.strip()) for form in (_TARIFF, _PAIRS))
        if not grouped and not moments(before) & moments(after):
            return "a point inside a number becomes a blank", (before, after)
    return None


def apostrophe_gone(changed: Sequence[Change]) -> Found | None:
    """Of a text of several words one loses its apostrophe: `It's fine` as `Its fine`, and then we'll as well."""
    for before, after in changed:
        if len(before) > LONGEST_TEXT or not _APOSTROPHE.search(before):
            continue
        ours, theirs = before.split(), after.split()
        if len(ours) < ENOUGH or len(ours) != len(theirs):
            continue
        for one, other in zip(ours, theirs, strict=True):
            letters = [_NO_LETTER.sub("", word).casefold() for word in (one, other)]
            if _APOSTROPHE.search(one) and not _APOSTROPHE.search(other) and letters[0] == letters[1]:
                return "a word loses its apostrophe", (before, after)
    return None


def number_parted(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """`10,000+` as `10, 000+`. Without a sign of an amount, and without whole numbers beside it, it may be a list."""
    stay = {one for one in unchanged_texts(cells) if one.strip()}
    beside = len(stay) > ENOUGH and all(map(str.isdecimal, stay))
    for before, after in _short(changed):
        numbers = _GROUPED.findall(before) if beside or _AMOUNT.search(before) else ()
        if any(number.replace(",", ", ") in after for number in numbers):
            return "one number becomes several", (before, after)
    return None


def first_zero_gone(changed: Sequence[Change]) -> Found | None:
    """The zero in front of a number in groups that stay: `080 41714161` as `80 41714161`."""
    for before, after in _short(changed):
        grouped = _FIRST_ZERO.match(before) and sum(map(str.isdecimal, before)) >= LONG and not moments(before)
        if grouped and after.strip() == before.strip().replace("0", "", 1):
            return "the zero in front of a number in groups is left out", (before, after)
    return None


def address_unmarked(changed: Sequence[Change]) -> Found | None:
    """The points of a web address go: `https://www.shop.example/a` as `https://wwwshopexample/a`."""
    for before, after in changed:
        host = _HOST.match(before.strip())
        if host and "." not in after and re.sub(r"\W", "", host[1]) in re.sub(r"\W", "", after):
            return "an address loses its points", (before, after)
    return None


def number_gone_from_sign(changed: Sequence[Change]) -> Found | None:
    """`0%` as `%`."""
    for before, after in _short(changed):
        if re.search(r"\d", before) and _SIGN_ALONE.fullmatch(after):
            return "a number goes and its sign stays", (before, after)
    return None


def month_gone(changed: Sequence[Change]) -> Found | None:
    """Of a date only its figures are left, joined: `Jun 30, 2021` as `302021`."""
    for before, after in _short(changed):
        figures, names = re.findall(r"\d+", before), re.findall(r"[^\W\d_]+", before)
        if len(figures) > 1 and after.strip() == "".join(figures) and any(map(month_of, names)) and moments(before):
            return "the month of a date is left out", (before, after)
    return None


def no_list_any_more(changed: Sequence[Change]) -> Found | None:
    """A list or an object in JSON of which every sign stays, in another place: nobody can read it."""
    for before, after in changed:
        if before.lstrip()[:1] not in ("[", "{") or not re.search(r"[\[\]{}]", after) or not _is_json(before):
            continue
        if not _is_json(after) and sorted("".join(before.split())) == sorted("".join(after.split())):
            return "a list or an object can no longer be read as one", (before, after)
    return None


def case_turned_round(changed: Sequence[Change]) -> Found | None:
    """`Nina` as `nINA`, which nobody writes."""
    for before, after in _short(changed):
        if any(match[0].swapcase() == after[match.start() : match.end()] for match in _TITLE.finditer(before)):
            return "small and capital letters are exchanged", (before, after)
    return None


def words_without_their_sign(changed: Sequence[Change]) -> Found | None:
    """The sign between two words goes, and blanks part the others: `Vera Hill,Austin` as `Vera HillAustin`."""
    for before, after in _short(changed):
        together = after.split()
        if len(together) > 1 and any(
            any(one + other in word for word in together) and one + other not in before
            for one, other in _PARTED.findall(before)
        ):
            return "words are joined that a sign kept apart", (before, after)
    return None


def turned_inside_parts(changed: Sequence[Change]) -> Found | None:
    """Two words between the same commas change places: `Buhler Point,Austin` as `Austin, Point Buhler`.

    The parts may change places, and a number or a title may go to another end of its part.
    """
    for before, after in _short(changed):
        new = words(after)
        if "://" in before or not _SEVERAL.search(before) or len(new) <= ENOUGH or sorted(new) != sorted(words(before)):
            continue
        places = {word: place for place, word in enumerate(new) if new.count(word) == 1 and word.isalpha()}
        parts = [
            [places[word] for word in words(part) if word in places and word not in DECORATION]
            for part in _SEVERAL.split(before)
        ]
        for part in parts:
            others = {place for other in parts if other is not part for place in other}
            if any(other < one or not others.isdisjoint(range(one, other)) for one, other in pairwise(part)):
                return "words change places inside of their part", (before, after)
    return None


def figures_of_words_joined(changed: Sequence[Change]) -> Found | None:
    """Two figures of a text meet where its blanks go: `Core i7 2.7GHz` as `Corei72.7GHz`."""
    for before, after in _short(changed):
        parts = before.split()
        if " " in after or not any(map(_WORD.fullmatch, parts)):
            continue
        for one, other in pairwise(parts):
            named = not (one.isdecimal() and other.isdecimal())
            if named and one[-1].isdecimal() and other[0].isdecimal() and one + other in after:
                return "figures that stood apart become one number", (before, after)
    return None


def _short(changed: Sequence[Change]) -> list[Change]:
    return [change for change in changed if len(change[0]) <= LONGEST]


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def question_mark_put_in(changed: Sequence[Change]) -> Found | None:
    """A question mark in front of a letter or figure, where a program could not write a sign: `LMP-12?34`."""
    for before, after in changed:
        if "?" not in before and after.replace("?", "") == before and _ASKED.search(after):
            return "a question mark is put in", (before, after)
    return None


def entity_exchanged(changed: Sequence[Change]) -> Found | None:
    """An entity of HTML that becomes another sign than the one that it stands for: `12&quot;` as `12'`."""
    for before, after in changed:
        for entity in set(_ENTITY.findall(before)):
            own = html.unescape(entity)
            front, _, end = before.partition(entity)
            one, other = html.unescape(front), html.unescape(end)
            made = after[len(one) : len(after) - len(other)] if after.startswith(one) and after.endswith(other) else ""
            if own.isascii() and len(made) == 1 and made != own and made.isascii() and not made.isalnum():
                return "an entity becomes another sign than its own", (before, after)
    return None
