"""What `cleanroom check` found, as values: printed, returned by the library, and kept in the registry without cells."""

import math
from datetime import datetime
from enum import StrEnum

from pydantic import Field

from orchestrator.core.errors import ApplyDrifted
from orchestrator.core.value import Value

MAX_EXAMPLES = 3


class ProofState(StrEnum):
    """Whether what was proved of a function still holds. STALE: the data is not what it was proved on any more.

    BROKEN: a law fails on the new rows, the function fails on some, or a column that it needs is missing.
    """

    VALID = "valid"
    STALE = "stale"
    BROKEN = "broken"


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
}


class RowExample(Value):
    """One cell of the new data. `row`: its number in the file, from 1."""

    row: int
    cell: str


class DriftFinding(Value):
    """One thing that is more frequent now. `before`, `now`: how many of how many, rows or cells of the column.

    `value`: a pattern (`data.patterns`), or a value that is new. `low`, `ratio`, `high`: how many times as frequent it
    is, with its interval; None for infinitely many. `file_rows`: how many rows of the whole file have it, where that
    was counted.
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
        times = f"at least {_short(self.low)} times as many"
        return f"{where}{what}: {now}{whole}, and {before} where it was proved; {times}"

    @property
    def without_cells(self) -> "DriftFinding":
        """Fit to be kept where the data is not."""
        value = "" if self.kind is DriftKind.NEW_CATEGORY else self.value
        return self.model_copy(update={"examples": (), "value": value})


class CheckedFunction(Value):
    """One function version on the new rows.

    `broken`: failed laws, or how it failed, a sentence each; `laws`: the ids of those laws. `unmet`: what it claims of
    itself and what does not hold here. `drift`: where the data is not what it was proved on.
    `notes`: what a person should know and what decides nothing. `baseline`: whether the evidence says what the data
    looked like; without it only laws are judged.
    """

    name: str
    version: int
    state: ProofState
    broken: tuple[str, ...] = ()
    laws: tuple[str, ...] = ()
    unmet: tuple[str, ...] = ()
    drift: tuple[DriftFinding, ...] = ()
    notes: tuple[str, ...] = ()
    baseline: bool = True

    @property
    def said(self) -> tuple[str, ...]:
        """Why it is not valid, the worst first."""
        return (*self.broken, *self.unmet, *(one.said for one in self.drift))

    @property
    def without_cells(self) -> tuple[str, ...]:
        """The same, fit to be kept where the data is not: messages of functions may hold cells."""
        laws = tuple(f"the law `{law}` fails" for law in self.laws)
        failed = ("it cannot work on the rows",) if self.broken and not laws else ()
        unmet = ("it does not do what it claims",) if self.unmet else ()
        return (*laws, *failed, *unmet, *(one.without_cells.said for one in self.drift))


class CheckReport(Value):
    """Whether promoted functions may be applied to a file. `looked_at`: of its `rows`, those drawn at random.

    `new_columns`, `reordered`: against the data on which the functions were proved.
    """

    at: datetime
    data: str
    data_sha256: str
    rows: int
    looked_at: int
    state: ProofState
    functions: tuple[CheckedFunction, ...]
    new_columns: tuple[str, ...] = ()
    reordered: tuple[str, ...] = ()
    renamed: dict[str, str] = Field(default_factory=dict)
    weakened: tuple[str, ...] = ()

    @property
    def valid(self) -> bool:
        return self.state is ProofState.VALID

    @property
    def first_problem(self) -> str:
        """A sentence on why it is not valid; empty where it is."""
        bad = next((one for one in self.functions if one.state is self.state), None)
        if self.valid or bad is None:
            return ""
        return f"{bad.name} is {bad.state}: {bad.said[0]}"


def refuse_invalid(report: CheckReport) -> None:
    """Raise ApplyDrifted where a function is not valid on the data."""
    if not report.valid:
        raise ApplyDrifted(
            f"{report.data} was not cleaned: {report.first_problem}.",
            function=next(one.name for one in report.functions if one.state is report.state),
            advice="Nothing was written. `cleanroom check` shows all of it.",
        )


def finite(value: float) -> float | None:
    """A number that JSON has, or None for an infinite one."""
    return value if math.isfinite(value) else None


def worst(states: list[ProofState]) -> ProofState:
    return max(states, key=list(ProofState).index, default=ProofState.VALID)


def _short(value: float) -> str:
    return f"{value:.1f}" if value < 100 else f"{value:,.0f}"
