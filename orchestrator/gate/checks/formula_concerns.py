"""Cells that a spreadsheet computes after the function and did not before: a concern.

Called by `keeps_information`, and by `run.rows.row_doubts` while a function is applied.

Whoever opens the cleaned file in a spreadsheet runs them, so a person should have seen one, or a witness shows one.
"""

from collections.abc import Iterable, Iterator

import numpy as np

from orchestrator.core.candidate import Example
from orchestrator.core.verdict import Concern
from orchestrator.data.cells import has_column
from orchestrator.data.formulas import computes
from orchestrator.gate.checks.outcome import row_example, words
from orchestrator.gate.judge.observations import CaseObservation

KIND = "formula-planted"


def formula_concerns(case: CaseObservation, check: str, witnesses: Iterable[Example]) -> Iterator[Concern]:
    """One for each column, with the first such cell. `check`: which raises it."""
    shown = _shown_by(witnesses)
    for name in case.result.column_names if case.result is not None else ():
        rows = _planted(case, name) if name not in shown else []
        if not rows:
            continue
        example = row_example(case, rows[0], "no formula", [name])
        after = example.output[0].get(name) if example.output else None
        yield Concern(
            kind=KIND,
            check=check,
            detail=f"in column {name[:60]!r} cells become formulas that a spreadsheet computes, on {words(case)}",
            settles=f"Confirm that {after!r} is right in column {name[:60]!r}."[:700],
            columns=(name,),
            counterexample=example,
            rows=len(rows),
        )


def planted_rows(case: CaseObservation, name: str, witnesses: Iterable[Example]) -> list[int]:
    """The rows of one column with such a cell, unless a witness shows one."""
    return [] if name in _shown_by(witnesses) else _planted(case, name)


def _shown_by(witnesses: Iterable[Example]) -> set[str]:
    return {name for one in witnesses for name in _columns_of_formulas(one)}


def _planted(case: CaseObservation, name: str) -> list[int]:
    """The rows of the result with such a cell."""
    known = case.kept_input is not None and has_column(case.kept_input, name)
    if case.result is None or (known and name not in case.masks):
        return []
    rows = np.flatnonzero(case.masks[name]) if known else np.arange(case.result.num_rows)
    before, after = (
        case.values(None if table is None else table.select([name]).take(rows), name)
        for table in (case.kept_input if known else None, case.result)
    )
    given = before or [None] * len(after)
    return [
        row for row, old, new in zip(rows.tolist(), given, after, strict=True) if computes(new) and not computes(old)
    ]


def _columns_of_formulas(example: Example) -> Iterator[str]:
    """The columns in which the example shows that a cell becomes one."""
    given = example.input if isinstance(example.input, dict) else {}
    made = example.output if isinstance(example.output, dict) else {}
    return (name for name, value in made.items() if computes(value) and not computes(given.get(name)))
