"""Layer 1 as frozen data: every limit and every lock of a sandbox container, and its pure rendering for the engine.

Called by container.py to create containers. What was made of it is compared with it in inspection.py (the engine's
words) and in proof/ (what a candidate sees). A limit that is missing is an error here, never a default of the engine.
"""

import json
import re
from dataclasses import dataclass, fields
from functools import cache
from importlib.resources import files
from typing import Any, Self

from orchestrator.core.errors import PostureError
from orchestrator.core.jobs import GuestEnvironment
from orchestrator.core.policy import ContainerPolicy
from orchestrator.sandbox.posture.environments import PYTHON_FLAGS, clock, guest_variables

USER = "65534:65534"
SCRATCH = "/tmp"  # noqa: S108 - a path inside the container
ENTRYPOINT = ["/usr/bin/python3", *PYTHON_FLAGS, "/cleanroom/guest.py"]
LABEL = "io.cleanroom."
MASKED = (
    "/proc/acpi", "/proc/asound", "/proc/interrupts", "/proc/kallsyms", "/proc/kcore", "/proc/keys",
    "/proc/latency_stats", "/proc/sched_debug", "/proc/scsi", "/proc/timer_list", "/proc/timer_stats",
    "/sys/devices/virtual/powercap", "/sys/firmware",
)  # fmt: skip
"""Hidden; those that the kernel does not have are passed over."""
READ_ONLY = ("/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys", "/proc/sysrq-trigger")
NOT_OF_ONE = frozenset({"pool_size", "job_s"})
"""The settings of the policy that are no matter of a single container."""
_STACK = 8 * 2**20
_OOM_SCORE = 500  # before the host's own services; children of the guest ask for 1000


@dataclass(frozen=True, slots=True)
class Posture:
    """What one kind of container may do. All numbers are upper limits and must be positive."""

    image: str
    environment: GuestEnvironment
    runtime: str
    memory_bytes: int
    pids: int
    cpus: float
    open_files: int
    file_bytes: int
    tmpfs_bytes: int
    tmpfs_inodes: int
    lifetime_s: float
    child_filter: str
    landlock: str

    def __post_init__(self) -> None:
        if not re.fullmatch("sha256:[0-9a-f]+", self.image):
            raise PostureError(
                "the sandbox image is not named by its id", advice="A tag may be moved to another image; use its id."
            )
        for field in fields(self):
            value = getattr(self, field.name)
            if not value or (not isinstance(value, str) and value <= 0):
                raise PostureError(
                    f"the container limit {field.name} is missing or not positive",
                    advice="Give every limit of `container` in the policy a positive value.",
                )

    @classmethod
    def of(cls, policy: ContainerPolicy, image: str, environment: GuestEnvironment) -> Self:
        """The policy's limits for one image."""
        return cls(image=image, environment=environment, **policy.model_dump(exclude=set(NOT_OF_ONE)))

    @property
    def layers(self) -> str:
        """The locks of a child, in the guest's words."""
        return f"filter={self.child_filter},landlock={self.landlock}"


def render(posture: Posture, labels: dict[str, str], hash_seed: int | None = None) -> dict[str, Any]:
    """The body of the engine's "create container" request. `hash_seed`: see `guest_variables`."""
    variables = guest_variables(posture.environment, posture.lifetime_s, posture.layers, hash_seed) | clock(
        posture.environment
    )
    return {
        "Image": posture.image,
        "Entrypoint": ENTRYPOINT,
        "Cmd": [],
        "User": USER,
        "WorkingDir": SCRATCH,
        "Env": [f"{name}={value}" for name, value in variables.items()],
        "Labels": labels,
        "Hostname": "sandbox",
        "NetworkDisabled": True,
        "Tty": False,
        "OpenStdin": True,
        "StdinOnce": True,  # the guest sees the end of its input when the host goes away
        "AttachStdin": True,
        "AttachStdout": True,
        "AttachStderr": False,
        "StopSignal": "SIGKILL",
        "HostConfig": _host_config(posture),
    }


def _host_config(posture: Posture) -> dict[str, Any]:
    return {
        "Runtime": posture.runtime,
        "NetworkMode": "none",
        "IpcMode": "none",
        "CgroupnsMode": "private",
        "Privileged": False,
        "ReadonlyRootfs": True,
        "CapDrop": ["ALL"],
        "SecurityOpt": ["no-new-privileges", f"seccomp={seccomp_profile()}"],
        "Memory": posture.memory_bytes,
        "MemorySwap": posture.memory_bytes,
        "PidsLimit": posture.pids,
        "NanoCpus": int(posture.cpus * 1e9),
        "Ulimits": [
            {"Name": name, "Soft": most, "Hard": most}
            for name, most in (
                ("core", 0),
                ("fsize", posture.file_bytes),
                ("memlock", 0),
                ("msgqueue", 0),  # /dev/mqueue is writable in every container
                ("nice", 0),
                ("nofile", posture.open_files),
                ("rtprio", 0),
                ("stack", _STACK),
            )
        ],
        "Tmpfs": {
            SCRATCH: f"rw,noexec,nosuid,nodev,mode=1777,size={posture.tmpfs_bytes},nr_inodes={posture.tmpfs_inodes}"
        },
        "OomKillDisable": False,
        "OomScoreAdj": _OOM_SCORE,
        "LogConfig": {"Type": "none", "Config": {}},
        "RestartPolicy": {"Name": "no", "MaximumRetryCount": 0},
        "Init": False,
        "MaskedPaths": list(MASKED),
        "ReadonlyPaths": list(READ_ONLY),
        "AutoRemove": True,
    }


@cache
def seccomp_profile() -> str:
    """Our own allow-list of system calls, which does not depend on the engine's version."""
    return json.dumps(json.loads(files(__package__).joinpath("seccomp.json").read_text("utf-8")), separators=(",", ":"))
