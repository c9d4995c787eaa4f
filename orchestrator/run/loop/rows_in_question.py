"""Which rows a tester is asked about where a candidate raises concerns. Called by `doubts`."""

import json
from collections.abc import Iterator
from itertools import zip_longest
from typing import Any

from orchestrator.core.candidate import Shape
from orchestrator.core.requests import RowInQuestion
from orchestrator.core.verdict import Concern, Counterexample, Question, Verdict
from orchestrator.gate.judge.compare import MAX_CELL, MAX_SHOWN_COLUMNS

_MOST_ROWS = 8
_LONGEST_ROW = 2_000  # characters of its JSON
_LONGEST_NESTED = 600  # of a list or an object that the tester has to write again without a slip


def rows_in_question(verdict: Verdict) -> tuple[RowInQuestion, ...]:
    """The rows that raised the concerns, and others of each form that is in doubt, each once and whole.

    One row of each concern in turn: with the first row alone, what it settles leaves the next form in doubt. Of a row
    or column that goes there is none afterwards; the tester says what cells become, not whether they stay.
    """
    found: dict[str, tuple[dict[str, Any], dict[str, None]]] = {}
    by_record = verdict.candidate.shape is Shape.RECORD
    for turn in zip_longest(*(_rows_about(one, verdict.questions, by_record=by_record) for one in verdict.concerns)):
        for row in filter(None, turn):
            key = _text(row.cells)
            if key in found or len(found) < _MOST_ROWS:
                found.setdefault(key, (row.cells, {}))[1].update(dict.fromkeys(row.columns))
    return tuple(RowInQuestion(cells, tuple(columns)) for cells, columns in found.values())


def _rows_about(concern: Concern, questions: tuple[Question, ...], *, by_record: bool) -> Iterator[RowInQuestion]:
    """First what the concern itself is about. Where a person would be asked, the row is known as it is."""
    shown = concern.counterexample
    asked = [one for one in questions if one.column in concern.columns]
    for one in sorted(asked, key=lambda one: one.why != concern.kind):
        columns = tuple(name for name in concern.columns if name in one.output)
        cells = _narrowed(one.input, columns, shown)
        if _can_be_written_again(cells, columns):
            yield RowInQuestion(cells, columns)
    if asked or not concern.columns or shown is None or not shown.output:
        return
    if len(shown.input) > 1 and len(shown.input) != len(shown.output):
        return
    for row in shown.input:
        if not any(_may_be_another(value, by_record=by_record) for value in row.values()):
            yield RowInQuestion(row, concern.columns)


def _narrowed(row: dict[str, Any], columns: tuple[str, ...], shown: Counterexample | None) -> dict[str, Any]:
    """Of a wide row the columns that matter."""
    if len(row) <= MAX_SHOWN_COLUMNS or shown is None or not shown.input:
        return row
    return {name: cell for name, cell in row.items() if name in columns or name in shown.input[0]}


def _can_be_written_again(row: dict[str, Any], columns: tuple[str, ...]) -> bool:
    cells = [row.get(name) for name in columns]
    long = any(len(cell) >= MAX_CELL if isinstance(cell, str) else len(_text(cell)) > _LONGEST_NESTED for cell in cells)
    return not long and len(_text(row)) <= _LONGEST_ROW


def _may_be_another(value: Any, *, by_record: bool) -> bool:
    """Whether a cell of a counterexample may stand for another value: it is cut, or the JSON text of a list or object.

    With such a text as its input, an example would be about a row that there is not.
    """
    if not isinstance(value, str):
        return False
    return len(value) >= MAX_CELL or (by_record and value[:1] in ("[", "{"))


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)
