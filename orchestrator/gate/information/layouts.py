"""Whether two texts hold the same content in another layout: markup, counters, order. Called by equivalence.py.

Only marks that nobody reads as content may go: tags, whose attributes say no more than looks, BBCode, emphasis, the
counters 1, 2, 3 of a list, numbers of pages on lines of their own, of footnotes in square brackets. The address of a
link is content.
"""

import re
from collections import Counter
from collections.abc import Callable
from itertools import pairwise

from orchestrator.gate.information.prose.program_texts import without_programs

MAX_LENGTH = 5_000
MAX_PARTS = 8
_WIKI = re.compile(r"\[\[(?:[^\[\]|]*\|)?([^\[\]|]*)\]\]")
_QUOTES = re.compile(r"'{2,5}")
_HEADING = re.compile(r"^#{1,6} ", re.MULTILINE)
_FOOTNOTE = re.compile(r"(?<=\S)\[\d{1,3}\]")
_PAGE = re.compile(
    r"^[ \t]*(?:(?:page|seite|p\.)[ \t]*\d+(?:[ \t]*(?:of|von|/)[ \t]*\d+)?|[-\u2013][ \t]*\d+[ \t]*[-\u2013])[ \t]*$",
    re.IGNORECASE | re.MULTILINE,
)
_LOOKS = (
    r"(?:\s+(?:class|style|id|lang|dir|align|valign|width|height|color|bgcolor|size|face|border)\s*=\s*"
    r"""(?:"[^"<>]*"|'[^'<>]*'|[^\s"'<>]+))*"""
)
_TAG = re.compile(rf"</?[a-z][a-z0-9]*{_LOOKS}\s*/?>", re.IGNORECASE)
_OWN_TAG = re.compile(
    r"<(?!/?(?:a|abbr|b|big|blockquote|br|center|cite|code|del|dd|div|dl|dt|em|font|h[1-6]|hr|i|img|ins|kbd|li|mark|ol|p"
    r"|pre|q|s|small|span|strike|strong|sub|sup|table|tbody|td|th|thead|tr|tt|u|ul|var)\b)/?[a-z][^<>]*>",
    re.IGNORECASE,
)
_BRACKETED = re.compile(r"\[/?(?:b|i|u|s|url|img|quote|code|color|colour|size|font|center)\]", re.IGNORECASE)  # BBCode
_BLOCK = re.compile(r"</?(?:p|br|div|li|ul|ol|tr|td|th|table|h[1-6]|blockquote)\s*/?>", re.IGNORECASE)
_EMPHASIS = re.compile(r"(?!(?<=\d)\*)(\*{1,3}|_{1,3}|`)(?=\S)([^*_`]+?)(?<=\S)\1(?!(?<=\*)\d)")
_COUNTER = re.compile(r"(?:^|(?<=[\s;,]))(0\d{1,2}[.):]?|\d{1,3}[.):])\s+(?=\S)", re.MULTILINE)
_BLANKS = r"(?:(?<!\s)\s+)?"  # not looked for again at each of many blanks
_SEGMENT = re.compile(rf"{_BLANKS}[,;|\n]\s*")
_RANGE = re.compile(rf"{_BLANKS}(?:[-\u2013\u2014~|,;]|\bto\b|\bbis\b|\band\b)\s*", re.IGNORECASE)
_LABELLED = re.compile(r"([A-Z])(\d+)")
_LABELLED_PARTS = re.compile(r"[A-Z]\d+(?:[\s/,;x-]+[A-Z]\d+){1,7}")
_KEYS = str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "22233344455566677778889999")
_DIAL = re.compile(r"\+?[\d(][\d ().-]{2,}[A-Z][\dA-Z ().-]*")


def same_content(before: str, after: str) -> bool:
    """Whether only the layout differs."""
    if len(before) > MAX_LENGTH or before == after:
        return before == after
    return (
        (_unmarked(before) == _unmarked(after) and not (_blocks_joined(before, after) or _marks_put_in(before, after)))
        or _uncounted(before) == _letters(after) != ""
        or _rearranged(before, after)
        or _labels_turned(before, after)
        or _dialled(before, after)
    )


def same_parts(before: str, after: str, same: Callable[[str, str], bool]) -> bool:
    """Whether each part of the one says what its counterpart says: `9am-5pm` and `09:00-17:00`."""
    if len(before) > MAX_LENGTH:
        return False
    ours, theirs = (_RANGE.split(text.strip()) for text in (before, after))
    if not 1 < len(ours) == len(theirs) <= MAX_PARTS or not all(ours) or not all(theirs):
        return False
    return all(one == other or same(one, other) for one, other in zip(ours, theirs, strict=True))


def without_footnotes(text: str) -> str:
    """The text without the numbers of footnotes behind its words."""
    return _FOOTNOTE.sub("", text)


def _unmarked(text: str) -> str:
    """The words as a reader sees them; blanks do not count."""
    text = _QUOTES.sub("", _WIKI.sub(r"\1", text)) if "[[" in text or "''" in text else text
    text = _BRACKETED.sub("", text) if "[/" in text else text
    text = _PAGE.sub("", text) if "\n" in text else text
    text = _TAG.sub(" ", without_footnotes(_HEADING.sub("", without_programs(text))))
    return "".join(_EMPHASIS.sub(r"\2", text).split())


def _marks_put_in(before: str, after: str) -> bool:
    """Whether a number of a page or of a footnote, or a tag that is none of HTML, was not there before: `<Lima>`."""
    return any(
        Counter(map(str.casefold, mark.findall(after))) - Counter(map(str.casefold, mark.findall(before)))
        for mark in (_PAGE, _FOOTNOTE, _OWN_TAG)
    )


def _blocks_joined(before: str, after: str) -> bool:
    """Whether words of two paragraphs, lines or items of a list became one word."""
    if _BLOCK.search(before) is None:
        return False
    olds = re.findall(r"\w+", _TAG.sub("", _BLOCK.sub(" ", before)))
    joined = {one + other for one, other in pairwise(olds)} - set(olds)
    return not joined.isdisjoint(re.findall(r"\w+", after))


def _uncounted(text: str) -> str:
    """The letters and figures without the counters of a list: 1, 2, 3 … in this order. Empty when it has none."""
    counters = [int(re.sub(r"\D", "", found)) for found in _COUNTER.findall(text)]
    if not counters or counters != list(range(1, len(counters) + 1)):
        return ""
    return _letters(_COUNTER.sub(" ", text))


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))


def _rearranged(before: str, after: str) -> bool:
    """Whether the parts between commas stand in another order, whole. Numbers alone are no parts: 3, 1 is not 1, 3.

    Lines have their order: those of an address are no list.
    """
    if "\n" in before.strip() or not _SEGMENT.search(before):
        return False
    ours, theirs = (_SEGMENT.split(text.strip().casefold()) for text in (before, after))
    parts = sorted(ours) == sorted(theirs) and 1 < len(ours) <= MAX_PARTS
    return parts and all(any(map(str.isalpha, part)) for part in ours)


def _labels_turned(before: str, after: str) -> bool:
    """Whether parts each with a letter of its own in front stand in another order: `L30/W33` and `W33/L30`."""
    ours, theirs = (_LABELLED.findall(text) for text in (before, after))
    whole = all(_LABELLED_PARTS.fullmatch(text.strip()) for text in (before, after))
    return whole and len({label for label, _ in ours}) == len(ours) > 1 and sorted(ours) == sorted(theirs)


def _dialled(before: str, after: str) -> bool:
    """Whether the letters of a telephone number became the figures on their keys."""
    if not _DIAL.fullmatch(before):
        return False
    return _letters(before.translate(_KEYS)) == _letters(after)
