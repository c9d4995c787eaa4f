"""How the cost grows is told the same on fast, slow and busy machines."""

import random
from collections.abc import Callable

import pyarrow as pa
import pytest

from orchestrator.core.jobs import Child, ChildResult, Ended
from orchestrator.core.policy import Policy
from orchestrator.core.ports import Sample
from orchestrator.gate import candidate_file
from orchestrator.gate.canary import NO_EXAMPLES
from orchestrator.gate.checks.resources import growth
from orchestrator.gate.inputs.case_planner import CasePlanner
from orchestrator.gate.properties.loads import BASE_ROWS, LoadCosts, is_load, load_rows
from orchestrator.gate.properties.plan import Drawn
from orchestrator.gate.properties.property_runner import PropertyRunner

SOURCE = '''
CONTRACT = {"modifies": ["city"]}
def trim(df):
    """Strip."""
    return df.assign(city=df["city"].str.strip())
'''
ROWS = pa.table({"city": [" Rome", "Oslo", "Lima ", "Ulm"] * 10})
Cost = Callable[[int], float]
CALL_S = 0.01  # what a call of no rows costs on a machine of speed 1
SPEEDS = (0.3, 1.0, 4.0)


def runner(policy: Policy, cpu_s: float = 0.01) -> PropertyRunner:
    candidate = candidate_file.read(SOURCE)
    stage = CasePlanner(candidate, Sample(ROWS, ROWS), policy, 1).first(NO_EXAMPLES)
    drawn = Drawn(candidate, ROWS, policy, 1)
    return PropertyRunner(candidate, policy, drawn, (stage, [ChildResult(Ended.OK, cpu_s=cpu_s)]))


@pytest.fixture(scope="module", params=[2.0, 10.0])
def drawn(request: pytest.FixtureRequest) -> tuple[PropertyRunner, Policy]:
    limits = Policy().limits.model_copy(update={"cpu_s": request.param})
    policy = Policy(limits=limits)
    return runner(policy), policy


def rejected(drawn: tuple[PropertyRunner, Policy], cost: Cost) -> bool:
    """Whether a function of this cost is rejected: its processes are imagined, all else is real."""
    made, policy = drawn

    def run(child: Child) -> ChildResult:
        seconds = cost(load_rows(child)) if is_load(child) else 0.01
        ended = Ended.OK if seconds < child.limits.cpu_s else Ended.TIMEOUT
        return ChildResult(ended, cpu_s=min(seconds, child.limits.cpu_s))

    first = [run(child) for child in made.stage.job.children]
    stage = made.again(first)
    again = None if stage is None else (stage, [run(child) for child in stage.job.children])
    answered, costs = made.measured(first, again)
    if costs.found(policy):  # as `Execution.measured` does
        third = made.doubtful(answered, costs)
        _, costs = made.better(answered, (third, [run(child) for child in third.job.children]))
    return costs.base_stopped or bool(growth(costs.finished, costs.stopped, policy.gate))


def test_the_square_is_found_on_any_machine(drawn: tuple[PropertyRunner, Policy]) -> None:
    """From a second at 12,800 rows on, wherever the time ends a load, a cost that grows with the square is found."""
    missed = [
        (speed, base_s)
        for speed in SPEEDS
        for step in range(90)
        if (base_s := 0.016 * 1.1**step) < 100
        and not rejected(drawn, lambda rows, s=speed, x=base_s: CALL_S * s + x * (rows / BASE_ROWS) ** 2)  # type: ignore[misc] # bound now
    ]
    assert missed == []


def test_the_square_is_found_on_a_busy_machine() -> None:
    """Where each measurement is off by up to twice, hardly a cost that grows with the square is missed."""
    policy = Policy()
    made = runner(policy), policy
    chance = random.Random(5)  # noqa: S311 - a test must do the same every time
    tried = [(speed, base_s) for speed in SPEEDS for step in range(200) if (base_s := 0.016 * 1.02**step) < 0.2]
    missed = [
        (speed, base_s)
        for speed, base_s in tried
        if not rejected(
            made,
            lambda rows, s=speed, x=base_s: chance.uniform(1, 2) * (CALL_S * s + x * (rows / BASE_ROWS) ** 2),  # type: ignore[misc] # bound now
        )
    ]
    assert len(missed) <= 0.02 * len(tried), f"{len(missed)} of {len(tried)}"


def test_linear_cost_is_never_blamed(drawn: tuple[PropertyRunner, Policy]) -> None:
    """However slow the function, as long as it manages the base load; each measurement is off by up to a third."""
    limit_s = drawn[1].limits.cpu_s
    chance = random.Random(5)  # noqa: S311 - a test must do the same every time
    blamed = [
        (speed, base_s)
        for speed in SPEEDS
        for step in range(100)
        if (base_s := 0.001 * 1.1**step) < 0.7 * limit_s
        and rejected(
            drawn,
            lambda rows, s=speed, x=base_s: chance.uniform(0.75, 1.33) * (CALL_S * s + x * rows / BASE_ROWS),  # type: ignore[misc] # bound now
        )
    ]
    assert blamed == []


def test_a_load_that_was_stopped_is_evidence() -> None:
    """It has cost at least what it had used; what comes after a stopped load says nothing."""
    policy = Policy().gate
    finished = {25: 0.02, 200: 0.022, 1600: 0.1}
    assert growth(finished, {12_800: 3.0}, policy)
    assert not growth(finished, {12_800: 0.5}, policy)
    assert not growth({25: 0.02, 200: 0.02}, {1600: 0.1, 12_800: 60.0}, policy)


def test_what_is_measured_beside_one_more_load_counts_where_it_is_better() -> None:
    """Where the largest load was stopped, one more is run and the others again: of each the better one counts."""
    policy = Policy()
    made = runner(policy)
    costs = {25: 0.02, 200: 0.03, 1600: 0.2, 12_800: 3.0}

    def run(child: Child, times: float) -> ChildResult:
        if not is_load(child):
            return ChildResult(Ended.OK, cpu_s=0.01)
        rows = load_rows(child)
        ended = Ended.TIMEOUT if rows == max(costs) else Ended.OK
        return ChildResult(ended, cpu_s=costs.get(rows, 1.5) * (1 if ended is Ended.TIMEOUT else times))

    first = [run(child, 1.0) for child in made.stage.job.children]
    again = made.again(first)
    assert again is not None
    more = [load_rows(child) for child in again.job.children if load_rows(child) not in costs]
    assert [load_rows(child) for child in again.job.children] == [25, 200, 1600, *more]
    assert len(more) == 1
    answered, known = made.measured(first, (again, [run(child, 1.7) for child in again.job.children]))
    assert known.finished == {25: 0.02, 200: 0.03, 1600: 0.2, more[0]: 1.5 * 1.7}
    assert known.stopped == {12_800: 3.0}
    assert [len(stage.job.children) for stage, _ in answered] == [len(first), 1]


def test_a_slow_function_is_tried_all_the_same() -> None:
    """No guess at its cost lets a function off: its rows are spread over more processes, and every load is run."""
    fast, slow = runner(Policy()), runner(Policy(), cpu_s=9.0)
    loads = [[load_rows(child) for child in one.stage.job.children if is_load(child)] for one in (fast, slow)]
    assert loads[0] == loads[1] == [25, 200, 1600, 12_800]
    names = [case.id for child in slow.stage.job.children for case in child.cases]
    assert {"usual", "near", "odd", "usual~shuffled", "usual~again"} <= set(names)
    assert len(slow.stage.job.children) > len(fast.stage.job.children)


def test_one_large_power_of_two_is_drawn_for_each_verdict() -> None:
    """A function that misbehaves at 4,096 rows cannot know whether it is tried there."""
    candidate, names = candidate_file.read(SOURCE), set[str]()
    for seed in range(12):
        children = Drawn(candidate, ROWS, Policy(), seed).stage(0.0).job.children
        many = [case.id for child in children for case in child.cases if case.id.startswith("usual~many-")]
        assert len(many) == 1
        names |= {*many}
    assert names == {"usual~many-2048", "usual~many-4096", "usual~many-8192"}


def test_many_rows_are_the_first_to_be_left_out() -> None:
    """They cost as much as all small numbers of rows, which are kept where there is no time for both."""
    left = []
    for tenths in range(1, 40):
        children = runner(Policy(), cpu_s=tenths / 10).stage.job.children
        left.append({case.id[6:10] for child in children for case in child.cases} & {"many", "size"})
    assert {"many", "size"} in left
    assert {"size"} in left
    assert {"many"} not in left


def test_the_better_of_two_measurements_counts(drawn: tuple[PropertyRunner, Policy]) -> None:
    """A base load that a busy machine stopped once is run again, and only then the function is blamed."""
    made, _ = drawn
    busy = [ChildResult(Ended.TIMEOUT if is_load(c) else Ended.OK, cpu_s=0.01) for c in made.stage.job.children]
    stage = made.again(busy)
    assert stage is not None
    assert all(map(is_load, stage.job.children))
    calm = [ChildResult(Ended.OK, cpu_s=0.02) for _ in stage.job.children]
    answered, costs = made.measured(busy, (stage, calm))
    assert costs == LoadCosts(dict.fromkeys((25, 200, 1600, 12_800), 0.02))
    assert len(answered) == 1
    assert made.measured(busy, (stage, busy[-4:]))[1].base_stopped
