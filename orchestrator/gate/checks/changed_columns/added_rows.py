"""Rows of an added column for which the shown ones do not speak: concerns, and the questions about them.

One shown cell says little of a column. The examples have to cover the forms of the numbers that it is computed from,
and what they show of row and value has to hold for the other rows; an example of such a row settles it. Called by
`keeps_information`, and for the questions by `touches_only_declared` and `holdout`, too.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from orchestrator.core.candidate import Example, Shape
from orchestrator.core.verdict import Concern, Question
from orchestrator.data.cells import has_column
from orchestrator.gate.checks.changed_columns.asked_rows import question_about
from orchestrator.gate.checks.outcome import row_example, words
from orchestrator.gate.information.beyond_shown.units_not_shown import unit_not_shown
from orchestrator.gate.information.beyond_shown.words_of_rows import words_unshown
from orchestrator.gate.information.changes import written
from orchestrator.gate.information.null_tokens import holds_something, is_missing
from orchestrator.gate.information.row_evidence.added_parts import left_bare
from orchestrator.gate.information.row_evidence.shown_forms import forms_unshown, size_left_out
from orchestrator.gate.information.row_evidence.shown_relations import otherwise_made
from orchestrator.gate.information.value_kinds.number_parsing import reading
from orchestrator.gate.judge.observations import CaseObservation, Observations

MOST_COLUMNS, MOST_ROWS = 20, 5_000
MOST_QUESTIONS = 20
ROUNDS = 4
"""How often the rows are looked at again, as if what was asked had been confirmed."""
FORM, OTHERWISE = "form-unshown", "made-otherwise"


class _Unshown(NamedTuple):
    """`column`: the added one. `of`: those that the value is made of, as far as it is known which."""

    kind: str
    column: str
    of: tuple[str, ...]
    reason: str
    row: int


def unshown_rows(case: CaseObservation, observations: Observations, check: str) -> Iterator[Concern]:
    """At most one of each kind for each added column. `check`: which raises it."""
    seen = set()
    for one in _unshown(case, observations):
        if (one.kind, one.column) not in seen:
            seen.add((one.kind, one.column))
            yield Concern(
                kind=one.kind,
                check=check,
                detail=f"in the new column {one.column[:60]!r} {one.reason}, on {words(case)}",
                settles=f"Confirm that such a row gets what it got in {one.column!r}, with an example."[:700],
                columns=(one.column, *one.of),
                counterexample=row_example(case, one.row, "what the row says", [*one.of, one.column]),
                rows=1,
            )


def questions_of_rows(
    cases: Sequence[CaseObservation], observations: Observations, confirmed: Iterable[Question] = ()
) -> list[Question]:
    """A row of each form and relation that the examples, and what is `confirmed` besides, do not show."""
    asked = {one.key: one for one in confirmed}
    before = set(asked)
    for case in cases:
        for _ in range(ROUNDS):
            answers = [Example(input=one.input, output=one.output) for one in asked.values()]
            known = replace(observations, declared=[*observations.declared, *answers])
            rows = (question_about(case, one.column, one.row, one.kind) for one in _unshown(case, known))
            new = {one.key: one for one in rows if one is not None and one.key not in asked}
            if not new or len(asked) - len(before) >= MOST_QUESTIONS:
                break
            asked |= new
    return [one for key, one in asked.items() if key not in before][:MOST_QUESTIONS]


def _unshown(case: CaseObservation, observations: Observations) -> Iterator[_Unshown]:
    if case.result is None or case.kept_input is None or case.contract.shape is Shape.FITTED:
        return
    given, result = case.kept_input.slice(0, MOST_ROWS), case.result.slice(0, MOST_ROWS)
    read = [name for name in observations.reads if has_column(given, name)][:MOST_COLUMNS]
    columns = {name: case.values(given, name) for name in read if name not in case.contract.adds}
    witnesses = [(one.input, one.output) for one in observations.witnesses]
    for name in case.contract.adds if columns else ():
        shown = [
            (before, after[name])
            for before, after in witnesses
            if isinstance(before, dict) and isinstance(after, dict) and name in after
        ]
        if any(holds_something(value) for _, value in shown) and has_column(result, name):
            yield from _of_column(name, case.values(result, name), columns, shown)


def _of_column(
    name: str,
    made: Sequence[Any],
    columns: Mapping[str, Sequence[Any]],
    shown: Sequence[tuple[Mapping[str, Any], Any]],
) -> Iterator[_Unshown]:
    every, full = tuple(columns), [one for one in shown if holds_something(one[1])]
    for source, cells in columns.items():
        for row in forms_unshown(cells, made, [(before.get(source), value) for before, value in full]):
            reason = f"a value is computed from {source[:60]!r} where that is written as in no example"
            yield _Unshown(FORM, name, (source,), reason, row)
        if (size := size_left_out(cells, made, [before.get(source) for before, _ in full])) is not None:
            reason = f"the thousands or millions of {source[:60]!r} are left out, which no example has"
            yield _Unshown(FORM, name, (source,), reason, size)
        pairs = [*map(written, zip(cells, made, strict=True))]
        unit = unit_not_shown(pairs, pairs, [written((before.get(source), value)) for before, value in full])
        if unit is not None:
            yield _Unshown(FORM, name, (source,), unit[0], pairs.index(unit[1]))
        if (empty := left_bare(made, cells, [(before.get(source), value) for before, value in shown])) is not None:
            reason = "a row gets nothing, though it has what the examples take"
            yield _Unshown(OTHERWISE, name, (source,), reason, empty)
    for source, row, reason in words_unshown(made, columns, shown):
        yield _Unshown(OTHERWISE, name, (source,), reason, row)
    if (found := otherwise_made(made, columns, shown)) is not None:
        reason = "a value is made of its row in another way than those of the examples"
        yield _Unshown(OTHERWISE, name, every, reason, found)
    constant = len({str(value) for value in made if holds_something(value)}) == 1  # it is made of nothing
    if not constant and not any(all(is_missing(before.get(source)) for source in every) for before, _ in full):
        counted = not any(reading(cell) is not None for cells in columns.values() for cell in cells)
        rows = (row for row, value in enumerate(made) if holds_something(value) and not (counted and value == 0))
        bare = next((row for row in rows if all(is_missing(cells[row]) for cells in columns.values())), None)
        if bare is not None:
            yield _Unshown(OTHERWISE, name, every, "a row that holds nothing gets a value", bare)
