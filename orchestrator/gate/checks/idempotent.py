"""Cleaning what is clean changes nothing."""

from orchestrator.core.jobs import Op
from orchestrator.core.verdict import CheckResult
from orchestrator.gate.checks.check import Check
from orchestrator.gate.checks.executed import raised
from orchestrator.gate.checks.outcome import Violation, at_line, example, failed, over, pair, words
from orchestrator.gate.judge.compare import difference
from orchestrator.gate.judge.observations import CaseObservation, Observations

ID = "idempotent"
LAW = "f(f(x)) = f(x), in one process and when the first result is sent to a fresh container."


def violation(case: CaseObservation) -> Violation | None:
    once, twice = case.op(Op.F), case.op(Op.FF)
    if once.table is None:
        return None
    if twice.status == "raised":
        rows = range(min(3, once.table.num_rows))
        shown = example(once.table, None, "its own result, unchanged", before_rows=rows)
        return Violation(f"it raised on its own result for {words(case)}: {twice.error[:500]}{at_line(twice)}", shown)
    if twice.table is None:
        return None
    detail, row, columns = difference(once.table, twice.table)
    if not detail:
        return None
    return Violation(
        f"applied to its own result for {words(case)} it changes it again: {detail}",
        pair(once.table, twice.table, row, columns, "the result of the first call"),
    )


def check(observations: Observations) -> CheckResult | None:
    if not observations.final:
        result = over(ID, observations.present("working", "first-row"), violation)
        return None if result.outcome == "pass" else result
    cases = observations.present("chained")
    for case in cases:
        found = chained(case)
        if found is not None:
            return failed(ID, found, len(cases) + 2)
    return over(ID, [*cases, *observations.present("holdout")], violation).model_copy(update={"cases": len(cases) + 2})


def chained(case: CaseObservation) -> Violation | None:
    """The case's input is the result of another container: it must come back as it went in."""
    op_result = case.op(Op.F)
    if op_result.status == "raised":
        return raised(case, op_result.error)
    if op_result.table is None:
        return Violation(f"it gave no table for {words(case)}")
    detail, row, columns = difference(case.input, op_result.table)
    if not detail:
        return None
    shown = pair(case.input, op_result.table, row, columns, "the row as it went in")
    return Violation(f"applied to its own result in a fresh container it changes it again: {detail}", shown)


CHECK = Check(ID, LAW, check)
