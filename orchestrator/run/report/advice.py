"""What a report says beside the facts: what the runtime protected from, how to do it again. Called by `render`."""

import shlex
from collections.abc import Sequence

from orchestrator.core.jobs import SandboxInfo
from orchestrator.core.steps import RunStep

_LIMITS = (
    "no network, no privileges, a read-only file system, hard limits on time, memory, processes and output, and a "
    "container of its own for every verdict"
)
_RUNTIMES = {
    "runc": (
        f"Candidates ran in ordinary Linux containers (runc): {_LIMITS}. They shared the kernel of this machine, so an "
        "attack on a hole in the kernel itself is what this tier does not stop. Where that matters, use gVisor or "
        "virtual machines as the runtime."
    ),
    "runsc": (
        "Candidates ran under gVisor (runsc): a kernel in user space answered their system calls, so that this "
        f"machine's kernel was out of their direct reach; on top of that {_LIMITS}. A hole in gVisor itself, together "
        "with one in the kernel, is what this tier does not stop."
    ),
    "kata": (
        "Candidates ran in light virtual machines (Kata): a kernel of their own stood between them and this machine; "
        f"on top of that {_LIMITS}. A hole in the hypervisor is what this tier does not stop."
    ),
}
_UNKNOWN = "Candidates ran under a runtime that this version of cleanroom knows nothing about: judge it yourself."


def protection(sandboxes: Sequence[SandboxInfo]) -> list[str]:
    """One honest sentence for each runtime that was used."""
    return [_RUNTIMES.get(runtime, _UNKNOWN) for runtime in dict.fromkeys(sandbox.runtime for sandbox in sandboxes)]


def commands(opening: RunStep, out: str) -> list[tuple[str, str]]:
    """What for, and the command line: apply, apply without cleanroom, verify, run again."""
    folder = out or str(opening.configuration.get("out") or "OUT")
    data = opening.data
    result = f"again.{opening.data_format}" if opening.data_format.isalnum() else "again"
    again = ["cleanroom", "run", data, "--model", opening.proposer]
    if opening.instruction:
        again += ["-i", opening.instruction]
    for key in ("chunk_rows", "max_chunks", "sampling", "seed"):
        if key in opening.configuration:
            again += [f"--{key.replace('_', '-')}", str(opening.configuration[key])]
    verify = f"cleanroom verify {shlex.quote(folder)}/registry/sources/*.py --data {shlex.quote(data)}"
    return [
        (
            "Apply the functions to other data, in the sandbox",
            shlex.join(["cleanroom", "apply", data, "--functions", folder, "-o", result]),
        ),
        (
            "Apply them without cleanroom, in your own process",
            shlex.join(["python", f"{folder}/cleaning_functions.py", data, result]),
        ),
        ("Judge every one of them again", verify),
        ("Do the whole run again", shlex.join(again)),
    ]
