"""Tells a function that waits from one that a busy machine kept waiting. Called by `execution`.

A process that the wall clock stopped has either slept or was given little processor time by a busy machine. What an
endless loop gets at the same time, on the same machine, says which: a function that used about as much was starved. It
is run again with more wall time, so that what never ends uses up its processor time, however busy the machine is.
"""

from collections.abc import Sequence
from dataclasses import replace

import pyarrow as pa

from orchestrator.core.jobs import Case, Child, ChildResult, Ended, GuestEnvironment, Job, Limits, Op, Program
from orchestrator.data.hostile.arrow_tables import write_table
from orchestrator.gate.properties.lengths import is_long
from orchestrator.gate.properties.loads import BASE_ROWS, is_load, load_rows

SHARE = 0.5  # of a limit or of what the loop got; less than that is clearly less
IDLE_SHARE = 0.05  # of the wall time: a process that computed no more did nothing but wait
WAITING_SHARE = 0.2  # of a processor: where a loop gets as much, a process that computed nothing was not kept from it
SURE_SHARE = 0.8  # of a limit, for a process that had been given wall time enough to use it all
MOST_PATIENCE = 4.0  # times its wall time: what a process gets at most when it is run again on a busy machine
_LOOP = '''"""An endless loop."""
def loop(df):
    """Never return."""
    while True:
        pass
'''
_LOOP_LIMITS = Limits(cpu_s=0.5, wall_s=2.0)


def loop() -> Job:
    """An endless loop, whose processor time in its wall time is what the machine has to give."""
    case = Case("working", write_table(pa.table({"text": ["a"]})), (Op.F,))
    return Job((Program("loop", _LOOP),), (Child((case,), _LOOP_LIMITS),), GuestEnvironment.FIRST)


def stopped_early(children: Sequence[Child], results: Sequence[ChildResult]) -> list[int]:
    """The places of children that ran out of time with much of their processor time unused, or were never started.

    Not those whose result is evidence either way: the loads that are larger than what a function must manage, long
    texts, and what was not started after a child that `ends_job`, where that one had used its time.
    """
    places: list[int] = []
    for place, (child, result) in enumerate(zip(children, results, strict=True)):
        evidence = is_long(child) or (is_load(child) and load_rows(child) > BASE_ROWS)
        if result.ended is not Ended.TIMEOUT or evidence:
            continue
        if result.cpu_s < SURE_SHARE * child.limits.cpu_s:
            places.append(place)
        elif child.ends_job:
            break
    return places


def patient(child: Child, share: float) -> Child:
    """The same process with twice the wall time in which a loop that gets `share` uses up its processor time."""
    usual_s = child.limits.wall_s
    wall_s = min(2.0 * child.limits.cpu_s / max(share, 1e-3), MOST_PATIENCE * usual_s)
    return replace(child, limits=child.limits.model_copy(update={"wall_s": max(wall_s, usual_s)}))


def slept(results: Sequence[ChildResult]) -> bool:
    """Whether one of the processes did nothing but wait."""
    return any(result.wall_s > 0 and result.cpu_s < IDLE_SHARE * result.wall_s for result in results)


def starved(results: Sequence[ChildResult], share: float) -> bool:
    """Whether the processes used about as much as an endless loop got. `share`: its processor time by wall time."""
    return all(result.cpu_s >= SHARE * share * result.wall_s for result in results)
