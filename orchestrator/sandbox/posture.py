"""Layer 1 as frozen data: every limit and every lock of a sandbox container, and its pure rendering for the engine.

Called by container.py to create containers, and to compare what the engine says it made with what was asked. A limit
that is missing is an error here, never a default of the engine.
"""

import json
from dataclasses import dataclass, fields
from functools import cache
from importlib.resources import files
from typing import Any, Self

from orchestrator.core.errors import PostureError
from orchestrator.core.jobs import Flavour
from orchestrator.core.policy import ContainerPolicy
from orchestrator.sandbox.flavours import PYTHON_FLAGS, environment

USER = "65534:65534"
SCRATCH = "/tmp"  # noqa: S108 - a path inside the container
ENTRYPOINT = ["/usr/bin/python3", *PYTHON_FLAGS, "/cleanroom/guest.py"]
LABEL = "io.cleanroom."
_OOM_SCORE = 500  # before the host's own services; children of the guest ask for 1000


@dataclass(frozen=True, slots=True)
class Posture:
    """What one kind of container may do. All numbers are upper limits and must be positive."""

    image: str
    flavour: Flavour
    runtime: str
    memory_bytes: int
    pids: int
    cpus: float
    open_files: int
    file_bytes: int
    tmpfs_bytes: int
    tmpfs_inodes: int
    lifetime_s: float

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if not value or (not isinstance(value, str) and value <= 0):
                raise PostureError(
                    f"the container limit {field.name} is missing or not positive",
                    advice="Give every limit of `container` in the policy a positive value.",
                )

    @classmethod
    def of(cls, policy: ContainerPolicy, image: str, flavour: Flavour) -> Self:
        """The policy's limits for one image. `pool_size` is no matter of a single container."""
        return cls(image=image, flavour=flavour, **policy.model_dump(exclude={"pool_size"}))


def render(posture: Posture, labels: dict[str, str]) -> dict[str, Any]:
    """The body of the engine's "create container" request."""
    return {
        "Image": posture.image,
        "Entrypoint": ENTRYPOINT,
        "Cmd": [],
        "User": USER,
        "WorkingDir": SCRATCH,
        "Env": [f"{name}={value}" for name, value in environment(posture.flavour, posture.lifetime_s).items()],
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
            {"Name": "core", "Soft": 0, "Hard": 0},
            {"Name": "fsize", "Soft": posture.file_bytes, "Hard": posture.file_bytes},
            {"Name": "msgqueue", "Soft": 0, "Hard": 0},  # /dev/mqueue is writable in every container
            {"Name": "nofile", "Soft": posture.open_files, "Hard": posture.open_files},
        ],
        "Tmpfs": {
            SCRATCH: f"rw,noexec,nosuid,nodev,mode=1777,size={posture.tmpfs_bytes},nr_inodes={posture.tmpfs_inodes}"
        },
        "OomKillDisable": False,
        "OomScoreAdj": _OOM_SCORE,
        "LogConfig": {"Type": "none", "Config": {}},
        "RestartPolicy": {"Name": "no", "MaximumRetryCount": 0},
        "Init": False,
        "AutoRemove": True,
    }


@cache
def seccomp_profile() -> str:
    """Our own allow-list of system calls, which does not depend on the engine's version."""
    return json.dumps(json.loads(files(__package__).joinpath("seccomp.json").read_text("utf-8")), separators=(",", ":"))


_GRANTS = (
    "Binds", "Mounts", "VolumesFrom", "Devices", "DeviceRequests", "DeviceCgroupRules", "CapAdd", "GroupAdd", "Links",
    "ExtraHosts", "PortBindings", "PublishAllPorts", "PidMode", "UTSMode", "UsernsMode", "Sysctls", "Dns", "Cgroup",
    "VolumeDriver",
)  # fmt: skip
"""Settings that give a container something; all of them must be empty."""


def differences(asked: dict[str, Any], observed: dict[str, Any]) -> list[str]:
    """What the engine's `inspect` says otherwise than was asked, or grants though nobody asked."""
    host = observed.get("HostConfig", {})
    found = [
        f"{name} is {host.get(name)!r:.80} instead of {value!r:.80}"
        for name, value in asked["HostConfig"].items()
        if _normal(name, host.get(name)) != _normal(name, value)
    ]
    found += [f"{name} grants {host[name]!r:.80}" for name in _GRANTS if host.get(name)]
    config = observed.get("Config", {})
    for name in ("User", "WorkingDir", "Entrypoint", "Tty", "OpenStdin", "StdinOnce", "NetworkDisabled", "Labels"):
        if config.get(name) != asked[name] and not (name == "Labels" and asked[name].items() <= config[name].items()):
            found.append(f"{name} is {config.get(name)!r:.80} instead of {asked[name]!r:.80}")
    if config.get("Volumes"):
        found.append("the image declares volumes")
    return found


def _normal(name: str, value: Any) -> Any:
    if name == "Ulimits" and isinstance(value, list):
        return sorted((u["Name"], u["Soft"], u["Hard"]) for u in value)
    if name == "OomKillDisable":
        return bool(value)
    return value
