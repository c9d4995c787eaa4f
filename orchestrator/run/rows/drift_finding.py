"""One thing that is more frequent in new rows than where a function was proved, as a value. Made by `drifting`."""

import math
from enum import StrEnum

from pydantic import Field

from orchestrator.core.value import Value

MAX_EXAMPLES = 3


class DriftKind(StrEnum):
    """What is more frequent than where the function was proved. The first four are about what it is given."""

    NEW_PATTERN = "new-pattern"
    NEW_CATEGORY = "new-category"
    MORE_MISSING = "more-missing"
    MORE_OF_PATTERN = "more-of-pattern"
    MORE_UNLISTED = "more-unlisted"
    MORE_FLAGGED = "more-flagged"
    MORE_CHANGED = "more-changed"
    CHANGES_PATTERN = "changes-pattern"
    MAKES_PATTERN = "makes-pattern"
    LEAVES_PATTERN = "leaves-pattern"
    LEAVES_MORE = "leaves-more"


_WORDS = {
    DriftKind.NEW_PATTERN: "cells like {value} are new",
    DriftKind.NEW_CATEGORY: "the value {value} is new",
    DriftKind.MORE_MISSING: "more cells are missing or blank",
    DriftKind.MORE_OF_PATTERN: "more cells look like {value}",
    DriftKind.MORE_UNLISTED: "more cells look like nothing that is frequent",
    DriftKind.MORE_FLAGGED: "its detect flags more rows",
    DriftKind.MORE_CHANGED: "it changes more rows",
    DriftKind.CHANGES_PATTERN: "it changes more cells like {value}",
    DriftKind.MAKES_PATTERN: "it makes more cells like {value}",
    DriftKind.LEAVES_PATTERN: "it leaves cells like {value} as they are",
    DriftKind.LEAVES_MORE: "it leaves more cells like {value} as they are",
}


class RowExample(Value):
    """One cell of the new data. `row`: its number among the rows of data, from 1; those that cannot be read count.

    `file_row`: the number that people are told, in which the header of a CSV file is a row, too.
    """

    row: int
    file_row: int
    cell: str


class DriftFinding(Value):
    """One thing that is more frequent now. `before`, `now`: how many of how many, rows or cells of the column.

    Of what is left as it is: of those cells that look like `value`. `value`: a pattern (`data.profile.patterns`), or a
    value that is new. `low`, `ratio`, `high`: how many times as frequent it is, with its interval; None for infinitely
    many. `file_rows`: how many rows of the whole file have it, where that was counted.
    """

    kind: DriftKind
    column: str = ""
    value: str = ""
    before: tuple[int, int]
    now: tuple[int, int]
    low: float
    ratio: float | None = None
    high: float | None = None
    file_rows: int | None = None
    examples: tuple[RowExample, ...] = Field(default=(), max_length=MAX_EXAMPLES)

    @property
    def said(self) -> str:
        """One sentence without its examples."""
        what = _WORDS[self.kind].format(value=repr(self.value))
        where = f"{self.column[:60]!r}: " if self.column else ""
        now, before = (f"{count:,} of {of:,} ({count / max(of, 1):.2%})" for count, of in (self.now, self.before))
        whole = "" if self.file_rows is None else f", {self.file_rows:,} rows of the file"
        told = f"{where}{what}: {now}{whole}, and {before} where it was proved"
        if self.kind is DriftKind.LEAVES_PATTERN:  # a test of its own tells it from chance, and not the ratio
            return told
        return f"{told}; at least {_short(self.low)} times as many"

    @property
    def without_cells(self) -> "DriftFinding":
        """Fit to be kept where the data is not."""
        value = "" if self.kind is DriftKind.NEW_CATEGORY else self.value
        return self.model_copy(update={"examples": (), "value": value})


def finite(value: float) -> float | None:
    """A number that JSON has, or None for an infinite one."""
    return value if math.isfinite(value) else None


def _short(value: float) -> str:
    return f"{value:.1f}" if value < 100 else f"{value:,.0f}"
