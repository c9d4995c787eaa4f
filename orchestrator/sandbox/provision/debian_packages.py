"""Installs packages of Debian or Ubuntu on the host.

Called by engine_install.py (docker.io) and base_image.py (mmdebstrap).
"""

from collections.abc import Callable
from pathlib import Path

from orchestrator.core.errors import SetupError
from orchestrator.sandbox.provision.engine_client import NO_SPACE, no_space
from orchestrator.sandbox.provision.machine import Machine

APT = ("apt-get", "-y", "-q", "-o", "DPkg::Lock::Timeout=120", "-o", "Dpkg::Use-Pty=0")
QUIET = {"DEBIAN_FRONTEND": "noninteractive", "NEEDRESTART_MODE": "l", "LC_ALL": "C.UTF-8"}


def install(packages: tuple[str, ...], machine: Machine, log: Path, report: Callable[[str], None]) -> None:
    """Installs the packages, without recommended ones. Refreshes the package lists when they are missing or stale."""
    names = " ".join(packages)
    report(f"installing {names} from the system's packages (apt-get)")
    with log.open("ab") as out:
        start = out.tell()
        fetched = False
        if not machine.has_package_lists():
            fetched = True
            machine.run([*APT, "update"], out, QUIET)
        command = [*APT, "install", "--no-install-recommends", *packages]
        code = machine.run(command, out, QUIET)
        if code != 0 and not fetched:
            report("the package lists look stale: fetching new ones")
            machine.run([*APT, "update"], out, QUIET)
            code = machine.run(command, out, QUIET)
    if code != 0:
        said = tail(log, start)
        if NO_SPACE in said.lower():
            raise no_space(f"Installing {names}")
        raise SetupError(
            f"Installing {names} failed: {last_line(said)}",
            advice=f"See {log}; when this machine reaches a Debian or Ubuntu mirror, run `cleanroom setup` again.",
        )


def tail(log: Path, start: int = 0, lines: int = 8) -> str:
    """The last lines that were written to a log since `start`."""
    with log.open("rb") as file:
        size = file.seek(0, 2)
        file.seek(max(start, size - 16_384))
        return "\n".join(file.read().decode(errors="replace").splitlines()[-lines:])


def last_line(said: str) -> str:
    """The line that says most: the last one with an error in it, else the last one."""
    lines = [line.strip() for line in said.splitlines() if line.strip()] or ["it said nothing"]
    telling = [line for line in lines if line.startswith(("E:", "ERROR", "error", "fatal"))]
    return (telling or lines)[-1].rstrip(".") + "."
