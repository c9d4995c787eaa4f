"""What others make of the same candidate: llm-sandbox and smolagents. sandbox.py runs this in a Python that has them.

    python -m benchmarks.peers IMAGE

Prints a JSON list: what was measured, its median in milliseconds, or why it cannot run here. Every peer is used as its
own documentation shows, with one candidate per call; what makes it faster than that is told in its line.
"""

import json
import sys
from collections.abc import Callable
from contextlib import redirect_stdout
from typing import Any

from benchmarks.workload import CASES, median_ms, program

NO_NETWORK = {"network_mode": "none"}  # as in our sandbox; an engine that `cleanroom setup` started has none to give
ENDS_AT_ONCE = {"init": True, "command": ["sleep", "infinity"]}  # its own start command ignores the engine's stop


def session(image: str, **configs: Any) -> Callable[[], None]:
    """llm-sandbox: a container per candidate."""
    from llm_sandbox import SandboxSession

    def call() -> None:
        with SandboxSession(
            lang="python", image=image, skip_environment_setup=True, runtime_configs=NO_NETWORK | configs
        ) as box:
            _check(box.run(program(CASES)))

    return call


def pooled(image: str) -> float:
    """llm-sandbox: its pool, which hands the same containers to one candidate after the other."""
    from llm_sandbox.pool import PoolConfig, create_pool_manager
    from llm_sandbox.pool.session import PooledSandboxSession

    pool = create_pool_manager(
        backend="docker",
        config=PoolConfig(min_pool_size=2, max_pool_size=2),
        lang="python",
        image=image,
        skip_environment_setup=True,
        runtime_configs=NO_NETWORK | ENDS_AT_ONCE,
    )

    def call() -> None:
        with PooledSandboxSession(pool_manager=pool) as box:
            _check(box.run(program(CASES)))

    try:
        call()
        return median_ms(call, 5)
    finally:
        pool.close()


def local() -> float:
    """smolagents: its interpreter of Python, in this process."""
    from smolagents.local_python_executor import LocalPythonExecutor

    def call() -> None:
        executor = LocalPythonExecutor(["pandas"])
        executor.send_tools({})
        assert executor(program(CASES)).logs.strip() == "100"  # noqa: S101 - a benchmark of failures would be none

    call()
    return median_ms(call, 5)


def remote() -> float:
    """smolagents: a container with a Jupyter kernel per candidate; it builds its own image from a registry first."""
    from smolagents.monitoring import AgentLogger, LogLevel
    from smolagents.remote_executors import DockerExecutor

    logger = AgentLogger(level=LogLevel.OFF)

    def call(*, build: bool = False) -> None:
        executor = DockerExecutor(["pandas"], logger, build_new_image=build)
        try:
            executor.run_code_raise_errors(program(CASES))
        finally:
            executor.cleanup()

    call(build=True)
    return median_ms(call, 2)


def _check(output: Any) -> None:
    if output.exit_code or output.stdout.strip() != "100":
        raise RuntimeError(f"the candidate failed: {output.stderr[-200:] or output.stdout[-200:]}")


def main(image: str) -> None:
    peers: dict[str, Callable[[], float]] = {
        "llm-sandbox, a session per candidate": lambda: median_ms(session(image), 1),
        "llm-sandbox, per candidate, in a container that ends at once": lambda: median_ms(
            session(image, **ENDS_AT_ONCE), 3
        ),
        "llm-sandbox, its pool (containers are used again)": lambda: pooled(image),
        "smolagents, its interpreter in process (no isolation)": local,
        "smolagents, its Docker executor per candidate": remote,
    }
    found = []
    with redirect_stdout(sys.stderr):
        for name, measure in peers.items():
            try:
                found.append({"name": name, "ms": measure(), "why": ""})
            except Exception as error:  # noqa: BLE001 - whatever a peer dies of is the answer
                found.append({"name": name, "ms": None, "why": " ".join(str(error).split())[:160]})
    print(json.dumps(found))


if __name__ == "__main__":
    main(sys.argv[1])
