"""Marks without which codes and answers say something else: dots, a stroke, question marks. Called by prose_laws.py."""

import re
from collections.abc import Sequence
from ipaddress import IPv6Address

from orchestrator.gate.information.changes import Change, Found, unchanged_texts
from orchestrator.gate.information.null_tokens import both_unknown, stands_for_missing
from orchestrator.gate.information.similarity import key
from orchestrator.gate.information.tokens import figures
from orchestrator.gate.information.value_kinds.moments import moments

_LOWER_GRADE = re.compile(r"[A-Z]{1,4}[-\u2212]")
MOST_WORDS = 2  # of an answer
_DOTTED = re.compile(r"[^\W\d_]{0,3}\d{1,4}(?:\.\d{1,4}){2,}")
_ADDRESS = re.compile(r"(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)")
_SHORT_PART = re.compile(r"\.\d(?!\d)")
_SIXTEEN = re.compile(r"0x([0-9a-f]{1,16})", re.IGNORECASE)
_DOUBTED = re.compile(r"\S{0,11}\d\s?\?")
_ESTIMATE = re.compile(
    r"[~\u2248\u00b1]|\b(?:ca?|circa|abt|about|approx\w*|est\w*|probabl[ey]|perhaps|doubt\w*|un\w+)\b", re.IGNORECASE
)
_LETTERED = re.compile(r"([A-Za-z]{2,5}(?=[-\d])|[A-Z]{2,5}(?= ))[- ]?(\d{3,12})")  # no word before a year
_NUMBER = re.compile(r"-?\d{1,15}(?:\.\d{1,9})?")
_STROKE = re.compile(r"[^\W\d_]+/[^\W\d_]+")


def dots_between_parts_gone(changed: Sequence[Change]) -> Found | None:
    """The dots of addresses of the net and of versions: `10.1.11.1` and `10.11.1.1` are both `101111` without them.

    Numbers with dots between thousands have parts of three figures, telephone numbers and dates of two at least.
    """
    dotted = [change for change in changed if _DOTTED.fullmatch(change[0].strip())]
    gone = [change for change in dotted if change[1].strip() == change[0].strip().replace(".", "")]
    addresses = all(_ADDRESS.fullmatch(before.strip()) for before, _ in gone)
    short = any(_SHORT_PART.search(before) for before, _ in gone)
    return ("the dots between the parts of a code are left out", gone[0]) if gone and (addresses or short) else None


def letters_of_codes_changed(changed: Sequence[Change]) -> Found | None:
    """As many other letters before the same number: `ZX1256` as `ZY-1256`."""
    for before, after in changed:
        one, other = _LETTERED.fullmatch(before.strip()), _LETTERED.fullmatch(after.strip())
        if not one or not other or one[2] != other[2] or len(one[1]) != len(other[1]):
            continue
        if one[1].casefold() != other[1].casefold() and not moments(before) & moments(after):
            return "the letters of a code become other ones", (before, after)
    return None


def sentinel_as_number(changed: Sequence[Change]) -> Found | None:
    """What programs write where there is no number becomes one: `-999` as `-99.9`."""
    for before, after in changed:
        below = before.strip().startswith("-99")  # 999 may be a price in cents, and -1 a number
        if below and stands_for_missing(before) and not stands_for_missing(after) and _NUMBER.fullmatch(after.strip()):
            return "a number that stands for none becomes another one", (before, after)
    return None


def stroke_gone_as_others(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """Letters that a stroke parts and that become another value of the column: `a/b` as `ab` beside `ab`."""
    stay = unchanged_texts(cells)
    for before, after in changed:
        joined = _STROKE.fullmatch(before.strip()) and after == before.strip().replace("/", "")
        if joined and after in stay and not both_unknown(before, after):
            return "a stroke is left out, and other cells have none", (before, after)
    return None


def question_mark_gone(changed: Sequence[Change]) -> Found | None:
    """The question mark behind a value that is no sentence: `yes?` and `14+1?` are not sure."""
    for before, after in changed:
        doubted = before.strip()[-1:] == "?" and "?" not in after
        same = key(after) == key(before) != "" and len(after.split()) <= MOST_WORDS
        number = _DOUBTED.fullmatch(before.strip()) and figures(before) == figures(after)
        if doubted and (same or (number and not _ESTIMATE.search(after))):
            return "the sign of a doubt is left out", (before, after)
    return None


def grade_lowered(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """A grade without its minus beside the same one that has none: `AA-` as `AA`."""
    stay = unchanged_texts(cells)
    for before, after in changed:
        if _LOWER_GRADE.fullmatch(before.strip()) and after == before.strip()[:-1] and after in stay:
            return "a grade loses its minus, and others have none", (before, after)
    return None


def doubts_gone(changed: Sequence[Change]) -> Found | None:
    """The same of any question mark, as witnesses may show it."""
    return next(
        (("the sign of a doubt is left out", one) for one in changed if "?" in one[0] and "?" not in one[1]), None
    )


def long_addresses_changed(changed: Sequence[Change]) -> Found | None:
    """An address of the net whose colons go: `2001:db8::1` as `2001:db8:1`. Other forms of it are the same."""
    for before, after in changed:
        address = _address(before) if ":" in after and key(before) == key(after) else None
        if address is not None and address != _address(after):
            return "the colons of an address are left out", (before, after)
    return None


def _address(text: str) -> IPv6Address | None:
    try:
        return IPv6Address(text.strip())
    except ValueError:
        return None


def base_left_out(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """A number of base sixteen that loses what says so, beside numbers of base ten: `0x10` as 10 beside `20`."""
    ten = any(isinstance(one, str) and one.strip().isdecimal() for one, _ in cells)
    for before, after in changed if ten else ():
        sixteen = _SIXTEEN.fullmatch(before.strip())
        if sixteen and after.strip().casefold() == sixteen[1].casefold() and int(sixteen[1], 16) > 9:
            return "a number loses its base, and others are of base ten", (before, after)
    return None
