"""Cells of an added column that the row beside them contradicts: a label of another range, a word that is cut.

A concern; an example of such a row settles it. Only where an example shows a cell of the column: else it is unshown
anyway. Called by `keeps_information`.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from orchestrator.core.candidate import Example, Shape
from orchestrator.core.verdict import Concern
from orchestrator.data.cells import has_column
from orchestrator.gate.checks.outcome import row_example, words
from orchestrator.gate.information.row_evidence.added_codes import ShownCodes
from orchestrator.gate.information.row_evidence.added_parts import cut_elsewhere, unsaid
from orchestrator.gate.information.row_evidence.added_words import CUT, PARTED, RECASED, otherwise_than_in_row
from orchestrator.gate.information.row_evidence.band_labels import OffLabel, off_label, same_case
from orchestrator.gate.information.row_evidence.counted_days import counted_from_no_day, is_counted_from_no_day
from orchestrator.gate.judge.observations import CaseObservation

MOST_COLUMNS, MOST_ROWS = 20, 5_000
_KINDS = {CUT: "letters-lost", PARTED: "text-cut", RECASED: "case-changed"}


def added_concerns(case: CaseObservation, check: str, witnesses: Iterable[Example]) -> Iterator[Concern]:
    """At most one of each kind for each added column. `check`: which raises it."""
    if case.result is None or case.kept_input is None:
        return
    shown = [
        (one.input, one.output) for one in witnesses if isinstance(one.input, dict) and isinstance(one.output, dict)
    ]
    added = [name for name in case.contract.adds if has_column(case.result, name)]
    looked_at = {name: rows for name in added if (rows := [one for one in shown if name in one[1]])}
    if not looked_at:
        return
    given = case.kept_input.slice(0, MOST_ROWS)
    columns = {source: case.values(given, source) for source in given.column_names[:MOST_COLUMNS]}
    for name, rows in looked_at.items():
        made = case.values(case.result.slice(0, MOST_ROWS), name)
        if found := _label(made, columns, rows, name):
            source, one = found
            yield _concern(case, check, "label-contradicted", name, source, one)
        if found := _days(made, columns, rows, name):
            yield _concern(case, check, "value-misread", name, *found)
        if built := ShownCodes(after.get(name) for _, after in rows).first_other(made):
            yield _concern(case, check, "code-otherwise", name, next(iter(columns)), OffLabel(*built))
        for kind, source, one in _otherwise(case, made, columns, rows, name):
            yield _concern(case, check, kind, name, source, one)
        for reason, row, source in _words(made, columns, rows, name):
            yield _concern(case, check, _KINDS[reason], name, source, OffLabel(row, reason))


def _label(
    made: Sequence[Any], columns: Mapping[str, Sequence[Any]], shown: Sequence[tuple[Any, Any]], name: str
) -> tuple[str, OffLabel] | None:
    """The first row whose label and number do not go together, and no example shows the like."""
    for source, cells in columns.items():
        found = off_label(made, cells)
        if found and not any(same_case(found.reason, after.get(name), before.get(source)) for before, after in shown):
            return source, found
    return None


def _days(
    made: Sequence[Any], columns: Mapping[str, Sequence[Any]], shown: Sequence[tuple[Any, Any]], name: str
) -> tuple[str, OffLabel] | None:
    """The first row whose days are counted from no day of the calendar, and no example shows the like."""
    found = counted_from_no_day(made, columns)
    if found is None or any(is_counted_from_no_day(after.get(name), before.get(found[1])) for before, after in shown):
        return None
    return found[1], OffLabel(found[0], "days are counted though a date of the row is none of the calendar")


def _otherwise(
    case: CaseObservation,
    made: Sequence[Any],
    columns: Mapping[str, Sequence[Any]],
    shown: Sequence[tuple[Any, Any]],
    name: str,
) -> Iterator[tuple[str, str, OffLabel]]:
    """Values that are not in their row, or cut out of it, as those of no example; a fitted function learns its own."""
    if case.contract.shape is Shape.FITTED:
        return
    if (row := unsaid(made, columns, shown, name)) is not None:
        reason = "a value stands that its row does not say, as the row of each example does"
        yield "value-misread", next(iter(columns)), OffLabel(row, reason)
    if (cut := cut_elsewhere(made, columns, shown, name)) is not None:
        yield "text-cut", cut[1], OffLabel(cut[0], "a part of a cell begins or ends where that of no example does")


def _words(
    made: Sequence[Any], columns: Mapping[str, Sequence[Any]], shown: Sequence[tuple[Any, Any]], name: str
) -> Iterator[tuple[str, int, str]]:
    """What happens to words of a row that no example shows, with the row and a column of it."""
    wanted = {reason for before, after in shown for reason in otherwise_than_in_row(after.get(name), before.values())}
    if not any(isinstance(after.get(name), str) for _, after in shown):
        return
    cells_shown = [after.get(name) for _, after in shown]
    for row, cell in enumerate(made):
        if cell in cells_shown:
            continue
        for reason in otherwise_than_in_row(cell, [cells[row] for cells in columns.values()]) - wanted:
            wanted.add(reason)
            yield reason, row, next(iter(columns))


def _concern(case: CaseObservation, check: str, kind: str, name: str, source: str, found: OffLabel) -> Concern:
    return Concern(
        kind=kind,
        check=check,
        detail=f"in the new column {name[:60]!r} {found.reason}, on {words(case)}",
        settles=f"Confirm that such a row gets what it got in {name!r}, with an example."[:700],
        columns=(name, source),
        counterexample=row_example(case, found.row, "what the row says", [name, source]),
        rows=1,
    )
