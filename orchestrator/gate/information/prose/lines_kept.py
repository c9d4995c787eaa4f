"""What a text of several words or lines loses: lines and words that others keep, marks of numbers. For laws.py."""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import islice

from orchestrator.gate.information.changes import Change, Found, unchanged_texts
from orchestrator.gate.information.similarity import key
from orchestrator.gate.information.tokens import words
from orchestrator.gate.information.value_kinds.known_words import DECORATION

ENOUGH = 4  # different cells that show how a column is written
AMONG = 2  # words beside which a number has no unit that explains what becomes of it
MOST = 50  # numbers or lines of one text that are looked for: each is a search of the whole
TWO = 2
_STRUCTURE = re.compile(r"\n[ \t]*\n+(?=[ \t]*\S)|\n[ \t]*(?:[-*\u2022]|\d+[.)])[ \t]+(?=\S)")
_BLANK_LINE = re.compile(r"(?<=\S)[ \t]*\n[ \t]*\n\s*(?=\S)")
_OTHER_COLUMNS = re.compile(r"\S(?: {2,}|[ ]*[,;|][ ]*)\S")
_NESTED = re.compile(r"^(?:[-*][ \t].*|.*:)[ \t]*\n[ \t]+((?:[-*][ \t])?\S.*)$", re.MULTILINE)
_SALUTATION = re.compile(r"\s{0,20}[^\W\d_][^\n,!]{2,50}[,!][ \t\r]{0,5}\n")
_WORD = re.compile(r"[^\W\d_]{2,}")
_MARKED = re.compile(r"(?<![\w.,])(\d+)[.,](\d{1,2})(?![\w-]|[.,]\d)")
_LIST = re.compile(r"(?<![\d.,])\d{1,2}(?:,\d{1,2}){2,}(?![\d.,])")
_PARTED = re.compile(r"(?<![\w./,:-])(\d+)[./](\d+)(?![\w/:-]|[.,]\d)")


def lines_gone(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """A line that is left out of one cell and stands in others afterwards."""
    kept = Counter(line for _, after in cells if isinstance(after, str) for line in set(_lines(after)))
    for before, after in changed:
        if "\n" in before.strip():
            left, lines = key(after), set(_lines(after))
            gone = (line for line in _lines(before) if line not in lines and kept[line])
            if any(line not in left for line in islice(gone, MOST)):
                return "a line is left out that stays in other cells", (before, after)
    return None


def paragraphs_joined(changed: Sequence[Change]) -> Found | None:
    """A text of several paragraphs, or with a list of lines, that becomes one line."""
    for before, after in changed:
        if "\n" not in after.strip() and len(_STRUCTURE.findall(before.strip())) >= TWO and key(before) == key(after):
            return "paragraphs and lines of a list become one line", (before, after)
    return None


def letters_joined(changed: Sequence[Change]) -> Found | None:
    """A letter of several lines that becomes one line: its salutation ends with its line, and so do the others."""
    for before, after in changed:
        several = before.strip().count("\n") >= TWO and "\n" not in after.strip()
        if several and _SALUTATION.match(before) and key(before) == key(after):
            return "the lines of a letter become one line", (before, after)
    return None


def paragraphs_as_lines(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """The blank lines between paragraphs that go, where the texts have single lines, too: then nothing parts them."""
    gone = [change for change in changed if _BLANK_LINE.search(change[0]) and "\n" in change[1].strip()]
    gone = [change for change in gone if key(change[0]) == key(change[1])]
    if not gone or any(_BLANK_LINE.search(other) for _, other in cells if isinstance(other, str)):
        return None
    lines = [one for one, _ in cells if isinstance(one, str) and "\n" in _BLANK_LINE.sub(" ", one.strip())]
    return ("the blank lines between paragraphs are gone", gone[0]) if len(lines) >= TWO else None


def table_lines_parted(changed: Sequence[Change]) -> Found | None:
    """Lines that tabs divide into as many columns, whose tabs become blanks."""
    for before, after in changed:
        tabs = [line.count("\t") for line in before.strip().split("\n") if line.strip()]
        columns = len(tabs) >= TWO and min(tabs) == max(tabs) > 0 and "\t" not in after
        if columns and key(before) == key(after) and not _OTHER_COLUMNS.search(after):
            return "the columns of a table become words of one line", (before, after)
    return None


def levels_lost(changed: Sequence[Change]) -> Found | None:
    """Lines of a list or of a program that stand further in than the line they belong to, and do not any more."""
    for before, after in changed:
        nested = [" ".join(match[1].split()) for match in islice(_NESTED.finditer(before), MOST)]
        kept = {" ".join(line.split()) for line in after.split("\n") if line[:1].isspace()}
        lines = {" ".join(line.split()) for line in after.split("\n") if not line[:1].isspace()}
        if nested and len(lines) > 1 and all(line in lines and line not in kept for line in nested):
            return "lines lose the level on which they stand", (before, after)
    return None


def _lines(text: str) -> list[str]:
    return [line for one in text.split("\n") if (line := key(one))] if "\n" in text else [key(text)]


def numbers_parted(changed: Sequence[Change]) -> Found | None:
    """A number with a point or a slash inside that becomes two, among words: `39.0` as `39 0`."""
    for before, after in changed:
        said = _WORD.findall(before)
        if said and set(said) <= set(_WORD.findall(after)):
            gone = [match for match in islice(_PARTED.finditer(before), MOST) if match[0] not in after]
            if any(re.search(rf"(?<!\d){match[1]} +{match[2]}(?!\d)", after) for match in gone):
                return "a number becomes two", (before, after)
    return None


def decimals_joined(changed: Sequence[Change]) -> Found | None:
    """A number among words that loses its decimal mark, or a list of numbers that becomes one: `27,7 cm`, `1.2.3`."""
    for before, after in changed:
        said = _WORD.findall(before)
        if len(said) < AMONG or not set(said) <= set(_WORD.findall(after)):
            continue
        for match in islice(_MARKED.finditer(before), MOST):
            kept = re.search(rf"(?<!\d){match[1]}[.,]{match[2]}(?!\d)", after)
            if not kept and re.search(rf"(?<![\d.,]){match[1]}{match[2]}(?![\d.,]\d)", after):
                return "a number loses its decimal mark", (before, after)
        lists = [match[0] for match in islice(_LIST.finditer(before), MOST)]
        if any(one.replace(",", ".") in after and one not in after for one in lists):
            return "a list of numbers becomes one number", (before, after)
    return None


def ends_gone(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """A word at the end that says no more than a kind, `Ltd`, where nearly all cells that stay have such a word."""
    stay = {one for one in unchanged_texts(cells) if len(words(one)) > 1}
    ended = {text for text in stay if _end(text) in DECORATION}
    if len(ended) < ENOUGH or len(ended) < 3 / 4 * len(stay):
        return None
    for before, after in changed:
        if _end(before) in DECORATION and words(after) and words(before)[:-1] == words(after):
            return "a word is left out at the end, and nearly all other cells keep such a word", (before, after)
    return None


def _end(text: str) -> str:
    return (words(text) or [""])[-1] if not any(map(str.isdigit, text)) else ""


def loses_beginnings(before: str, after: str) -> bool:
    """Whether lines lose nothing but what stands in front, as the stamp of a message: what is left stays as it was."""
    ours, theirs = before.split("\n"), after.split("\n")
    return len(ours) == len(theirs) and all(one.endswith(other) for one, other in zip(ours, theirs, strict=True))
