"""Hyphens and apostrophes inside words, and at the ends of lines; links and times in one piece. Called by laws.py.

A word that is divided at the end of a line is joined again; two numbers, or a name of two parts, are not.
"""

import re
from collections.abc import Sequence
from itertools import islice

from orchestrator.gate.information.changes import Change, Found, unchanged_texts
from orchestrator.gate.information.value_kinds.known_words import things
from orchestrator.gate.information.value_kinds.moments import month_of

MOST = 50  # words of one text that are looked at
WORDS = 2  # of a text that is no single word or code
_BRACKETED = re.compile(r"[\[({]([A-Z\d][^\[\](){}\n]{0,20})[\])}]([^\W\d_]{3,})")  # not `colo(u)rs`
_AT_LINE_END = re.compile(
    r"(?<!\d)(\d+)-[ \t]{0,9}\n[ \t]{0,9}(\d+)|(?<![^\W\d_])([^\W\d_]+)-[ \t]{0,9}\n[ \t]{0,9}([A-Z][^\W\d_]+)"
)
_DIVIDED = re.compile(r"(?<![^\W\d_])([^\W\d_]{2,})-[ \t]{0,9}\r?\n[ \t]{0,9}([^\W\d_]{2,})")
_CONTRACTED = re.compile(r"\b([^\W\d_]+)['\u2019](s|t|re|ve|ll|d|m)\b", re.IGNORECASE)
_COMPOUND = re.compile(r"\b([^\W\d_]{4,})-([^\W\d_]{4,})\b")
_LINK_OR_TIME = re.compile(r"https?://[^\s<>\"')\]]+|(?<![\w:.])\d{1,2}:\d\d(?![\w:])")
_BROKEN = re.compile(r"https?:(?!//)", re.IGNORECASE)
_ORDINAL = re.compile(r"(?:(?<![^\W\d_])([^\W\d_]{1,20})\s)?(?<![\w.,])(\d{1,4})(?:st|nd|rd|th)\s([^\W\d_]{2,30})")
_COUNTED = re.compile(r"(?<![\w.,])(\d{1,4})\s([^\W\d_]{2,30})")
_BEHIND_A_DAY = frozenset({"of", "at", "on", "and", "or", "to"})
_SIGN_AT_END = re.compile(r"(\w)\s*([-+*#'\u2032\u2212])$|^([-+*#\u2212])\s*(?=\w)")  # of a value: Up-, -Alpha
_MARKS = re.compile(r"[^\w\s]")
_LOST = re.compile(r"['\u2019-]")


def line_ends_joined(changed: Sequence[Change]) -> Found | None:
    """Two numbers, or a name, around a hyphen at the end of a line, in one: `1914-` and `1918` as 19141918."""
    for before, after in changed:
        for match in islice(_AT_LINE_END.finditer(before), MOST):
            joined = (match[1] or match[3]) + (match[2] or match[4])
            if joined in after and joined not in before:
                return "what a line end divided becomes one", (before, after)
    return None


def divided_words_parted(changed: Sequence[Change]) -> Found | None:
    """A word that a hyphen divides at the end of a line becomes two: `infor-` and `mation` as `infor mation`."""
    for before, after in changed:
        for one, other in dict.fromkeys(match.groups() for match in islice(_DIVIDED.finditer(before), MOST)):
            parted = re.compile(rf"\b{one}[ \t\r\n]+{other}\b")
            if other[0].islower() and parted.search(after) and not parted.search(before):
                return "a word that a line end divided becomes two", (before, after)
    return None


def brackets_opened(changed: Sequence[Change]) -> Found | None:
    """What stood in brackets at a word that becomes a part of it: `[Am]sing` as `Amsing`."""
    for before, after in changed:
        for match in islice(_BRACKETED.finditer(before), MOST):
            joined = match[1] + match[2]
            if joined in after and joined not in before and match[0] not in after:
                return "what stood in brackets becomes a part of a word", (before, after)
    return None


def marks_in_words_gone(changed: Sequence[Change]) -> Found | None:
    """An apostrophe or a hyphen inside a word of a text that is left out, where its other signs stay: `dont`."""
    for before, after in changed:
        if len(before.split()) < WORDS or (before.casefold() != before and after == after.casefold()):
            continue  # made small, for a key or a link
        if set(_MARKS.findall(_LOST.sub("", before))) - set(_MARKS.findall(after)):
            continue  # all signs go
        pairs = [*_CONTRACTED.findall(before)[:MOST], *_COMPOUND.findall(before)[:MOST]]
        if any(one + other in after and one + other not in before for one, other in pairs):
            return "a sign inside a word is left out", (before, after)
    return None


def links_and_times_split(changed: Sequence[Change]) -> Found | None:
    """A blank inside a link or a time, where none was: `https ://mug.example`, `16 :17`."""
    for before, after in changed:
        if len(_BROKEN.findall(after)) > len(_BROKEN.findall(before)):
            return "a link or a time is split", (before, after)
        whole = [one[0] for one in islice(_LINK_OR_TIME.finditer(before), MOST) if one[0] not in after]
        joined = "".join(after.split()) if whole else ""
        if any(one in joined for one in whole):
            return "a link or a time is split", (before, after)
    return None


def _of_a_date(word: str) -> bool:
    return bool(month_of(word) or things("weekday", word))


def ordinals_as_counts(changed: Sequence[Change]) -> Found | None:
    """`5th Avenue` as `5 Avenue`, `3rd place` as `3 place`. Days of a month, and an ordinal alone, are numbers, too."""
    for before, after in changed:
        ordinals = {
            (figure, word)
            for front, figure, word in _ORDINAL.findall(before)
            if word.casefold() not in _BEHIND_A_DAY and not any(map(_of_a_date, (front, word)))
        }
        if ordinals and ordinals & (set(_COUNTED.findall(after)) - set(_COUNTED.findall(before))):
            return "an ordinal becomes a count", (before, after)
    return None


def end_signs_gone(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """A sign that tells two values apart which stay, from what is one of them but for blanks and case: `Up -` as `Up`.

    Where no cell has the sign right at its word, `North -` is a slip.
    """
    stay = {one.casefold() for one in unchanged_texts(cells)}
    for before, after in changed:
        value = before.strip().casefold()
        bare = _SIGN_AT_END.sub(r"\1", value).strip()
        if bare == value or bare != after.strip().casefold() or bare not in stay:
            continue
        if _SIGN_AT_END.sub(r"\1\2\3", value) in stay:
            return "a sign that tells a value from another is left out", (before, after)
    return None
