"""`make bench`: what a verdict costs, next to no isolation at all and to one `docker run` per candidate, in one run.

Every figure is measured here and now; ratios matter more than times, since machines differ. A missed target is printed
as missed.
"""

import argparse
import json
import statistics
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import perf_counter, sleep
from typing import Any, NamedTuple

import pyarrow as pa
from rich.console import Console
from rich.table import Table

from orchestrator.core.jobs import Case, Child, Flavour, Job, Op, Program
from orchestrator.core.policy import ContainerPolicy, Policy
from orchestrator.core.ports import Sample
from orchestrator.data.disposable import DisposableProcess
from orchestrator.data.frames import write_table
from orchestrator.gate.verifier import Verifier
from orchestrator.sandbox.container import Container
from orchestrator.sandbox.docker_sandbox import DockerSandbox
from orchestrator.sandbox.engine import Engine
from orchestrator.sandbox.posture import Posture
from orchestrator.sandbox.provision.image_id import sandbox_image

ROWS, CASES, COLUMNS = 100, 12, 10
OPS = (Op.F, Op.FF, Op.DETECT, Op.DETECT_F)
SOURCE = '''"""City names carry stray blanks."""
CONTRACT = {"shape": "table", "modifies": ["city"]}
def detect(df):
    return df["city"].str.strip() != df["city"]
def trim_city(df):
    """Strip leading and trailing blanks from city."""
    out = df.copy()
    out["city"] = out["city"].str.strip()
    return out
'''
PLAIN = f"""
import sys, io
import pandas as pd, pyarrow as pa
space = {{}}
exec({SOURCE!r}, space)
cells = {{f"c{{i}}": ["x"] * {ROWS} for i in range({COLUMNS - 1})}}
df = pd.DataFrame({{"city": [" Bonn", "Kiel"] * {ROWS // 2}}} | cells)
for _ in range(int(sys.argv[1])):
    f = space["trim_city"]
    out = f(df); f(out); space["detect"](df); space["detect"](out)
print(len(out))
"""


class Figure(NamedTuple):
    """One line of the table. `target` says what is wanted; `met` is None where nothing is."""

    what: str
    value: float
    unit: str
    target: str = ""
    met: bool | None = None


def rows(count: int) -> pa.Table:
    """A table of text, half of its cities with stray blanks."""
    cities = [" Bonn" if i % 2 else f"Kiel {i % 7}" for i in range(count)]
    return pa.table({"city": cities} | {f"c{i}": [f"v{i}-{k % 13}" for k in range(count)] for i in range(COLUMNS - 1)})


def median_ms(call: Callable[[], Any], times: int, before: Callable[[], Any] = lambda: None) -> float:
    """The median time of a call in milliseconds; `before` is not counted."""
    taken = []
    for _ in range(times):
        before()
        start = perf_counter()
        call()
        taken.append((perf_counter() - start) * 1000)
    return statistics.median(taken)


def in_process() -> float:
    """The same cases and ops with no isolation at all: the limit."""
    space: dict[str, Any] = {}
    exec(SOURCE, space)  # noqa: S102 - our own function, to measure what no isolation costs
    function, detect = space["trim_city"], space["detect"]
    frames = [rows(ROWS).to_pandas() for _ in range(CASES)]

    def call() -> None:
        for frame in frames:
            out = function(frame)
            function(out)
            detect(frame)
            detect(out)

    call()
    return median_ms(call, 20)


def sandbox_part(sandbox: DockerSandbox, times: int) -> float:
    """12 cases of 100 rows, four ops each, in one warm container."""
    body = write_table(rows(ROWS))
    cases = tuple(Case(str(i), body, OPS) for i in range(CASES))
    job = Job((Program("trim_city", SOURCE),), (Child(cases),), Flavour.FIRST)
    return median_ms(lambda: sandbox.run(job), times, before=settle)


def warm_verdict(verifier: Verifier, times: int) -> float:
    """A whole verdict, both containers and all checks, when the pool is full."""
    table = rows(ROWS + ROWS // 3)
    sample = Sample(table.slice(0, ROWS), table.slice(ROWS))

    def call() -> None:
        verdict = verifier.verify(SOURCE, sample)
        assert verdict.passed, verdict.failures  # noqa: S101 - a benchmark of failures would be no benchmark

    call()
    return median_ms(call, times, before=settle)


def settle() -> None:
    """Let the pool fill up, off the clock."""
    sleep(2.5)


def cold_verdict(policy: Policy, image: str) -> float:
    """From nothing: engine connection, containers, judge, verdict."""
    table = rows(ROWS + ROWS // 3)
    sample = Sample(table.slice(0, ROWS), table.slice(ROWS))

    def call() -> None:
        with DockerSandbox(policy, image) as sandbox, DisposableProcess("orchestrator.gate.judge_main:judge") as judge:
            assert Verifier(sandbox, judge, policy).verify(SOURCE, sample).passed  # noqa: S101 - the same

    return median_ms(call, 3)


def docker_run(image: str, cases: int) -> Callable[[], None]:
    """What people do today: one `docker run` with pandas imported."""
    command = ["docker", "run", "--rm", "--network", "none", "--entrypoint", "/usr/bin/python3", image, "-c"]
    boot = "import sys; sys.path[:0] = ['/cleanroom/lib']\n"

    def call() -> None:
        done = subprocess.run([*command, boot + PLAIN, str(cases)], capture_output=True, check=False)
        if done.returncode:
            raise SystemExit(f"docker run failed: {done.stderr.decode()[-300:]}")

    return call


def bare_loop(image: str, policy: ContainerPolicy, containers: int, at_once: int) -> float:
    """Containers per second: create, start, import, remove, and nothing else."""
    engine = Engine()
    posture = Posture.of(policy, image, Flavour.FIRST)

    def life(_number: int) -> None:
        Container.start(engine, posture, "bench", inspect=False).destroy()

    start = perf_counter()
    with ThreadPoolExecutor(at_once) as pool:
        list(pool.map(life, range(containers)))
    taken = perf_counter() - start
    engine.close()
    return containers / taken


def single_use(image: str, policy: Policy, jobs: int, at_once: int) -> float:
    """Containers used per second when every job gets its own."""
    body = write_table(rows(ROWS))
    job = Job((Program("trim_city", SOURCE),), (Child((Case("a", body, OPS),)),), Flavour.FIRST)
    start = perf_counter()
    with DockerSandbox(policy, image) as sandbox, ThreadPoolExecutor(at_once) as pool:
        list(pool.map(lambda _number: sandbox.run(job), range(jobs)))
    return jobs / (perf_counter() - start)


def measure(times: int, containers: int) -> list[Figure]:
    """All figures, in one run."""
    policy, image = Policy(), sandbox_image()
    limit = in_process()
    with DockerSandbox(policy, image) as sandbox, DisposableProcess("orchestrator.gate.judge_main:judge") as judge:
        part = sandbox_part(sandbox, times)
        warm = warm_verdict(Verifier(sandbox, judge, policy), times)
    cold = cold_verdict(policy, image)
    per_candidate = median_ms(docker_run(image, CASES), 3)
    per_case = median_ms(docker_run(image, 1), 3) * CASES
    at_once = policy.container.pool_size
    bare = bare_loop(image, policy.container, containers, at_once)
    used = single_use(image, policy, containers, at_once)
    return [
        Figure("in process, no isolation (12 cases × 100 rows × 4 ops)", limit, "ms", "the limit"),
        Figure("the same in a warm sandbox", part, "ms"),
        Figure("warm verdict: both containers, all checks", warm, "ms", "≤ 60", warm <= 60),
        Figure("warm verdict / in process", warm / limit, "×", "≤ 8", warm / limit <= 8),
        Figure("cold verdict: from nothing to the end", cold, "ms"),
        Figure("one docker run per candidate, pandas imported", per_candidate, "ms"),
        Figure("docker run per candidate / warm verdict", per_candidate / warm, "×", "≥ 5", per_candidate / warm >= 5),
        Figure("one docker run per case / warm verdict", per_case / warm, "×", "≥ 40", per_case / warm >= 40),
        Figure(f"bare loop create+start+import+remove, {at_once} at once", bare, "/s"),
        Figure(f"strict single-use jobs, {at_once} at once", used, "/s"),
        Figure("single-use / bare loop", used / bare, "×", "≥ 0.9", used / bare >= 0.9),
    ]


def main() -> None:
    """Measure and print; --json for machines."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=9, help="calls per latency figure")
    parser.add_argument("--containers", type=int, default=24, help="containers per throughput figure")
    parser.add_argument("--json", type=Path, help="also write the figures here")
    options = parser.parse_args()
    figures = measure(options.times, options.containers)
    table = Table("what", "measured", "target", "")
    for figure in figures:
        word = {True: "[green]met[/]", False: "[red]missed[/]", None: ""}[figure.met]
        table.add_row(figure.what, f"{figure.value:,.1f} {figure.unit}", figure.target, word)
    Console().print(table)
    if options.json:
        options.json.write_text(json.dumps([figure._asdict() for figure in figures], indent=1) + "\n")
    sys.exit(0)


if __name__ == "__main__":
    main()
