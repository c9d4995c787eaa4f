"""The processor time of verdicts, over everything that works for them.

A verdict's cost is spread over this process, the judge, the engine's processes and the containers. All of it is what
the machine was busy, less what it was busy before anything was asked of it: right on a quiet machine only. On one that
others use, `--group` names a control group in which this process and an engine of its own run
(`dockerd --cgroup-parent`): then nothing else is counted.
"""

import argparse
import os
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import perf_counter, sleep
from typing import NamedTuple

from rich.console import Console
from rich.table import Table

from benchmarks import measures
from benchmarks.document import keep
from orchestrator.core.policy import Policy
from orchestrator.sandbox.provision.image_id import sandbox_image

STILL_S = 3.0
BUSY = 0.1  # processors: with more than that in use already, the machine is not quiet


class Cost(NamedTuple):
    """Seconds by the clock, and of all processors together."""

    wall: float
    processors: float


class Meter:
    """Reads how long processors have worked: for one control group, or for everything on the machine."""

    def __init__(self, group: Path | None) -> None:
        self._group = group

    def busy_s(self) -> float:
        """Seconds that all processors together have worked."""
        if self._group is None:
            fields = Path("/proc/stat").read_text(encoding="ascii").split("\n", 1)[0].split()[1:]
            user, nice, system, _idle, _wait, irq, softirq = map(int, fields[:7])
            return (user + nice + system + irq + softirq) / os.sysconf("SC_CLK_TCK")
        version_1 = self._group / "cpuacct.usage"
        if version_1.exists():
            return int(version_1.read_text(encoding="ascii")) / 1e9
        return int((self._group / "cpu.stat").read_text(encoding="ascii").split("usage_usec", 1)[1].split()[0]) / 1e6

    def background(self) -> float:
        """How many processors are busy though nothing is asked of them here."""
        before = self.busy_s()
        sleep(STILL_S)
        return (self.busy_s() - before) / STILL_S

    def cost(self, call: Callable[[], object], times: int) -> Cost:
        """The median cost of a call, with what it leaves to be done in the background."""
        costs = []
        idle = self.background()
        for _ in range(times):
            busy, start = self.busy_s(), perf_counter()
            call()
            wall = perf_counter() - start
            sleep(STILL_S)
            costs.append(Cost(wall, self.busy_s() - busy - idle * (perf_counter() - start)))
        return Cost(median(cost.wall for cost in costs), median(cost.processors for cost in costs))


def verdicts(meter: Meter, times: int) -> list[tuple[str, Cost, str]]:
    """What verdicts cost in a process that is already there, with the containers that are made in their place."""
    with measures.verifying(Policy(), sandbox_image()) as (_, gate):
        made = []
        for what, quick, target in (("a quick verdict", True, ""), ("a whole verdict", False, "≤ 1.5 s of processors")):
            call = measures.verdict_of(gate, quick=quick)
            call()
            sleep(2 * STILL_S)
            made.append((what, meter.cost(call, times), target))
    return made


def main() -> None:
    """Measure and print; --document writes the table into docs/performance.md."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=5, help="calls per figure")
    parser.add_argument("--group", type=Path, help="folder of a control group in which all of this runs")
    parser.add_argument("--document", action="store_true", help="write the table into docs/performance.md")
    options = parser.parse_args()
    meter = Meter(options.group)
    others = Meter(None).background()
    lines = verdicts(meter, options.times)
    rows = [("what", "by the clock", "processor time", "target")]
    rows += [(what, f"{cost.wall:.2f} s", f"{cost.processors:.2f} s", target) for what, cost, target in lines]
    table = Table(*rows[0])
    for row in rows[1:]:
        table.add_row(*row)
    busy = (
        "nothing else running"
        if others <= BUSY
        else f"{others:.1f} of them busy with other work, which makes the figures too high"
    )
    circumstances = f"{os.cpu_count()} processors, {busy}, median of {options.times}"
    console = Console()
    console.width = max(console.width, 120)  # a pipe counts as 80
    console.print(table, circumstances)
    if options.document:
        keep("processor time", circumstances, rows)


if __name__ == "__main__":
    main()
