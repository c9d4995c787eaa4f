"""Cells of one column without a value that get one: whether a witness, the row or the other rows say it.

Called by changed_column.py.
"""

import re
from collections.abc import Sequence
from typing import Any

from orchestrator.core.candidate import Shape
from orchestrator.data.cells import has_column
from orchestrator.gate.checks.changed_columns.cell_keys import plain_key
from orchestrator.gate.checks.changed_columns.suspected import Suspected
from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.null_tokens import holds_something
from orchestrator.gate.information.row_evidence.copied import copied_from_another
from orchestrator.gate.information.row_evidence.denied_by_key import denied_by_key
from orchestrator.gate.information.row_evidence.filled import is_fill, made_up, without_value
from orchestrator.gate.information.row_evidence.found_again import found_again, found_others
from orchestrator.gate.information.row_evidence.shown_fills import filled_beyond
from orchestrator.gate.information.row_evidence.told_empty import told_empty
from orchestrator.gate.information.similarity import key
from orchestrator.gate.information.value_kinds.moments import moments
from orchestrator.gate.inputs.emptied_cells import case_name
from orchestrator.gate.judge.observations import CaseObservation, Observations

_COUNT = re.compile(r"-?\d{1,6}(?:[.,]\d{1,6})?")  # and no telephone number


def filled_cells(
    case: CaseObservation,
    observations: Observations,
    name: str,
    cells: tuple[Sequence[Any], Sequence[Any]],
    changed: Sequence[int],
) -> Suspected | None:
    """Cells without a value that get what nothing in their row says, unless a witness shows that they are filled so.

    `cells`: the column before and after; `changed`: the rows in which they differ. What the conventions declare is one
    word for every empty cell, and settles no other.
    """
    given = case.kept_input
    if given is None or not has_column(given, name):
        return None
    fills = [one for one in observations.shown(name) if is_fill(one.input[name], one.output[name])]
    before, after = cells
    pairs = list(zip(before, after, strict=True))
    words = {plain_key(one.output[name]) for one in fills if one in observations.declared}
    rows = [row for row in without_value(pairs, changed) if plain_key(after[row]) not in words]
    if not rows:
        return None
    others = [other for other in given.column_names if other != name]
    shown = [(one.input, one.output) for one in fills if one not in observations.declared]
    if shown:
        beside = {other: _pairs(case, other) for other in others}
        filled = filled_beyond(name, pairs, rows, beside, shown, _of_nothing(observations, name))
        given_beside = {other: [one for one, _ in column] for other, column in beside.items()}
        if not filled and (denied := denied_by_key(name, pairs, rows, given_beside, shown)):
            of, filled = denied
            detail = f"{len(filled)} empty cells get another value than all other rows with the same {of[:60]!r} have"
            return Suspected("cells-filled", detail, filled[0], "the value of the other rows", len(filled))
    else:
        columns = [case.values(given, other) for other in others]
        filled = told_empty(pairs, rows, columns) or made_up(pairs, rows, columns)
        filled = filled or copied_from_another(pairs, rows, (_pairs(case, other) for other in others))
        rows = [row for row in _nothing_moved(case, name, rows) if _of_one(after[row], [c[row] for c in columns])]
        if not filled and rows and found_others(_taken_away(observations, name)):
            detail = f"{len(rows)} empty cells are filled by a rule that gives other cells values that they do not have"
            return Suspected("cells-filled", detail, rows[0], "an empty cell", len(rows))
    if not filled:
        return None
    detail = f"{len(filled)} empty cells get a value that nothing in their row says"
    return Suspected("cells-filled", detail, filled[0], "an empty cell", len(filled))


def finds_known_cells(observations: Observations, name: str) -> bool:
    """Whether the function finds cells again that were taken away, of those of the sample that it leaves as they are.

    Then what it fills into empty cells is right as far as the other rows say. Not where it fills a row that holds
    nothing at all: what it has from the others, that one does not have. Not where a word of the row says why the cell
    is empty. What a fitted function finds it may remember: it learnt from these very cells.
    """
    sample = observations.sample
    taken = _taken_away(observations, name)
    if sample is None or not taken or _of_nothing(observations, name):
        return False
    stays = sample.pairs(name)
    return not told_empty(stays, range(len(stays)), sample.other_columns(name)) and found_again(taken)


def _taken_away(observations: Observations, name: str) -> list[Change]:
    """Known cells that were taken away and what came in their place; none of a fitted function, which may remember."""
    sample = observations.sample
    if sample is None or observations.contract.shape is Shape.FITTED or not has_column(sample.input, name):
        return []
    case = observations.cases.get(case_name(sample.input, name))
    if case is None or case.origin is None or len(case.origin) < case.input.num_rows:
        return []
    stays, came = sample.pairs(name), case.values(case.result, name)
    if len(stays) != len(came):
        return []
    return [
        (stays[row][0], came[row])
        for row in observations.orders[case.id]
        if plain_key(stays[row][0]) == plain_key(stays[row][1])
    ]


def _of_nothing(observations: Observations, name: str) -> list[Any]:
    """What the function fills into rows that hold nothing."""
    return [after for case in observations.present("nulls") for _, after in case.pairs(name) if holds_something(after)]


def _nothing_moved(case: CaseObservation, name: str, rows: Sequence[int]) -> list[int]:
    """The rows in which no other cell changes: what stood there may have been moved into the empty cell."""
    others = [pairs for other in case.masks if other != name and (pairs := case.pairs(other))]
    return [row for row in rows if all(plain_key(one[row][0]) == plain_key(one[row][1]) for one in others)]


def _of_one(value: Any, beside: Sequence[Any]) -> bool:
    """Whether a date or number is another cell of the row, or any value a part of one: then it is a copy, or cut out.

    One joined of several, as a day and its time, is neither; and one telephone may stand for another.
    """
    text, cells = str(value), [str(cell) for cell in beside if holds_something(cell)]
    counts = _COUNT.fullmatch(text.strip()) or any(kind == "day" for kind, *_ in moments(text))
    return any(key(text) in key(cell) for cell in cells if counts or key(text) != key(cell))


def _pairs(case: CaseObservation, name: str) -> list[Change]:
    """The cells of one column before and after; as before where the result does not have it."""
    values = case.values(case.kept_input, name)
    return (case.pairs(name) if name in case.masks else []) or list(zip(values, values, strict=True))
