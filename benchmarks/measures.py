"""The single measurements of `make bench`: each takes one thing's time, here and now. Called by sandbox.py."""

import subprocess
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from time import perf_counter, sleep
from typing import Any

import pyarrow as pa

from benchmarks.workload import CASES, COLUMNS, ROWS, SOURCE, median_ms, program
from orchestrator.core.jobs import Case, Child, GuestEnvironment, Job, Op, Program
from orchestrator.core.policy import ContainerPolicy, Policy
from orchestrator.core.ports import Sample, VerifyRequest
from orchestrator.data.disposable.disposable_process import DisposableProcess
from orchestrator.data.hostile.arrow_tables import write_table
from orchestrator.gate.judge.judge_entry import ENTRY
from orchestrator.gate.verifier import Verifier
from orchestrator.sandbox.containers.container import Container
from orchestrator.sandbox.containers.docker_sandbox import DockerSandbox
from orchestrator.sandbox.containers.engine import Engine
from orchestrator.sandbox.containers.launcher import DirectLauncher
from orchestrator.sandbox.containers.owner import RUN
from orchestrator.sandbox.posture.posture import Posture

OPS = (Op.F, Op.FF, Op.DETECT, Op.DETECT_F)
RUN_ID = "bench"
STILL_S = 2.5


def rows(count: int) -> pa.Table:
    """A table of text, half of its cities with stray blanks."""
    cities = [" Bonn" if i % 2 else f"Kiel {i % 7}" for i in range(count)]
    return pa.table({"city": cities} | {f"c{i}": [f"v{i}-{k % 13}" for k in range(count)] for i in range(COLUMNS - 1)})


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


def wait_for_full_pool() -> None:
    """Returns once no container of the run has come or gone for a while: used ones are replaced and destroyed."""
    with closing(Engine()) as engine:
        before, since = set[str](), perf_counter()
        while perf_counter() - since < STILL_S:
            sleep(0.1)
            now = {identity for identity, labels in engine.labelled(RUN) if labels.get(RUN) == RUN_ID}
            if now != before:
                before, since = now, perf_counter()


def sandbox_part(sandbox: DockerSandbox, times: int) -> float:
    """12 cases of 100 rows, four ops each, in one warm container."""
    body = write_table(rows(ROWS))
    cases = tuple(Case(str(i), body, OPS) for i in range(CASES))
    job = Job((Program("trim_city", SOURCE),), (Child(cases),), GuestEnvironment.FIRST)
    return median_ms(lambda: sandbox.run(job), times, before=wait_for_full_pool)


def warm_verdict(verifier: Verifier, times: int, source: str = SOURCE, *, quick: bool = True) -> float:
    """A verdict, both containers, when the pool is full. `quick`: without the checks that draw and grow inputs."""
    call = verdict_of(verifier, source, quick=quick)
    call()
    return median_ms(call, times, before=wait_for_full_pool)


def verdict_of(verifier: Verifier, source: str = SOURCE, *, quick: bool = True) -> Callable[[], None]:
    table = rows(ROWS + ROWS // 3)
    sample = Sample(table.slice(0, ROWS), table.slice(ROWS))

    def call() -> None:
        verdict = verifier.verify(VerifyRequest(source, sample, quick=quick))
        assert verdict.passed, verdict.failures  # noqa: S101 - a benchmark of failures would be no benchmark

    return call


@contextmanager
def verifying(policy: Policy, image: str) -> Iterator[tuple[DockerSandbox, Verifier]]:
    with (
        DockerSandbox(policy, image, RUN_ID) as sandbox,
        DisposableProcess(ENTRY) as judge,
        closing(Verifier(sandbox, judge, policy)) as gate,
    ):
        yield sandbox, gate


def cold_verdict(policy: Policy, image: str) -> float:
    """From nothing: engine connection, containers, judge, verdict."""

    def call() -> None:
        with verifying(policy, image) as (_, gate):
            verdict_of(gate)()

    return median_ms(call, 3)


def docker_run(image: str, cases: int) -> Callable[[], None]:
    """What people do today: one `docker run` with pandas imported."""
    command = ["docker", "run", "--rm", "--network", "none", "--entrypoint", "/usr/bin/python3", image, "-c"]
    boot = "import sys; sys.path[:0] = ['/cleanroom/lib']\n"

    def call() -> None:
        done = subprocess.run([*command, boot + program(cases)], capture_output=True, check=False)
        if done.returncode:
            raise SystemExit(f"docker run failed: {done.stderr.decode()[-300:]}")

    return call


def bare_loop(image: str, policy: ContainerPolicy, containers: int, at_once: int) -> float:
    """Containers per second: create, start, import, remove, and nothing else."""
    engine = Engine()
    posture = Posture.of(policy, image, GuestEnvironment.FIRST)

    def life(_number: int) -> None:
        Container.start(DirectLauncher(engine), posture, "bench", inspect=False).destroy()

    start = perf_counter()
    with ThreadPoolExecutor(at_once) as pool:
        list(pool.map(life, range(containers)))
    taken = perf_counter() - start
    engine.close()
    return containers / taken


def single_use(image: str, policy: Policy, jobs: int, callers: int) -> tuple[float, list[float]]:
    """Containers used per second when every job gets its own, and what each caller waited for the whole call."""
    body = write_table(rows(ROWS))
    job = Job((Program("trim_city", SOURCE),), (Child((Case("a", body, OPS),)),), GuestEnvironment.FIRST)

    def call(sandbox: DockerSandbox) -> float:
        start = perf_counter()
        sandbox.run(job)
        return perf_counter() - start

    start = perf_counter()
    expected = {GuestEnvironment.FIRST: jobs, GuestEnvironment.CONFIRM: 0}
    with DockerSandbox(policy, image, expected=expected) as sandbox, ThreadPoolExecutor(callers) as pool:
        waits = list(pool.map(call, [sandbox] * jobs))
    return jobs / (perf_counter() - start), waits
