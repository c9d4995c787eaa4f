"""What the kernel and the folders of this machine give, asked directly. Called by doctor.py for a local engine."""

import ctypes
import errno
import os
import platform
import re
import shutil
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

from orchestrator.sandbox.provision import paths
from orchestrator.sandbox.provision.finding import DoctorFinding
from orchestrator.sandbox.provision.machine import Machine

LANDLOCK_CREATE_RULESET = 444  # the same number on every architecture
LANDLOCK_VERSION_FLAG = 1
OLD_RUNSC_DAYS = 365
ENGINE_PID_FILE = Path("/var/run/docker.pid")


def kernel() -> DoctorFinding:
    text = f"{platform.system()} {platform.release()} {platform.machine()}"
    advice = "Keep it patched: under runc, candidates share it."
    return DoctorFinding(name="kernel", value=text, state="info", advice=advice)


def landlock_version() -> int | str:
    """The version of the kernel's Landlock interface, or why there is none."""
    if not sys.platform.startswith("linux"):
        return "not Linux"
    libc = ctypes.CDLL(None, use_errno=True)
    version = int(
        libc.syscall(LANDLOCK_CREATE_RULESET, None, ctypes.c_size_t(0), ctypes.c_uint32(LANDLOCK_VERSION_FLAG))
    )
    if version >= 0:
        return version
    code = ctypes.get_errno()
    known = {errno.ENOSYS: "not in this kernel", errno.EOPNOTSUPP: "in the kernel but switched off at boot"}
    return known.get(code, os.strerror(code).lower())


def landlock(version: int | str) -> DoctorFinding:
    if isinstance(version, int):
        return DoctorFinding(
            name="Landlock", value=f"interface version {version}", advice="The kernel can confine a child's files."
        )
    advice = "Only the container confines a child's files; a kernel ≥ 5.13 with `lsm=landlock,…` does so too."
    return DoctorFinding(name="Landlock", value=version, state="warn", advice=advice)


def gvisor(registered: bool, machine: Machine) -> DoctorFinding:
    """Whether gVisor's runsc is there, how old it is, and whether the engine knows it."""
    program = machine.find("runsc")
    if program is None and not registered:
        advice = "runc keeps accidents and reward hacking in; for hostile code: `cleanroom setup --runtime runsc`."
        return DoctorFinding(name="gVisor", value="absent", state="info", advice=advice)
    version = runsc_version(program) if program else "unknown version"
    if not registered:
        advice = "`cleanroom setup --runtime runsc` registers it with the engine, to run hostile code."
        return DoctorFinding(name="gVisor", value=f"{version}, unknown to the engine", state="info", advice=advice)
    released = re.search(r"(20\d{6})", version)
    if released:
        age = (datetime.now(UTC) - datetime.strptime(released[1], "%Y%m%d").replace(tzinfo=UTC)).days
        if age > OLD_RUNSC_DAYS:
            advice = "Update runsc: old releases end by themselves after a few forks of a pandas worker."
            return DoctorFinding(name="gVisor", value=version, state="warn", advice=advice)
    return DoctorFinding(name="gVisor", value=version, advice="Use it with --runtime runsc.")


def runsc_version(program: str) -> str:
    try:
        said = subprocess.run([program, "--version"], capture_output=True, text=True, timeout=10, check=False).stdout  # noqa: S603 - fixed argument
    except (OSError, subprocess.TimeoutExpired):
        return "unknown version"
    return said.splitlines()[0].removeprefix("runsc version ") if said.strip() else "unknown version"


def free_disk(folder: str) -> DoctorFinding:
    """The space left where the engine keeps images."""
    try:
        free = shutil.disk_usage(folder).free
    except OSError:
        return DoctorFinding(
            name="free disk", value="unknown", state="info", advice=f"{folder} cannot be read by this user."
        )
    text = f"{free / 2**30:.1f} GiB at {folder}"
    if free < 2**28:
        return DoctorFinding(name="free disk", value=text, state="bad", advice="Free some: containers cannot start.")
    if free < 2**31:
        return DoctorFinding(name="free disk", value=text, state="warn", advice="Setting up needs about 2 GiB.")
    return DoctorFinding(name="free disk", value=text, advice="Enough.")


def engine_process(pid_file: Path = ENGINE_PID_FILE) -> DoctorFinding:
    """Who started the local engine, and where it logs."""
    name = "engine started by"
    try:
        pid = int(pid_file.read_text())
        group = Path(f"/proc/{pid}/cgroup").read_text()
    except (OSError, ValueError):
        return DoctorFinding(name=name, value="unknown", state="info", advice="Its process cannot be seen from here.")
    if "docker.service" in group:
        return DoctorFinding(name=name, value=f"systemd (process {pid})", advice="Log: journalctl -u docker")
    try:
        log = str(Path(f"/proc/{pid}/fd/2").readlink())
    except OSError:
        log = ""
    if log == str(paths.ENGINE_LOG):
        return DoctorFinding(name=name, value=f"cleanroom setup (process {pid})", advice=f"Log: {log}")
    where = (
        f"Log: {log}"
        if log.startswith("/") and log != os.devnull
        else "Its log goes nowhere that can be seen from here."
    )
    return DoctorFinding(name=name, value=f"someone else (process {pid})", advice=where)


def engine_log() -> DoctorFinding:
    """Where an engine that `cleanroom setup` started last left its log."""
    if not paths.ENGINE_LOG.exists():
        return DoctorFinding(
            name="engine log", value="none", state="info", advice="`cleanroom setup` has started no engine here."
        )
    return DoctorFinding(
        name="engine log", value=str(paths.ENGINE_LOG), state="info", advice="Its end says why the engine stopped."
    )
