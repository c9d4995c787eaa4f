"""Who a container belongs to, as labels, and whether that owner still lives. Called by launcher.py and reaper.py."""

import os
import time
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from orchestrator.core.jobs import GuestEnvironment
from orchestrator.sandbox.posture.posture import LABEL

RUN = f"{LABEL}run"
_PID = f"{LABEL}owner-pid"
_START = f"{LABEL}owner-start"
_HOST = f"{LABEL}owner-host"
_DEADLINE = f"{LABEL}deadline"
_ENVIRONMENT = f"{LABEL}environment"


def labels(run_id: str, environment: GuestEnvironment, lifetime_s: float) -> dict[str, str]:
    """The labels of a container of this process that may live so long from now on."""
    pid = os.getpid()
    return {
        RUN: run_id,
        _PID: str(pid),
        _START: _start_time(pid),
        _HOST: _host(),
        _DEADLINE: str(int(time.time() + lifetime_s)),
        _ENVIRONMENT: str(environment),
    }


def orphaned(found: Mapping[str, str], now: float) -> bool:
    """Whether the container outlived its deadline or its owner. An owner on another machine cannot be asked."""
    try:
        if now > int(found.get(_DEADLINE, "0")):
            return True
        if found.get(_HOST) != _host():
            return False
        return _start_time(int(found.get(_PID, "0"))) != found.get(_START)
    except ValueError:
        return True


def _start_time(pid: int) -> str:
    """When the process started, in ticks since boot; "" when there is none. With the pid it names one process."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    state, *rest = stat.rpartition(")")[2].split()
    return "" if state in "ZX" else rest[18]


@cache
def _host() -> str:
    """This boot of this machine and this PID namespace: where a pid means something."""
    boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    return f"{boot} {Path('/proc/self/ns/pid').readlink()}"
