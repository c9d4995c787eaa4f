"""Runs a team's own acceptance checks on what a candidate made of the sample. Called in the process of `team_entry`.

A check is `check_*(before, after)` over two pandas frames of plain data. A label in the index of `after` is that of the
row of `before` from which the row comes. A check that fails is run again with fewer and fewer rows, so that the
counterexample is small.
"""

import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from orchestrator.core.verdict import Counterexample
from orchestrator.data.text import clean_text
from orchestrator.gate.checks.outcome import Violation
from orchestrator.gate.judge.compare import shown_rows
from orchestrator.gate.judge.observations import CaseObservation, Observations

PREFIX = "check_"
_SHOWN = 3
_SHRINK_S = 5.0
_ANSWER = "a check returns None or True, or a text that says what is wrong"

TeamCheck = Callable[[pd.DataFrame, pd.DataFrame], Any]


@dataclass(frozen=True)
class TeamFile:
    """A loaded file of checks. `lines` is its source, for assertions without a message."""

    checks: Mapping[str, TeamCheck]
    name: str
    lines: Sequence[str]


@dataclass(frozen=True)
class _Rows:
    """Rows before and after; `after` has a label of `before` in every row."""

    before: pd.DataFrame
    after: pd.DataFrame

    def halves(self) -> "list[_Rows]":
        labels = self.before.index
        middle = len(labels) // 2
        return [
            _Rows(self.before.loc[part], self.after[self.after.index.isin(part)])
            for part in (labels[:middle], labels[middle:])
        ]


class TeamChecks:
    """Runs each check of the file on the observations of a verdict."""

    def __init__(self, file: TeamFile) -> None:
        self._file = file

    def __call__(self, observations: Observations) -> Violation | None:
        """What the checks complain of: all of it as text, the first with its smallest rows."""
        cases = [
            c
            for c in observations.present("working", "rest", "holdout")
            if c.result is not None and c.origin is not None
        ]
        if not cases:
            return None
        rows = _rows(cases)
        complaints = {name: text for name, check in self._file.checks.items() if (text := self._complaint(check, rows))}
        if not complaints:
            return None
        first = next(iter(complaints))
        check = self._file.checks[first]
        shown = _shown(cases, self._smallest(check, rows), (check.__doc__ or f"what {first} asks for").strip())
        return Violation("; ".join(f"{name}: {clean_text(text, 500)}" for name, text in complaints.items()), shown)

    def _complaint(self, check: TeamCheck, rows: _Rows) -> str:
        """What the check complains of; empty when it finds nothing. Whatever it raises is a complaint, never a pass."""
        try:
            answer = check(rows.before.copy(), rows.after.copy())
        except AssertionError as error:
            return str(error) or f"the assertion does not hold: {self._line(error)}"
        except Exception as error:  # noqa: BLE001 - it is the team's code: whatever it is, they must hear of it
            return f"it raised {type(error).__name__}: {error} ({self._line(error)})"
        if answer is None or isinstance(answer, str):
            return answer or ""
        if isinstance(answer, bool | np.bool_):
            return "" if answer else "it does not hold"
        return f"it returned {type(answer).__name__}: {_ANSWER}"

    def _line(self, error: BaseException) -> str:
        frames = traceback.extract_tb(error.__traceback__)
        number = next((f.lineno for f in reversed(frames) if f.filename == self._file.name), None)
        if number is None or number > len(self._file.lines):
            return "in the checks"
        return f"line {number}: {self._file.lines[number - 1].strip()}"

    def _smallest(self, check: TeamCheck, rows: _Rows) -> _Rows:
        """Half of the rows, and half of them, as long as the check still complains."""
        deadline = time.monotonic() + _SHRINK_S
        while len(rows.before) > 1 and time.monotonic() < deadline:
            smaller = next((half for half in rows.halves() if self._complaint(check, half)), None)
            if smaller is None:
                break
            rows = smaller
        return rows


def _rows(cases: Sequence[CaseObservation]) -> _Rows:
    before, after = [], []
    start = 0
    for case in cases:
        if case.result is None or case.origin is None:
            continue
        end = start + case.input.num_rows
        before.append(_frame(case, case.input).set_axis(range(start, end)))
        after.append(_frame(case, case.result).set_axis(case.origin + start))
        start = end
    return _Rows(pd.concat(before), pd.concat(after))


def _frame(case: CaseObservation, table: pa.Table) -> pd.DataFrame:
    if case.by_row:
        return pd.DataFrame({name: case.values(table, name) for name in table.column_names}, dtype=object)
    frame: pd.DataFrame = table.to_pandas(use_threads=False)
    return frame


def _shown(cases: Sequence[CaseObservation], rows: _Rows, wanted: str) -> Counterexample:
    """The first rows, as they came from the cases."""
    given: list[dict[str, Any]] = []
    made: list[dict[str, Any]] = []
    start = 0
    labels = set(rows.before.index[:_SHOWN])
    for case in cases:
        if case.result is None or case.origin is None:
            continue
        mine = sorted(label - start for label in labels if start <= label < start + case.input.num_rows)
        given += shown_rows(case.input, mine)
        made += shown_rows(case.result, np.flatnonzero(np.isin(case.origin, mine)).tolist())
        start += case.input.num_rows
    return Counterexample(input=tuple(given), output=tuple(made), wanted=clean_text(wanted, 300))
