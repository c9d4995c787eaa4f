"""`make bench`: what a verdict costs, next to no isolation at all, to one `docker run` per candidate and to peers.

Every figure is measured here and now, in one run; ratios matter more than times, since machines differ. A missed target
is printed as missed, and what cannot run here with the reason.
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import NamedTuple

from rich.console import Console
from rich.table import Table

from benchmarks import measures
from benchmarks.peers_image import peers_image
from benchmarks.workload import BY_ROW, CASES, Figure, at_least, at_most, median_ms
from orchestrator.core.errors import CleanroomError
from orchestrator.core.policy import ContainerPolicy, Policy
from orchestrator.sandbox.provision.engine_client import connect
from orchestrator.sandbox.provision.image_id import sandbox_image

CALLERS = 32


class Skipped(NamedTuple):
    """A line that could not be measured here."""

    what: str
    why: str


Lines = list[Figure | Skipped]


def one_at_a_time(image: str, times: int) -> tuple[float, Lines]:
    """The warm verdict, in milliseconds, and the lines about latency."""
    policy = Policy()
    limit = measures.in_process()
    with measures.verifying(policy, image) as (sandbox, gate):
        part = measures.sandbox_part(sandbox, times)
        warm = measures.warm_verdict(gate, times)
        whole = measures.warm_verdict(gate, max(3, times // 3), quick=False)
        by_row = {shape: measures.warm_verdict(gate, max(3, times // 3), source) for shape, source in BY_ROW.items()}
    cold = measures.cold_verdict(policy, image)
    per_candidate = median_ms(measures.docker_run(image, CASES), 3)
    per_case = median_ms(measures.docker_run(image, 1), 3) * CASES
    return warm, [
        Figure("in process, no isolation (12 cases × 100 rows × 4 ops)", limit, "ms", "the limit"),
        Figure("the same in a warm sandbox", part, "ms"),
        at_most("warm verdict: both containers, all checks but `properties` and `resources`", warm, "ms", 60),
        at_most("warm verdict / in process", warm / limit, "×", 8),
        *(Figure(f"warm verdict of a `{shape}` function", taken, "ms") for shape, taken in by_row.items()),
        Figure("warm verdict with `properties` and `resources`", whole, "ms"),
        Figure("cold verdict: from nothing to the end", cold, "ms"),
        Figure("one docker run per candidate, pandas imported", per_candidate, "ms"),
        at_least("docker run per candidate / warm verdict", per_candidate / warm, 5),
        at_least("one docker run per case / warm verdict", per_case / warm, 40),
    ]


def many_at_once(image: str, containers: int) -> Lines:
    policy = Policy()
    few = policy.container.pool_size
    bare = measures.bare_loop(image, policy.container, containers, few)
    used, _ = measures.single_use(image, policy, containers, few)
    crowd, waits = measures.single_use(image, policy, 2 * containers, CALLERS)
    waits.sort()
    return [
        Figure(f"bare loop create+start+import+remove, {few} at once", bare, "/s"),
        Figure(f"strict single-use jobs, {few} callers", used, "/s"),
        at_least("single-use / bare loop", used / bare, 0.9),
        Figure(f"strict single-use jobs, {CALLERS} callers", crowd, "/s"),
        at_least(f"single-use with {CALLERS} callers / bare loop", crowd / bare, 0.9),
        Figure(f"a job's turn with {CALLERS} callers, median", median(waits), "s"),
        Figure(f"a job's turn with {CALLERS} callers, slowest", waits[-1], "s"),
    ]


def under_gvisor(image: str, warm: float, containers: int) -> Lines:
    with closing(connect()) as client:
        known = "runsc" in (client.info().get("Runtimes") or {})
    if not known:
        return [Skipped("under runsc", "the engine does not know it: `cleanroom setup --runtime runsc`")]
    policy = Policy(container=ContainerPolicy(runtime="runsc"))
    with measures.verifying(policy, image) as (sandbox, gate):
        part = measures.sandbox_part(sandbox, 3)
        verdict = measures.warm_verdict(gate, 3)
    used, _ = measures.single_use(image, policy, containers // 2, policy.container.pool_size)
    return [
        Figure("the same cases in a warm sandbox under runsc", part, "ms"),
        Figure("warm verdict under runsc", verdict, "ms"),
        Figure("warm verdict under runsc / under runc", verdict / warm, "×"),
        Figure(f"strict single-use jobs under runsc, {policy.container.pool_size} callers", used, "/s"),
    ]


def beside_peers(python: Path | None, warm: float, report: Callable[[str], None]) -> Lines:
    """What the peers take for the same candidate, and how much faster a warm verdict with all its checks is."""
    if python is None:
        return [Skipped("llm-sandbox, smolagents", "not asked for: --peers names a Python that has them")]
    try:
        image = peers_image(report)
    except CleanroomError as error:
        return [Skipped("llm-sandbox, smolagents", error.message)]
    done = subprocess.run([python, "-m", "benchmarks.peers", image], capture_output=True, text=True, check=False)
    if done.returncode:
        lines = done.stderr.strip().splitlines()
        return [Skipped("llm-sandbox, smolagents", lines[-1] if lines else f"exit code {done.returncode}")]
    found: Lines = []
    for peer in json.loads(done.stdout):
        if peer["ms"] is None:
            found.append(Skipped(peer["name"], peer["why"]))
            continue
        found.append(Figure(peer["name"], peer["ms"], "ms"))
        ratio, what = peer["ms"] / warm, "… / warm verdict"
        found.append(at_least(what, ratio, 50) if "per candidate" in peer["name"] else Figure(what, ratio, "×"))
    return found


def main() -> None:
    """Measure and print; --json for machines."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=9, help="calls per latency figure")
    parser.add_argument("--containers", type=int, default=24, help="containers per throughput figure")
    parser.add_argument("--peers", type=Path, help="a Python that has llm-sandbox and smolagents")
    parser.add_argument("--json", type=Path, help="also write the figures here")
    options = parser.parse_args()
    image = sandbox_image()
    started = perf_counter()

    def report(step: str) -> None:
        print(f"  {perf_counter() - started:4.0f} s  {step}", file=sys.stderr)

    report("one verdict at a time")
    warm, lines = one_at_a_time(image, options.times)
    report("many callers")
    lines += many_at_once(image, options.containers)
    report("under gVisor")
    lines += under_gvisor(image, warm, options.containers)
    report("peers")
    lines += beside_peers(options.peers, warm, report)
    report("done")
    table = Table("what", "measured", "target", "")
    for line in lines:
        if isinstance(line, Skipped):
            table.add_row(line.what, "cannot run here", "", line.why)
        else:
            word = {True: "[green]met[/]", False: "[red]missed[/]", None: ""}[line.met]
            table.add_row(line.what, f"{line.value:,.1f} {line.unit}", line.target, word)
    console = Console()
    console.width = max(console.width, 120)  # a pipe counts as 80
    console.print(table)
    if options.json:
        options.json.write_text(json.dumps([line._asdict() for line in lines], indent=1) + "\n")


if __name__ == "__main__":
    main()
