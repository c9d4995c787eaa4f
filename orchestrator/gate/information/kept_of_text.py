"""What a change keeps of a text: its figures, its letters, its numbers in any order. Called by otherwise_than_shown.py.

A way of keeping something gives what is kept of a change, and nothing where it does not keep it.
"""

import re
import unicodedata
from collections.abc import Callable, Sequence
from functools import partial

from orchestrator.gate.information.changes import DASHES, Change
from orchestrator.gate.information.value_kinds.units import names_unit

MOST = 40  # words and numbers of a text
Kept = Callable[[Change], str]
_LETTERS, _FIGURES, _BLANKS = re.compile(r"[^\W\d_]+"), re.compile(r"\d+"), re.compile(r"\s+")
_NUMBER = re.compile(r"(?<![\w.,-])-?\d+(?:[.,]\d+)*|\d+(?:[.,]\d+)*")
_PART = re.compile(r"[^\W\d_]+|\d+")
_MONTH = re.compile(r"(?<![^\W\d_])(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[^\W\d_]*")
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")


def build(text: str) -> str:
    """The text without blanks, with `A` for each word of several, `Y` for each year and `0` for each other number.

    The only word beside numbers may be a unit, and stays, unless it is a month. No other text has capitals, so texts of
    one build have the same number of words and numbers.
    """
    text = _MONTH.sub("A", plain(text))
    one_word = any(map(str.isdigit, text)) and len(_LETTERS.findall(text)) == 1
    text = text if one_word else _LETTERS.sub("A", text)
    return _BLANKS.sub("", _FIGURES.sub("0", _YEAR.sub("Y", text)))


class Copied:
    """Where each word or number afterwards comes from in texts of one build before and after, as witnesses show it."""

    def __init__(self, witnesses: Sequence[Change]) -> None:
        shown = [_parts(one) for one in witnesses]
        self._places: list[tuple[int, list[int], list[str]]] = []
        for at in range(min(len(after) for _, after in shown)):
            same = [n for n in range(len(shown[0][0])) if all(before[n] == after[at] for before, after in shown)]
            if same and max(len(before) for before, _ in shown) <= MOST:
                self._places.append((at, same, [after[at] for _, after in shown]))

    def of(self, change: Change) -> list[tuple[bool, list[str]]]:
        """Of each part that all witnesses have from one place: whether the change has it from there, and theirs."""
        before, after = _parts(change)
        return [(any(before[n] == after[at] for n in same), parts) for at, same, parts in self._places]


def _parts(change: Change) -> tuple[list[str], list[str]]:
    one, other = (_PART.findall(plain(text)) for text in change)
    return [part.lstrip("0") for part in one], [part.lstrip("0") for part in other]


def plain(text: str) -> str:
    """The text without differences of case, of width and of dashes."""
    return unicodedata.normalize("NFKC", text).casefold().translate(DASHES)


def _figures(text: str) -> str:
    return "".join(_FIGURES.findall(plain(text))).lstrip("0")


def letters(text: str) -> str:
    return "".join(_LETTERS.findall(plain(text)))


def _in_any_order(text: str) -> str:
    return " ".join(sorted(run.lstrip("0") for run in _FIGURES.findall(plain(text))))


def _whole(read: Callable[[str], str], change: Change) -> str:
    one, other = map(read, change)
    return one if one == other else ""


def _part(read: Callable[[str], str], change: Change) -> str:
    one, other = map(read, change)
    return other if other in one else ""


def _inside(read: Callable[[str], str], change: Change) -> str:
    one, other = map(read, change)
    return one if one in other else ""


def figures_inside(change: Change) -> bool:
    """Whether all figures stand afterwards as they stood before, with others around them: `0151` as `+44151`."""
    return bool(_inside(_figures, change))


def numbers_taken(change: Change) -> str:
    """The numbers afterwards, where each of them stood whole in the text before: `2004 ~ 2009` as `2009`, not `200`.

    A sign where a number has a unit, which it may be converted from.
    """
    if any(map(names_unit, _LETTERS.findall(change[0]))):
        return "-"
    one, other = ([_plain_number(number) for number in _NUMBER.findall(plain(text))] for text in change)
    return " ".join(other) if set(other) <= set(one) else ""


def _plain_number(number: str) -> str:
    """Without the zeros in front, and those behind a point."""
    return (re.sub(r"[.,]?0+$", "", number) if "." in number else number).lstrip("0") or "0"


KEPT: Sequence[Kept] = (
    numbers_taken,
    partial(_whole, _figures),
    partial(_part, _figures),
    partial(_inside, _figures),
    partial(_whole, _in_any_order),
    partial(_whole, letters),
    partial(_part, letters),
)


def _taken(kind: re.Pattern[str], change: Change) -> str:
    """The words or the numbers afterwards, where all of them stood in the text before; a sign where there are none."""
    one, other = (kind.findall(plain(text)) for text in change)
    other = [part for part in other if len(part) > 1]
    return " ".join(other) or "-" if all(any(part in text for text in one) for part in other) else ""


TAKEN: Sequence[Kept] = (partial(_taken, _FIGURES), partial(_taken, _LETTERS))  # whatever the build of the text
