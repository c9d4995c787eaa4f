"""What is not declared is not touched, to the last bit. Columns that come or go were asked for, and of those that come
somebody has shown a cell.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from orchestrator.core.verdict import CheckResult, Concern, Counterexample, Outcome, Question
from orchestrator.data.cells import has_column
from orchestrator.gate.checks.changed_columns.added_rows import questions_of_rows
from orchestrator.gate.checks.changed_columns.questions import UNASKED, new_columns
from orchestrator.gate.checks.check import Check, VerdictScope
from orchestrator.gate.checks.outcome import Violation, example, held, over, row_example, rows_example, words
from orchestrator.gate.checks.removed import removed_columns
from orchestrator.gate.information.null_tokens import holds_something
from orchestrator.gate.information.tokens import layout
from orchestrator.gate.judge.compare import names_text
from orchestrator.gate.judge.observations import CaseObservation, Observations

ID = "touches-only-declared"
LAW = (
    "Cells outside the columns in `modifies` are bit-identical (NaN = NaN, -0.0 ≠ 0.0); "
    "columns that come or go were asked for."
)
DROPPED = "column-dropped"
"""The kind of the concern about a column that goes and nobody asked for it."""
UNSHOWN = "unshown-column"
"""The kind of the concern about a column that was asked for, and whose cells nobody has shown."""
MOST_SHOWN = 3  # rows


def violation(case: CaseObservation) -> Violation | None:
    modifies = case.contract.modifies
    if modifies is None:
        return None
    declared = {*modifies, *case.contract.adds, *case.contract.drops}
    for name, mask in case.masks.items():
        if name not in declared:
            named = names_text(modifies)
            detail = f"it changed column {name[:60]!r}, which is not in `modifies` ({named}), on {words(case)}"
            return Violation(detail, row_example(case, int(np.argmax(mask)), f"{name!r} unchanged", [name]))
    return None


def _unasked(observations: Observations, case: CaseObservation) -> list[Concern]:
    """The columns that it adds, and that neither the user nor an independent tester asked for."""
    result, origin = case.result, case.origin
    if result is None or origin is None or not len(origin):
        return []
    return [
        Concern(
            kind=UNASKED,
            check=ID,
            detail=f"it adds the column {name[:60]!r}, which nobody asked for",
            settles=f"Confirm that the column {name[:60]!r} is wanted, with an example that shows a cell of it.",
            columns=(name,),
            counterexample=_made_of(observations, row_example(case, 0, f"no column {name[:60]!r}"), name),
            rows=result.num_rows,
        )
        for name in case.contract.adds
        if has_column(result, name) and name not in observations.asked
    ]


def _unshown(observations: Observations, case: CaseObservation) -> list[Concern]:
    """The columns that were asked for, and of which no example shows what belongs there.

    Whoever asks for a column says that it is wanted, and not what its cells are: there is nothing to compare them with.
    """
    result, origin = case.result, case.origin
    if result is None or origin is None or not len(origin):
        return []
    return [
        Concern(
            kind=UNSHOWN,
            check=ID,
            detail=f"it fills the new column {name[:60]!r}, of which no example {_but_own(observations, name)}a cell",
            settles=f"Confirm what belongs in {name[:60]!r}, with an example that shows a cell of it.",
            columns=(name,),
            counterexample=_made_of(
                observations,
                rows_example(
                    case, _different(case.values(result, name)), f"cells of {name[:60]!r} that somebody confirms"
                ),
                name,
            ),
            rows=result.num_rows,
        )
        for name in _not_shown(observations)
        if name in observations.asked
        and has_column(result, name)
        and any(map(holds_something, case.values(result, name)))
    ]


def _made_of(observations: Observations, shown: Counterexample, name: str) -> Counterexample:
    """The rows with the new column and what the source names, by which a person can tell whether it is right."""
    kept = {*observations.reads, *observations.contract.adds, name}
    given, made = (
        tuple({n: v for n, v in row.items() if n in kept} for row in side) for side in (shown.input, shown.output)
    )
    return shown.model_copy(update={"input": given, "output": made})


def _but_own(observations: Observations, name: str) -> str:
    """Says that the candidate's own examples do not count, where one of them shows a cell of the column."""
    own = [one.output for one in observations.contract.examples if isinstance(one.output, dict)]
    shows = any(holds_something(one.get(name)) for one in own)
    return "of the user or of a tester (the function's own count for nothing) shows " if shows else "shows "


def _not_shown(observations: Observations) -> list[str]:
    """The added columns of which no user, tester or person has shown a cell that holds something."""
    outputs = [one.output for one in observations.witnesses if isinstance(one.output, dict)]
    return [name for name in observations.contract.adds if not any(holds_something(one.get(name)) for one in outputs)]


def _different(cells: Sequence[Any]) -> list[int]:
    """The first rows of the most frequent forms of cell."""
    first: dict[str, int] = {}
    counts = Counter(layout(str(cell)) for cell in cells if holds_something(cell))
    for row, cell in enumerate(cells):
        first.setdefault(layout(str(cell)) if holds_something(cell) else "", row)
    return sorted(first[form] for form, _ in counts.most_common(MOST_SHOWN))


def _dropped(observations: Observations, case: CaseObservation) -> list[Concern]:
    """The columns that it drops, and that neither the user nor an independent tester wants to go."""
    return [
        Concern(
            kind=DROPPED,
            check=ID,
            detail=f"it drops the column {name[:60]!r}, which nobody asked for",
            settles=f"Confirm that the column {name[:60]!r} is to go, with an example whose output does not have it.",
            columns=(name,),
            counterexample=example(case.input, None, f"the column {name[:60]!r} kept", before_rows=[0], columns=[name]),
            rows=case.input.num_rows,
        )
        for name in removed_columns(case, observations)
    ]


def check(observations: Observations) -> CheckResult | None:
    result = over(ID, list(observations.cases.values()), violation)
    cases = observations.present("working")
    laws = (_unasked, _unshown, _dropped)
    unasked = [one for case in cases for law in laws for one in law(observations, case)]
    return held(ID, unasked, result.cases) if unasked and result.outcome is Outcome.PASS else result


def not_applicable(scope: VerdictScope) -> str:
    undeclared = scope.contract.modifies is None and not (scope.contract.adds or scope.contract.drops)
    return "no columns declared: the contract has no `modifies`" if undeclared else ""


def _questions(observations: Observations) -> list[Question]:
    asked = new_columns(observations.present("working"), _not_shown(observations))
    return [*asked, *questions_of_rows(observations.present("working", "rest"), observations, asked)]


CHECK = Check(ID, LAW, check, not_applicable, questions=_questions)
