"""Blanks: " Oslo " → "Oslo", "New  York" → "New York"; special spaces become plain, invisible characters are dropped.

Left alone: several blanks in a row in long texts, where they separate fields, and where a text is repeated with them;
and the blanks or tabs in front of an outline ("Assets", "  Cash"), which say on which level a text stands.
"""

import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from orchestrator.propose.builtin.repair_rule import RepairRule, where
from orchestrator.propose.builtin.working_rows import TextColumn

_PROSE = 80  # characters on average: in longer texts two blanks may be meant
_SLIPS = 5
_NEARLY_ALL = 0.8  # of the rows with a run of blanks
_USUAL = 0.3  # of the rows have a form that shows where one blank stands
_ONE_WIDTH = 0.95  # of the rows are as long as each other
_INDENTED = 0.25  # of the rows at least, in an outline
_STRAYS = 0.05  # of the rows at most, in an outline
_TAB = 4  # blanks
_RUN = re.compile(r"(?<!\S)(\S+)\s{2,}(?=(\S+))")


def _trim(value: str) -> str:
    """The text with plain spaces, no invisible characters, and nothing around it."""
    if value.isascii():
        return value.strip()
    value = re.sub("[\u00a0\u2007\u202f]", " ", value)
    value = re.sub("[\u200b\u2060\ufeff]|(?<![\u00c2-\u00f4])\u00ad", "", value)
    if not re.search("[\u0590-\u08ff\ufb1d-\ufefc]", value):  # no letter that is written from the right
        value = re.sub("[\u200e\u200f\u202a-\u202e\u2066-\u2069]", "", value)
    return value.strip()


def _single(value: str) -> str:
    """The text with one space where it had several."""
    return re.sub(r"(?<=\S)[ \t]{2,}(?=\S)", " ", value)


def _has_stray_blanks(column: TextColumn) -> bool:
    return any(_trim(cell) != cell for cell in set(column.cells) if cell) and not is_outline(column)


def is_outline(column: TextColumn) -> bool:
    """Whether blanks in front of words say on which level these stand: two or more, or a tab, and not by accident.

    A text may stand on several levels ("Total"). An accident hits any text, and leaves most of its rows without blanks;
    a few that happened once say nothing.
    """
    return column.learnt(_indents, _indents)


def _indents(column: TextColumn) -> bool:
    depths: dict[str, Counter[int]] = {}
    for text, count in column.counts.items():
        depths.setdefault(text.strip(), Counter())[_depth(text)] += count
    strays = [(text, depth) for text, found in depths.items() for depth in found if _is_stray(depth, found)]
    for text, depth in strays:
        del depths[text][depth]
    indented = {text: found.keys() - {0} for text, found in depths.items() if found.keys() != {0}}
    widths = [width for found in indented.values() for width in found]
    on_top_too = sum(0 in depths[text] for text in indented)
    if len(widths) < 3 or len(strays) > _STRAYS * column.filled or 2 * on_top_too > len(indented):
        return False
    words = sum(text[0].isalpha() for text in depths) >= 0.8 * len(depths)  # numbers are set to the right
    aligned = len({len(text) for text in column.counts}) == 1
    rows = column.rows(lambda text: text[0].isspace())
    return words and not aligned and min(widths) > 1 and _INDENTED * column.filled <= rows < column.filled


def _is_stray(depth: int, found: Counter[int]) -> bool:
    """Whether blanks in front stand there once, and the text otherwise without them or mostly on another level."""
    return depth > 0 and found[depth] == 1 and (0 in found or max(found.values()) > 1)


def _depth(text: str) -> int:
    return len(text[: len(text) - len(text.lstrip())].replace("\t", " " * _TAB))


def _has_accidental_runs(column: TextColumn) -> bool:
    """Whether nearly every text with a run of blanks looks like a slip, or all if they are few.

    A slip is rare (but then not the only one), or the same text, the same two words or many texts of the same form
    stand elsewhere in the column with one blank. A text that is repeated with its run, and never without, may be meant
    so, as may blanks that make all texts equally long: then the column is left alone.
    """
    runs = [text for text in column.counts if _single(text) != text]
    if not runs or sum(map(len, column.counts)) > _PROSE * len(column.counts):
        return False
    if any(
        re.search(r"\s{4}|[^\w\s,;]\s{2}|\s{2}[^\w\s]", text) for text in runs if _single(text) not in column.counts
    ):
        return False  # the blanks separate fields
    lengths = Counter[int]()
    for text, count in column.counts.items():
        lengths[len(text)] += count
    width, as_wide = lengths.most_common(1)[0]
    if as_wide >= _ONE_WIDTH * column.filled and any(len(text) == width for text in runs):
        return False  # a blank stands for a sign that others have there
    usual = len(runs) >= _SLIPS and sum(column.counts[text] for text in runs) >= 0.005 * column.filled
    pairs = {pair for text in column.counts if text not in runs for pair in _neighbours(text)}
    forms = Counter[str]()
    for text, count in column.counts.items() if len(runs) > 1 < len({len(text) for text in column.counts}) else ():
        forms[_form(text)] += count
    slips = [
        text
        for text in runs
        if (usual and column.counts[text] <= 3)
        or _single(text) in column.counts
        or all((first, second) in pairs for first, second in _RUN.findall(text))
        or (column.counts[text] == 1 and forms[_form(_single(text))] >= _USUAL * column.filled)
    ]
    rows, shown = (sum(map(column.counts.__getitem__, texts)) for texts in (runs, slips))
    return len(slips) == len(runs) or (len(slips) > _SLIPS and shown >= _NEARLY_ALL * rows)


def _form(text: str) -> str:
    """Words as A and numbers as 9, however long: "10115  Berlin" is "9  A"."""
    return re.sub(r"[^\W\d_]+", "A", re.sub(r"\d+", "9", text))


def _neighbours(text: str) -> Iterator[tuple[str, str]]:
    words = text.split(" ")
    return pairwise(words)


RULES = (
    RepairRule(
        name="trim_blanks",
        issue="Stray blanks stand around the texts of {columns}.",
        doc="Strip blanks at both ends; make odd spaces plain and drop invisible characters.",
        fix=_trim,
        look=where(_has_stray_blanks),
        imports=("re",),
    ),
    RepairRule(
        name="single_blanks",
        issue="Words are separated by several blanks in {columns}.",
        doc="Put one space between words.",
        fix=_single,
        look=where(_has_accidental_runs),
        imports=("re",),
    ),
)
