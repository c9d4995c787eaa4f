"""It stays within its bounds when the data grow."""

from collections.abc import Mapping

from orchestrator.core.jobs import Ended
from orchestrator.core.policy import GatePolicy
from orchestrator.core.verdict import CheckResult
from orchestrator.gate.checks.check import Check, Scope
from orchestrator.gate.checks.executed import ending
from orchestrator.gate.checks.outcome import Violation, failed, passed
from orchestrator.gate.judge.observations import Observations

ID = "resources"
LAW = "Eight times the rows stay within the policy's limits and cost at most about n^1.2."

LOAD = "load~"
NOISE = 2.0  # between two measurements of processor time on a busy machine
LEAST_CPU_S = 0.01  # below which a difference says nothing


def check(view: Observations) -> CheckResult | None:
    ends = [end for end in view.ends if end.case.startswith("load")]
    if not ends:
        return None
    for end in ends:
        if end.ended is not Ended.OK or end.broken:
            return failed(ID, ending(view, end), len(ends))
    seconds = {int(name.removeprefix(LOAD)): us / 1e6 for name, us in view.facts.items() if name.startswith(LOAD)}
    steep = growth(seconds, view.policy)
    told = ", ".join(f"{rows:,} rows {cost:.2f} s" for rows, cost in sorted(seconds.items()))
    if steep:
        return failed(
            ID, Violation(f"its cost grows faster than the rows: {told} of processor time, {steep}"), len(ends)
        )
    return passed(ID, len(ends), told)


def growth(seconds: Mapping[int, float], policy: GatePolicy) -> str:
    """What is wrong with the growth of the cost over three numbers of rows; empty when nothing clearly is.

    Each further row is compared with each row before, so that what every call costs does not matter.
    """
    if len(seconds) < 3:
        return ""
    (n0, t0), (n1, t1), (n2, t2) = sorted(seconds.items())[-3:]
    power = policy.max_growth
    before = max(t1 - t0, LEAST_CPU_S) / (n1 - n0)
    after = (t2 - t1) / (n2 - n1)
    allowed = ((n2**power - n1**power) / (n2 - n1)) / ((n1**power - n0**power) / (n1 - n0))
    if after <= NOISE * allowed * before:
        return ""
    return f"{after / before:.0f} times as much for each further row where {allowed:.1f} times is the bound"


def not_applicable(scope: Scope) -> str:
    return scope.not_drawn


CHECK = Check(ID, LAW, check, not_applicable)
