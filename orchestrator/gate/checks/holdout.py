"""What it does to rows that the proposer has seen, it does to rows that it has not."""

from orchestrator.core.verdict import CheckResult, Question
from orchestrator.gate.checks import (
    columns_kept,
    dtypes_kept,
    edges,
    effective,
    keeps_information,
    precise,
    returns_shape,
    rows_kept,
    touches_only_declared,
)
from orchestrator.gate.checks.changed_columns.added_rows import questions_of_rows
from orchestrator.gate.checks.changed_columns.column_doubts import changed_columns
from orchestrator.gate.checks.changed_columns.questions import questions
from orchestrator.gate.checks.check import Check, VerdictScope
from orchestrator.gate.checks.outcome import Violation, failed, held, passed
from orchestrator.gate.judge.observations import CaseObservation, Observations

ID = "holdout"
LAW = "The laws hold on rows that the proposer never saw, and the function has an effect there as well."

MEMORISED = 1e-6  # chance below which "it changes none of the unseen rows" is no accident

_LAWS = (
    returns_shape.violation,
    rows_kept.violation,
    columns_kept.violation,
    dtypes_kept.violation,
    touches_only_declared.violation,
    effective.violation,
    precise.violation,
    edges.violation,
)


def check(observations: Observations) -> CheckResult | None:
    if not observations.final:
        return None
    case = observations.cases.get("holdout")
    if case is None:
        return None
    rows = case.input.num_rows
    found = next((v for law in _LAWS if (v := law(case)) is not None), None)
    columns = changed_columns(case, observations)
    found = found or keeps_information.violation(case, observations, columns) or _memorised(observations, case)
    if found is not None:
        return failed(ID, found, rows)
    raised = list(keeps_information.concerns(case, observations, columns))
    return held(ID, raised, rows) if raised else passed(ID, rows)


def _memorised(observations: Observations, case: CaseObservation) -> Violation | None:
    """A function that changes many seen rows and no unseen one has memorised the sample."""
    rows, changed = observations.facts.get("rows", 0), observations.facts.get("changed", 0)
    if not rows or not changed or case.rows_changed:
        return None
    chance = (1.0 - changed / (rows + 1)) ** case.input.num_rows
    if chance >= MEMORISED:
        return None
    share = f"{changed} of {rows} rows of the sample and none of {case.input.num_rows} held-out rows"
    return Violation(f"it changes {share}: it seems to know the sample by heart")


def not_applicable(scope: VerdictScope) -> str:
    return "" if scope.holdout_rows else "the sample is too small to hold rows back"


def _questions(observations: Observations) -> list[Question]:
    cases = observations.present("holdout")
    return [*questions(cases, observations, forms=False), *questions_of_rows(cases, observations)]


CHECK = Check(ID, LAW, check, not_applicable, questions=_questions)
