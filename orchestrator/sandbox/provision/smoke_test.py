"""Runs a few lines of our own Python in the sandbox image under strict limits, after a build and for doctor.

Never used for candidates: those run under the whole posture of sandbox/.
"""

import contextlib
import uuid

import docker
from docker.errors import APIError
from docker.types import LogConfig, Ulimit

from orchestrator.core.value import Value

MIB = 2**20
LABEL = "io.cleanroom.trial"


class SmokeTestResult(Value):
    """How the lines ended and what they printed (stdout and stderr)."""

    code: int
    output: str


def run_in_image(
    client: docker.DockerClient,
    image: str,
    lines: str,
    *,
    memory_bytes: int = 512 * MIB,
    pids: int = 64,
    cpus: float = 1.0,
) -> SmokeTestResult:
    """Runs the lines as nobody: read-only root, no network, no capabilities. Call it inside `engine_errors`."""
    container = client.containers.create(
        image,
        entrypoint=["/usr/bin/python3", "-I", "-B", "-c", lines],
        command=[],
        name=f"cleanroom-trial-{uuid.uuid4().hex[:12]}",
        network_mode="none", ipc_mode="none", read_only=True, user="65534:65534",
        cap_drop=["ALL"], security_opt=["no-new-privileges"], ulimits=[Ulimit(name="core", soft=0, hard=0)],
        mem_limit=memory_bytes, memswap_limit=memory_bytes, pids_limit=pids, nano_cpus=int(cpus * 1e9),
        environment={"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
        log_config=LogConfig(type="json-file", config={"max-size": "1m"}),
        labels={LABEL: "1"},
    )  # fmt: skip
    try:
        container.start()
        code = int(container.wait(timeout=60.0)["StatusCode"])
        output = container.logs(stdout=True, stderr=True).decode(errors="replace")
        return SmokeTestResult(code=code, output=output)
    finally:
        with contextlib.suppress(APIError):
            container.remove(force=True)
