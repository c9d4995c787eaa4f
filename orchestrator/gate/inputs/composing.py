"""The jobs in which promoted functions run before and after a candidate. Called by `confirmation` for `composes`.

The candidate itself is in neither. `before` is the sample, `after` the candidate's result for it, as bytes that nobody
on the host has decoded.
"""

from collections.abc import Sequence

from orchestrator.core.jobs import Case, Child, GuestEnvironment, Job, Limits, Op
from orchestrator.core.promoted import Promoted
from orchestrator.gate.inputs.case_planner import Stage, is_light


def together(promoted: Sequence[Promoted], before: bytes, after: bytes, limits: Limits) -> Stage:
    """All of them in one process, one after the other."""
    cases = [Case("promoted-before", before, (Op.F,)), Case("promoted-after", after, (Op.F,))]
    for number, function in enumerate(promoted):
        cases += [*_flags(function, "before", number, before), *_flags(function, "after", number, after)]
    return _stage(promoted, [cases], limits)


def alone(promoted: Sequence[Promoted], before: bytes, after: bytes, limits: Limits) -> Stage:
    """Each in two processes of its own, and on the candidate's result in both."""
    groups = []
    for number, function in enumerate(promoted):
        first = Case(f"promoted-before-{number}", before, (Op.F,), number)
        again = Case(f"promoted-again-{number}", after, (Op.F,), number)
        groups.append([first, *_flags(function, "before", number, before), again])
        last = Case(f"promoted-after-{number}", after, (Op.F,), number)
        groups.append([last, *_flags(function, "after", number, after)])
    return _stage(promoted, groups, limits)


def _flags(function: Promoted, when: str, number: int, rows: bytes) -> list[Case]:
    if not function.candidate.has_detect:
        return []
    return [Case(f"promoted-flags-{when}-{number}", rows, (Op.DETECT,), number)]


def _stage(promoted: Sequence[Promoted], groups: Sequence[Sequence[Case]], limits: Limits) -> Stage:
    programs = tuple(function.program for function in promoted)
    environment = GuestEnvironment.FIRST.lightened(light=is_light(programs))
    return Stage(Job(programs, tuple(Child(tuple(cases), limits) for cases in groups), environment))
