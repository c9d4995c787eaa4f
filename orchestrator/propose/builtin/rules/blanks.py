"""Blanks: " Oslo " → "Oslo", "New  York" → "New York"; special spaces become plain, invisible characters are dropped.

Left alone: several blanks in a row in long texts, where they separate fields, and where a text is repeated with them.
"""

import re
from collections.abc import Iterator
from itertools import pairwise

from orchestrator.propose.builtin.repair_rule import RepairRule, where
from orchestrator.propose.builtin.working_rows import TextColumn

_PROSE = 80  # characters on average: in longer texts two blanks may be meant
_SLIPS = 5
_RUN = re.compile(r"(?<!\S)(\S+)\s{2,}(?=(\S+))")


def _trim(value: str) -> str:
    """The text with plain spaces, no invisible characters, and nothing around it."""
    value = re.sub("[\u00a0\u2007\u202f]", " ", value)
    return re.sub("[\u200b\u2060\ufeff]", "", value).strip()


def _single(value: str) -> str:
    """The text with one space where it had several."""
    return re.sub(r"(?<=\S)[ \t]{2,}(?=\S)", " ", value)


def _has_stray_blanks(column: TextColumn) -> bool:
    return any(_trim(cell) != cell for cell in set(column.cells) if cell)


def _has_accidental_runs(column: TextColumn) -> bool:
    """Whether every text with a run of blanks looks like a slip.

    A slip is rare (but then not the only one), or the same text or the same two words stand elsewhere in the column
    with one blank. A text that is repeated with its run, and never without, may be meant so: then the column is left
    alone.
    """
    runs = [text for text in column.counts if _single(text) != text]
    if not runs or sum(map(len, column.counts)) > _PROSE * len(column.counts):
        return False
    if any(re.search(r"\s{4}|[^\w\s]\s{2}|\s{2}[^\w\s]", text) for text in runs if _single(text) not in column.counts):
        return False  # the blanks separate fields
    usual = len(runs) >= _SLIPS and sum(column.counts[text] for text in runs) >= 0.005 * column.filled
    pairs = {pair for text in column.counts if text not in runs for pair in _neighbours(text)}
    return all(
        (usual and column.counts[text] <= 3)
        or _single(text) in column.counts
        or all((first, second) in pairs for first, second in _RUN.findall(text))
        for text in runs
    )


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
