"""Marks of a text that belong together: quotes, what makes words bold, struck or a link, bullets. For prose_laws.py."""

import re
from collections.abc import Sequence
from itertools import islice

from orchestrator.gate.information.changes import Change, Found

_DOUBLE, _SINGLE = '"“”„«»', "'‘’‚‹›"
_QUOTES = re.compile(f"[{_DOUBLE}{_SINGLE}]")
_STARS = re.compile(r"(?<![\w*])(\*{1,3})(?=\S)[^*\n]*[^\s*]\1(?![\w*])")
_BULLET = re.compile(r"^([ \t]*)(?:[•◦▪‣·*+-]|\d+[.)])[ \t]*(?=\S)", re.MULTILINE)
_ITEM = re.compile(rf"{_BULLET.pattern}(\S[^\n]{{0,80}})", re.MULTILINE)
_LOW_AT_THE_END = re.compile(r"(?<=\w)„|(?<![\w‚])‘\w[^‘’‚\n]{0,80}‘(?!\w)")
_END_IN_FRONT, _FRONT_AT_THE_END = re.compile(r"(?<!\S)”\w"), re.compile(r"[\w.,!?]“(?!\w)")
_INCHES = re.compile(r"(?<![\w.,])(\d{1,3}(?:[.,]\d)?)\"")
_STRUCK = re.compile(
    r"(?<![~\w])(~{1,2})(?=[^\s~])([^~\n]+?)(?<=\S)\1(?![~\w])|<(s|del|strike)>([^<>\n]+)</\3>", re.IGNORECASE
)
_STILL_STRUCK = re.compile(r"~|<(?:s|del|strike)\b|\u0336|\\sout", re.IGNORECASE)
_PRODUCT = re.compile(r"(?<![\w*])(\d+)\*(\d+)(?![\w*]*\*\*)")
_LINK = re.compile(r"\[(?:https?://|www\.)[^\[\]\s]*\]\((?!https?://|www\.|/|#|mailto:)[^()\n]*\)")
_BETWEEN_COMPARISONS = re.compile(r"<[^\S\n]?\d[^<>\n]*>")
MOST = 200  # marks of one text


def quotes_turned(changed: Sequence[Change]) -> Found | None:
    """A quotation mark that becomes an apostrophe, or the other way round: `“It’s”` as `'It's'`."""
    for before, after in changed:
        ours, theirs = _QUOTES.findall(before), _QUOTES.findall(after)
        if not 0 < len(ours) == len(theirs) <= MOST or _QUOTES.sub("", before) != _QUOTES.sub("", after):
            continue
        turned = [
            one in _DOUBLE for one, other in zip(ours, theirs, strict=True) if (one in _DOUBLE) != (other in _DOUBLE)
        ]
        if turned and (not all(turned) or any(one in _SINGLE for one in ours)):
            return "a quotation mark becomes an apostrophe, or an apostrophe one", (before, after)
    return None


def marks_turned_round(changed: Sequence[Change]) -> Found | None:
    """A quotation that ends with the mark that begins one, `“Mug„`, `”Mug“`; the mark of inches as its end: `48“`."""
    for before, after in changed:
        marks = _latex(before)
        if not 0 < sum(map(marks.count, _DOUBLE + "`")) <= MOST:
            continue
        if _LOW_AT_THE_END.search(after) and not _LOW_AT_THE_END.search(before):
            return "a quotation ends with the mark that begins one", (before, after)
        turned = [bool(_END_IN_FRONT.search(one) and _FRONT_AT_THE_END.search(one)) for one in (before, after)]
        if turned == [False, True]:
            return "a quotation ends with the mark that begins one", (before, after)
        inches = _INCHES.findall(before) if before.count('"') % 2 else []
        if any(f"{number}{mark}" in after for number in inches for mark in "“”"):
            return "the mark of inches becomes a quotation mark", (before, after)
    return None


def quotes_gone(changed: Sequence[Change]) -> Found | None:
    """Quotation marks inside a text that go, while everything else stays: `“Mug”, said Ann` as `Mug, said Ann`."""
    for written, after in changed:
        before = _latex(written)
        pairs = sum(map(before.count, _DOUBLE))
        if not 1 < pairs <= MOST or any(map(after.count, _DOUBLE)):
            continue
        inside = before.strip()[1:-1].strip(_DOUBLE + ".,!?")
        if any(map(inside.count, _DOUBLE)) and _plain(before) == _plain(after):
            return "quotation marks inside a text are left out", (written, after)
    return None


def _latex(text: str) -> str:
    """The text with “ and ” for what LaTeX writes so: two backticks and two apostrophes."""
    return text.replace("``", "“").replace("''", "”") if "``" in text and "```" not in text else text


def _plain(text: str) -> str:
    return " ".join(re.sub(f"[{_SINGLE}]", "'", re.sub(f"[{_DOUBLE}]", "", text)).split())


def stars_parted(changed: Sequence[Change]) -> Found | None:
    """Stars around words of which one goes or becomes a bullet: `*Mug* is red` as `- Mug* is red`."""
    for before, after in changed:
        kept = after.splitlines()
        for line, now in (
            zip(before.splitlines(), kept, strict=False) if before.count("\n") == after.count("\n") else ()
        ):
            if (
                (found := _STARS.search(line))
                and now.count("*") % 2
                and not line.count("*") % 2
                and found[0] not in now
            ):
                return "one of two stars around a word is left out", (before, after)
    return None


def list_levels_gone(changed: Sequence[Change]) -> Found | None:
    """Items of a list inside a list that come to stand beside the others: the blanks in front of their bullets go."""
    for before, after in changed:
        ours, theirs = ([len(one[1].expandtabs()) for one in _BULLET.finditer(text)] for text in (before, after))
        if 1 < len(ours) == len(theirs) <= MOST and len(set(ours)) > 1 == len(set(theirs)) and min(ours) == theirs[0]:
            return "the levels of a list become one", (before, after)
        items = [one[2] for one in islice(_ITEM.finditer(before), MOST)]
        if len(set(ours)) > 1 and not theirs and all(f"\n{item}" in f"\n{after}" for item in items):
            return "the levels of a list become one", (before, after)
    return None


def struck_as_valid(changed: Sequence[Change]) -> Found | None:
    """What was struck out stands as if it were valid, or in bold: `~blue~ red` as `blue red`."""
    for before, after in changed:
        struck = [match[2] or match[4] for match in islice(_STRUCK.finditer(before), MOST)]
        if struck and not _STILL_STRUCK.search(after) and any(words in after for words in struck):
            return "what was struck out is not struck out any more", (before, after)
    return None


def products_as_marks(changed: Sequence[Change]) -> Found | None:
    """The sign of a product that becomes a mark of bold text: `2*3*4` as `2**3**4`."""
    for before, after in changed:
        for one, other in islice(dict.fromkeys(_PRODUCT.findall(before)), MOST):
            if f"{one}**{other}" in after and f"{one}**{other}" not in before:
                return "the sign of a product is doubled", (before, after)
    return None


def links_exchanged(changed: Sequence[Change]) -> Found | None:
    """A link whose address stands where its text belongs: `[https://x.example](here)`."""
    for before, after in changed:
        if _LINK.search(after) and not _LINK.search(before):
            return "the text and the address of a link are exchanged", (before, after)
    return None


def comparisons_as_tags(changed: Sequence[Change]) -> Found | None:
    """What stands between `<` and `>` and is no tag is left out with them: `5 < 7 and 9 > 8` as `5  8`."""
    for before, after in changed:
        for match in islice(_BETWEEN_COMPARISONS.finditer(before), MOST):
            words = match[0].strip("<> \t").split()
            if len(words) > 1 and not any(word in after.split() for word in words):
                return "what stands between two signs of comparison is left out", (before, after)
    return None
