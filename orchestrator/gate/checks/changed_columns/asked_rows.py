"""A row of a result as a question: what a person can read, and give back as an example. Called by `questions`."""

import json
from typing import Any

import pyarrow as pa

from orchestrator.core.verdict import Question
from orchestrator.data.cells import python_rows
from orchestrator.data.record_tables import is_records, records_of
from orchestrator.data.typed_cells import json_cell
from orchestrator.gate.judge.observations import CaseObservation

MAX_ROW = 16_384
"""Bytes of a row, as JSON; a larger one is not asked about."""


def question_about(case: CaseObservation, name: str, row: int, why: str) -> Question | None:
    """One row before, and the columns that the function changed after; None where JSON cannot carry the column."""
    if case.origin is None or case.result is None:
        return None
    given, made = _row(case.input, int(case.origin[row])), _row(case.result, row)
    unsaid = name in case.input.column_names and name not in given and not is_records(case.input)  # or it has no key
    if name not in made or unsaid:
        return None
    about = {name, *case.masks, *(case.contract.modifies or ()), *case.contract.adds}
    output = {column: cell for column, cell in made.items() if column in about}
    question = Question(column=name, input=given, output=output, why=why)
    return question if len(question.model_dump_json()) <= MAX_ROW else None


def _row(table: pa.Table, row: int) -> dict[str, Any]:
    """The row as an example has it, without cells that JSON cannot carry."""
    one = table.slice(row, 1)
    if is_records(table):
        return records_of(one)[0]
    cells = {name: json_cell(cell) for name, cell in python_rows(one)[0].items()}
    return {name: cell for name, cell in cells.items() if _is_json(cell)}


def _is_json(cell: Any) -> bool:
    try:
        json.dumps(cell, allow_nan=False)
    except (TypeError, ValueError):
        return False
    return True
