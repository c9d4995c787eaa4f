"""Blanks around texts, blanks that are no plain space, invisible characters, and runs of blanks inside."""

import re
from collections.abc import Iterator
from itertools import pairwise

from orchestrator.propose.builtin.names import listed
from orchestrator.propose.builtin.preferences import Preferences
from orchestrator.propose.builtin.remedy import Remedy
from orchestrator.propose.builtin.working_rows import TextColumn, WorkingRows

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


def find(table: WorkingRows, _wishes: Preferences) -> Iterator[Remedy]:
    padded = tuple(c.name for c in table.columns if any(_trim(cell) != cell for cell in set(c.cells) if cell))
    if padded:
        yield Remedy(
            rule="blanks",
            name="trim_blanks",
            issue=f"Stray blanks stand around the texts of {listed(padded)}.",
            doc="Strip blanks at both ends; make odd spaces plain and drop invisible characters.",
            columns=padded,
            fix=_trim,
            imports=("re",),
        )
    runs = tuple(c.name for c in table.columns if _has_accidental_runs(c))
    if runs:
        yield Remedy(
            rule="blanks",
            name="single_blanks",
            issue=f"Words are separated by several blanks in {listed(runs)}.",
            doc="Put one space between words.",
            columns=runs,
            fix=_single,
            imports=("re",),
        )


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
