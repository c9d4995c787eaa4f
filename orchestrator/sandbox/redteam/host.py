"""Looks at the host before and after an attack: what a candidate must not have changed. Made by redteam_bootstrap.

Only what can be told from the rest of a busy machine is compared exactly: processes that outlive their container,
containers of this run, settings of the kernel, IPC objects. Memory, disk and descriptors have bounds that are smaller
than what the corpus tries to take.
"""

import re
import shutil
import sys
import time
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, Protocol

from orchestrator.sandbox.containers.engine import Engine
from orchestrator.sandbox.containers.owner import RUN
from orchestrator.sandbox.posture.posture import USER
from orchestrator.sandbox.provision.engine_client import address

MIB = 2**20
MEMORY = 256 * MIB  # more in file systems in memory and in the kernel itself: what a dead container can still hold
DISK = 512 * MIB
DESCRIPTORS = 24
OWN_MEMORY = 96 * MIB  # what this process may keep
OWN_PEAK = 448 * MIB  # what it may use for a moment: one reply is at most 256 MiB
_SETTLE_S = 10.0
_PROC = Path("/proc")
_SETTINGS = ("kernel/core_pattern", "kernel/hostname", "kernel/randomize_va_space", "vm/overcommit_memory")
_IPC = ("shm", "msg", "sem")
_CONTAINER = re.compile(r"[0-9a-f]{64}")


class HostObserverPort(Protocol):
    """What the runner asks."""

    def look(self) -> object:
        """The host as it is now."""
        ...

    def differences(self, before: object) -> tuple[str, ...]:
        """What is not as before, once things had time to settle; each in a few words."""
        ...


class Started(NamedTuple):
    """A process by what it cannot change; its name it can, and does when a runtime becomes the program."""

    pid: int
    ticks: int  # when it started


@dataclass(frozen=True)
class HostSnapshot:
    """One look at the host."""

    strays: Mapping[Started, str]  # names of processes of containers that are gone, and of sandbox users outside of any
    containers: int
    memory_bytes: int
    disk_bytes: int
    descriptors: int
    own_bytes: int
    settings: tuple[str, ...]


class HostObserver:
    """`capacity`: how many containers of the run may wait in pools. `folder`: where the engine keeps its things."""

    def __init__(self, run_id: str, capacity: int, folder: Path) -> None:
        self._engine = Engine()
        self._local = address().startswith("unix://")
        self._run_id = run_id
        self._capacity = capacity
        self._folder = next(path for path in (folder, *folder.parents) if path.exists())
        self._seen: set[str] = set()  # sandboxes that were there at some look, of any run

    def look(self) -> HostSnapshot:
        """The host as it is now; also resets the measure of this process's peak memory."""
        with suppress(OSError):
            (_PROC / "self/clear_refs").write_text("5", encoding="ascii")
        return self._snapshot()

    def differences(self, before: object) -> tuple[str, ...]:
        assert isinstance(before, HostSnapshot)  # noqa: S101 - what `look` returned
        peak = _own("VmHWM")
        found = [f"this process used {peak // MIB} MiB"] if peak > before.own_bytes + OWN_PEAK else []
        deadline = time.monotonic() + _SETTLE_S
        now = self._snapshot()
        stray = now.strays.keys() - before.strays.keys()
        while (left := self._compare(before, now, stray)) and time.monotonic() < deadline:
            time.sleep(0.1)
            now = self._snapshot()
            stray &= now.strays.keys()  # other containers of this machine start and end all the time
        return (*found, *left)

    def close(self) -> None:
        self._engine.close()

    def _snapshot(self) -> HostSnapshot:
        running = _sandboxed(self._seen) if self._local else {}
        found = self._engine.labelled(RUN)
        known = {identity for identity, _ in found}
        self._seen |= known
        return HostSnapshot(
            strays={started: name for started, (name, container) in running.items() if container not in known},
            containers=sum(labels.get(RUN) == self._run_id for _, labels in found),
            memory_bytes=_meminfo("Shmem") + _meminfo("SUnreclaim"),
            disk_bytes=shutil.disk_usage(self._folder).free,
            descriptors=len(list((_PROC / "self/fd").iterdir())),
            own_bytes=_own("VmRSS"),
            settings=_settings(),
        )

    def _compare(self, before: HostSnapshot, now: HostSnapshot, stray: AbstractSet[Started]) -> list[str]:
        named = ", ".join(f"{one.pid} {now.strays[one]}" for one in sorted(stray))
        checks = (
            (bool(stray), f"processes: {named}"),
            (now.containers > self._capacity, f"{now.containers} containers instead of {self._capacity}"),
            (now.memory_bytes > before.memory_bytes + MEMORY, "the host's memory holds more that is no process's"),
            (now.disk_bytes < before.disk_bytes - DISK, "the host has less disk space"),
            (now.descriptors > before.descriptors + DESCRIPTORS, f"{now.descriptors} open descriptors"),
            (now.own_bytes > before.own_bytes + OWN_MEMORY, f"this process kept {now.own_bytes // MIB} MiB"),
            (now.settings != before.settings, "a setting of the kernel or an IPC object"),
        )
        return [words for wrong, words in checks if wrong]


def left_behind(run_id: str) -> tuple[str, ...]:
    """The containers of a run that are still there once it is over."""
    engine = Engine()
    try:
        return tuple(identity for identity, labels in engine.labelled(RUN) if labels.get(RUN) == run_id)
    finally:
        engine.close()


def _sandboxed(seen: AbstractSet[str]) -> dict[Started, tuple[str, str]]:
    """Processes of our sandboxes (name, the container's id), and of the sandbox's user in no container (name, "")."""
    user = USER.partition(":")[0]
    found: dict[Started, tuple[str, str]] = {}
    for entry in _PROC.iterdir():
        if not entry.name.isdigit():
            continue
        with suppress(OSError, ValueError, KeyError):
            status = dict(line.split(":", 1) for line in (entry / "status").read_text("utf-8", "replace").splitlines())
            container = _CONTAINER.search((entry / "cgroup").read_text("utf-8", "replace"))
            if status["State"].split()[0] in "ZX":
                continue
            if container is None:  # our own readers of hostile bytes run as nobody, too, but by our own Python
                ours = status["Uid"].split()[0] == user and not (entry / "exe").samefile(sys.executable)
            else:
                ours = container[0] in seen or _is_guest(entry)
            if ours:
                ticks = (entry / "stat").read_text("utf-8", "replace").rpartition(")")[2].split()[19]
                name = status["Name"].strip()
                found[Started(int(entry.name), int(ticks))] = (name, container[0] if container else "")
    return found


def _is_guest(entry: Path) -> bool:
    """Whether it runs our guest; other containers of this machine come and go as they like."""
    return b"/cleanroom/guest.py" in (entry / "cmdline").read_bytes()


def _meminfo(key: str) -> int:
    for line in (_PROC / "meminfo").read_text("ascii").splitlines():
        if line.startswith(f"{key}:"):
            return int(line.split()[1]) * 1024
    return 0


def _own(key: str) -> int:
    for line in (_PROC / "self/status").read_text("utf-8", "replace").splitlines():
        if line.startswith(f"{key}:"):
            return int(line.split()[1]) * 1024
    return 0


def _settings() -> tuple[str, ...]:
    found = []
    for name in _SETTINGS:
        with suppress(OSError):
            found.append((_PROC / "sys" / name).read_text("utf-8", "replace"))
    for name in _IPC:
        with suppress(OSError):
            found.append(f"{name} {len((_PROC / 'sysvipc' / name).read_bytes().splitlines())}")
    return tuple(found)
