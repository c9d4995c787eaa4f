"""It neither changes its input nor keeps state between calls."""

from orchestrator.core.verdict import CheckResult
from orchestrator.data.hostile.reply import INPUT
from orchestrator.gate.checks.check import Check
from orchestrator.gate.checks.deterministic import violation as another_result
from orchestrator.gate.checks.outcome import Violation, failed, pair, passed
from orchestrator.gate.judge.compare import difference
from orchestrator.gate.judge.observations import CaseObservation, Observations

ID = "pure"
LAW = "The input table is as it was after the call, and calls do not depend on earlier calls."


def violation(case: CaseObservation) -> Violation | None:
    echo = case.op(INPUT)
    if echo.status in ("unserialisable", "broken"):
        return Violation(f"it turned its input into something that cannot be carried: {echo.error[:300]}")
    if echo.table is None:
        return None
    detail, row, columns = difference(case.input, echo.table)
    if not detail:
        return None
    what, how = ("dict", "a copy") if case.by_row else ("table", "df.copy()")
    shown = pair(case.input, echo.table, row, columns, f"the input left as it was: work on {how}")
    return Violation(f"it changes the {what} that it is given: {detail}", shown)


def check(observations: Observations) -> CheckResult | None:
    working = observations.cases["working"]
    found = violation(working)
    for case in observations.present("repeat"):
        found = found or another_result(case, working)
    return passed(ID, 2) if found is None else failed(ID, found, 2)


CHECK = Check(ID, LAW, check)
