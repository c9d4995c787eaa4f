"""It neither changes its input nor keeps state between calls, and tries to get at nothing else."""

from orchestrator.core.verdict import CheckResult
from orchestrator.data.hostile.reply import INPUT
from orchestrator.gate.checks.check import Check
from orchestrator.gate.checks.deterministic import violation as another_result
from orchestrator.gate.checks.outcome import Violation, failed, pair, passed
from orchestrator.gate.judge.compare import difference
from orchestrator.gate.judge.observations import CaseObservation, Observations

ID = "pure"
LAW = "The input table is as it was after the call, calls do not depend on earlier ones, and it tries to open nothing."


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


def attempt(observations: Observations) -> Violation | None:
    """What the candidate tried that a cleaning function has no use for, even where it hid that this was denied.

    It is noted within the candidate's own process: that something stands there is evidence, that nothing does is none.
    """
    own = (end for end in observations.ends if not end.case.startswith("promoted-"))  # others answer for themselves
    tried = next((end.tried[0] for end in own if end.tried), None)
    if tried is None:
        return None
    return Violation(f"it tried something that a cleaning function has no use for: {tried}")


def check(observations: Observations) -> CheckResult | None:
    working = observations.cases["working"]
    found = violation(working) or attempt(observations)
    for case in observations.present("repeat"):
        found = found or another_result(case, working)
    return passed(ID, 2) if found is None else failed(ID, found, 2)


CHECK = Check(ID, LAW, check)
