"""It stays within its limits as the data grow."""

from collections.abc import Mapping, Sequence

from orchestrator.core.jobs import Ended
from orchestrator.core.policy import GatePolicy
from orchestrator.core.verdict import CheckResult
from orchestrator.gate.checks.check import Check, VerdictScope
from orchestrator.gate.checks.executed import ending
from orchestrator.gate.checks.outcome import Violation, failed, passed
from orchestrator.gate.judge.observations import Observations

ID = "resources"
LAW = "Eight times the rows, or the text, stay within the policy's limits and cost at most about n^1.2."

LOAD, STOPPED = "load~", "stopped~"
"""Prefixes of the names of facts: microseconds of processor time of a load, or at least so many."""
LONG, LONG_STOPPED, LONG_MEMORY = "long~", "long-stopped~", "long-memory~"
"""The same by the length of a text; and of one for which the memory was not enough."""
BASE = "load"  # the load that every function must manage
NOISE = 2.0  # between two measurements of processor time on a busy machine
DOUBT = 1.0  # without noise: what is above the bound by chance, or below what it rejects, is measured again
APART = 1.5  # times as many rows: between loads that lie closer the noise is larger than what they tell
LEAST_CPU_S = 0.01  # below which a difference says nothing
LEAST_SHARE = 0.25  # of what a call of few rows costs, likewise: slow and busy machines differ by more


def check(observations: Observations) -> CheckResult | None:
    ends = [end for end in observations.ends if end.case.startswith("load")]
    if not ends:
        return None
    finished, stopped = _seconds(observations, LOAD), _seconds(observations, STOPPED)
    for end in ends:
        larger = observations.cases[end.case].input.num_rows > observations.cases[BASE].input.num_rows
        if end.broken or (end.ended is not Ended.OK and not (end.ended is Ended.TIMEOUT and larger)):
            return failed(ID, ending(observations, end), len(ends))
    steep = growth(finished, stopped, observations.policy)
    costs = ", ".join(
        [f"{rows:,} rows {cost:.2f} s" for rows, cost in sorted(finished.items())]
        + [f"{rows:,} rows more than {cost:.2f} s" for rows, cost in sorted(stopped.items())]
    )
    if steep:
        return failed(
            ID, Violation(f"its cost grows faster than the rows: {costs} of processor time, {steep}"), len(ends)
        )
    long = _of_long_texts(observations)
    return passed(ID, len(ends), costs) if long is None else failed(ID, long, len(ends))


def _of_long_texts(observations: Observations) -> Violation | None:
    if memory := _seconds(observations, LONG_MEMORY):
        return Violation(f"a text of {min(memory):,} characters needs more memory than the limit")
    finished, stopped = _seconds(observations, LONG), _seconds(observations, LONG_STOPPED)
    steep = growth(finished, stopped, observations.policy, "character")
    if not steep:
        return None
    costs = ", ".join(
        [f"{chars:,} characters {cost:.2f} s" for chars, cost in sorted(finished.items())]
        + [f"{chars:,} characters more than {cost:.2f} s" for chars, cost in sorted(stopped.items())]
    )
    return Violation(f"its cost grows faster than a text: {costs} of processor time, {steep}")


def _seconds(observations: Observations, prefix: str) -> dict[int, float]:
    facts = observations.facts.items()
    return {int(name.removeprefix(prefix)): us / 1e6 for name, us in facts if name.startswith(prefix)}


def growth(
    finished: Mapping[int, float],
    stopped: Mapping[int, float],
    policy: GatePolicy,
    each: str = "row",
    noise: float = NOISE,
) -> str:
    """What is wrong with the growth of the cost with the rows; empty when nothing clearly is.

    Seconds by number of rows (or of what `each` says); of what was `stopped`, at least so many. Of any three loads in
    a row, each further row is compared with each row before, so that what every call costs does not matter.
    """
    costs = sorted(finished.items())
    beyond = [cost for cost in sorted(stopped.items()) if not costs or cost[0] > costs[-1][0]]
    costs += beyond[:1]  # of the next one, less than what it cost would be known
    three = (costs[place : place + 3] for place in range(len(costs) - 2))
    apart = (some for some in three if some[2][0] >= APART * some[1][0])
    return next((found for some in apart if (found := _steep(some, policy, each, noise))), "")


def _steep(costs: Sequence[tuple[int, float]], policy: GatePolicy, each: str, noise: float) -> str:
    (n0, t0), (n1, t1), (n2, t2) = costs
    power = policy.max_growth
    before = max(t1 - t0, LEAST_CPU_S, LEAST_SHARE * t0) / (n1 - n0)
    after = (t2 - t1) / (n2 - n1)
    allowed = ((n2**power - n1**power) / (n2 - n1)) / ((n1**power - n0**power) / (n1 - n0))
    if after <= noise * allowed * before:
        return ""
    return f"{after / before:.0f} times as much for each further {each} where {allowed:.1f} times is the bound"


def not_applicable(scope: VerdictScope) -> str:
    return scope.not_drawn


CHECK = Check(ID, LAW, check, not_applicable)
