"""Which changed cells of a column their rows, the instruction or the conventions speak for. Called by changed_column.

They are no suspicion, and say nothing about the others.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from orchestrator.core.candidate import Example
from orchestrator.core.conventions import ColumnConvention
from orchestrator.gate.fitted.agreement import AgreedAnswers, keys_of
from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.column_evidence.day_or_month import read_date
from orchestrator.gate.information.instructed import said_of, said_order, said_to_go
from orchestrator.gate.information.null_tokens import is_missing
from orchestrator.gate.information.row_evidence.as_declared import as_declared
from orchestrator.gate.information.row_evidence.exchanged import exchanged_rows, turned_as_shown
from orchestrator.gate.information.row_evidence.halves_of_day import clock_rows
from orchestrator.gate.information.row_evidence.measures import measured_rows, shared_rows
from orchestrator.gate.information.row_evidence.moved import appended_rows, copied_as_shown, signs_moved
from orchestrator.gate.information.row_evidence.slips_beside import slips_beside
from orchestrator.gate.information.row_evidence.told_orders import ToldOrders, is_date
from orchestrator.gate.information.row_evidence.told_prefixes import prefixed_rows, put_in_front
from orchestrator.gate.judge.observations import CaseObservation, Observations

MAX_BESIDE = 5  # other columns that change, of which one may hold the unit


def unsettled(
    case: CaseObservation, observations: Observations, name: str, before: Sequence[Any], rows: Sequence[int]
) -> list[Any]:
    """The column's cells afterwards; as before where their row, or the user's word, says that they are right.

    `rows`: the changed ones.
    """
    witnesses, agreed = observations.shown(name), observations.agreed.get(name)
    after = case.values(case.result, name)
    after = _settled(_instructed(observations.instruction, before, after, rows), before, after)
    after = _settled(_declared(observations.conventions.get(name), before, after, rows), before, after)
    after = _settled(_supported(case, agreed, after, rows), before, after)
    after = _settled(_told(case, list(zip(before, after, strict=True)), rows), before, after)
    return _settled(_copied(case, name, list(zip(before, after, strict=True)), witnesses), before, after)


def unsettled_beside(
    case: CaseObservation,
    observations: Observations,
    name: str,
    before: Sequence[Any],
    after: Sequence[Any],
    rows: Sequence[int],
) -> list[Any]:
    """The cells afterwards; as before where a column that changes with this one says that they are right."""
    return _settled(_measured(case, observations, name, list(zip(before, after, strict=True)), rows), before, after)


def _settled(rows: Iterable[int], before: Sequence[Any], after: Sequence[Any]) -> list[Any]:
    found = set(rows)
    return [before[row] if row in found else cell for row, cell in enumerate(after)]


def _instructed(instruction: str, before: Sequence[Any], after: Sequence[Any], rows: Sequence[int]) -> list[int]:
    """Those that became what the instruction says of them."""
    if not instruction:
        return []
    pairs = {row: (before[row], after[row]) for row in rows if isinstance(before[row], str)}
    said = said_of(instruction, list({pair for pair in pairs.values() if isinstance(pair[1], str | int)}))
    gone = {row: one for row, (one, other) in pairs.items() if is_missing(other)}
    empty = said_to_go(instruction, set(gone.values())) if gone else set[str]()
    became = [row for row, pair in pairs.items() if isinstance(pair[1], str | int) and pair in said]
    first = said_order(instruction)
    read = {row: read_date(*pair) for row, pair in pairs.items() if first and isinstance(pair[1], str)}
    dated = [row for row, date in read.items() if date is not None and date.month_first == (first == "month")]
    return [*became, *dated, *(row for row, value in gone.items() if value in empty)]


def _declared(
    convention: ColumnConvention | None, before: Sequence[Any], after: Sequence[Any], rows: Sequence[int]
) -> list[int]:
    """Those that became what the conventions say of them."""
    return [] if convention is None else as_declared(convention, list(zip(before, after, strict=True)), rows)


def _supported(
    case: CaseObservation, agreed: AgreedAnswers | None, after: Sequence[Any], rows: Sequence[int]
) -> list[int]:
    """Those that became what other rows of their key say, which is a witness."""
    if agreed is None or case.kept_input is None:
        return []
    keys = keys_of(case.kept_input, agreed.by)
    return [row for row in rows if agreed.supports(keys[row], after[row])]


def _copied(case: CaseObservation, name: str, cells: Sequence[Change], witnesses: Sequence[Example]) -> list[int]:
    """Those whose value comes from another column, as a witness shows."""
    given = case.kept_input
    if given is None or case.by_row or not witnesses:
        return []
    others = {other: case.values(given, other) for other in given.column_names if other != name}
    return copied_as_shown(name, cells, others, [(one.input, one.output) for one in witnesses])


def _told(case: CaseObservation, cells: Sequence[Change], rows: Sequence[int]) -> list[int]:
    """Those that got in front what an unchanged column of the row tells, or dates in the order that it tells."""
    given = case.kept_input
    if given is None or case.by_row:
        return []
    put, dates = put_in_front(cells, rows), [row for row in rows if is_date(cells[row])]
    names = [other for other in given.column_names if other not in case.masks] if put or dates else []
    others = [case.values(given, other) for other in names]
    fronts = (row for other in others for row in prefixed_rows(cells, other, put)) if put else ()
    orders = ToldOrders(cells, dates)
    return [*fronts, *(row for other in others for row in orders.rows(other))]


def _measured(
    case: CaseObservation, observations: Observations, name: str, cells: Sequence[Change], rows: Sequence[int]
) -> list[int]:
    """Those that, with what changed beside them, say the same quantity, or were only exchanged with it."""
    declared = (name, *case.contract.adds, *case.contract.drops)
    names = [other for other in case.masks if other not in declared]
    shown = [(one.input, one.output) for one in observations.shown(name)]
    return [
        row
        for other in (names if len(names) <= MAX_BESIDE else ())
        for beside in [case.pairs(other)]
        if beside
        for row in (
            *measured_rows(cells, beside, rows),
            *shared_rows(cells, beside, rows),
            *exchanged_rows(cells, beside, rows, _elsewhere(case, observations, name, other)),
            *turned_as_shown((name, other), cells, beside, rows, shown),
            *appended_rows(cells, beside, rows),
            *signs_moved(cells, beside, rows),
            *clock_rows(cells, beside, rows),
        )
    ]


def _elsewhere(case: CaseObservation, observations: Observations, name: str, other: str) -> list[tuple[Change, Change]]:
    """The two columns in the other rows of the sample: they are evidence, too."""
    others = observations.beside(case)
    return [pair for one in others for pair in zip(one.pairs(name), one.pairs(other), strict=False)]


def given_away(
    case: CaseObservation, cells: Sequence[Change], rows: Sequence[int], others: Iterable[CaseObservation], name: str
) -> list[int]:
    """The rows in which a slip is put right that another column gives away, here or in the rows of the other cases."""
    if case.kept_input is None or case.by_row:
        return []
    tables = [(case, case.kept_input)]
    tables += [(one, one.kept_input) for one in others if one.kept_input is not None and one.pairs(name)]
    names = [other for other in case.kept_input.column_names if other not in case.masks]
    whole = [*cells, *(pair for one, _ in tables[1:] for pair in one.pairs(name))]
    return slips_beside(
        whole, rows, ([cell for one, table in tables for cell in one.values(table, other)] for other in names)
    )
