"""Makes gVisor's runsc a runtime of the engine. Called by the command for `cleanroom setup --runtime runsc`.

The engine reads its list of runtimes again on SIGHUP, so nothing is restarted and no container ends. That is done only
to an engine that `cleanroom setup` started itself; to anyone else's, what to do is said and nothing is touched.
`--oci-seccomp` is left out on purpose (docs/decisions/0011-gvisor.md).
"""

import json
import os
import re
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from orchestrator.core.errors import SetupError
from orchestrator.data.files import write_file
from orchestrator.sandbox.provision import debian_packages, paths
from orchestrator.sandbox.provision.engine_client import connect, engine_errors
from orchestrator.sandbox.provision.host_probes import ENGINE_PID_FILE, runsc_version
from orchestrator.sandbox.provision.machine import Machine, ThisMachine

NAME = "runsc"
CONFIG = Path("/etc/docker/daemon.json")
RELOAD_S = 10.0
_SYSTRAP_SINCE = 20230601  # releases before it have no better platform than ptrace where there is no KVM


def ensure_runsc(
    report: Callable[[str], None],
    machine: Machine | None = None,
    *,
    config: Path = CONFIG,
    pid_file: Path = ENGINE_PID_FILE,
    engine_log: Path = paths.ENGINE_LOG,
    known: "Callable[[], bool] | None" = None,
) -> None:
    """Returns once the engine knows runsc. Raises SetupError with what to do."""
    machine, known = machine or ThisMachine(), known or _known
    pid = _own_engine(pid_file, engine_log)
    if known() and (pid is None or machine.find(NAME)):  # an own engine may know it from before it was removed
        return
    program = _program(machine, report)
    entry = {"path": program, "runtimeArgs": arguments(runsc_version(program))}
    if pid is None or not machine.is_root():
        wanted = json.dumps({"runtimes": {NAME: entry}})
        raise SetupError(
            "The engine does not know the runtime runsc, and it was not started by `cleanroom setup`.",
            advice=f"Put {wanted} into {config}, then have the engine read it (`systemctl reload docker`, or SIGHUP).",
        )
    report(f"registering runsc with the engine ({config})")
    _write(config, entry)
    os.kill(pid, signal.SIGHUP)
    deadline = time.monotonic() + RELOAD_S
    while not known():
        if time.monotonic() > deadline:
            raise SetupError("The engine did not take the runtime runsc.", advice=f"Its log is {engine_log}.")
        time.sleep(0.1)


def arguments(version: str) -> list[str]:
    """What suits this release of runsc: no network of its own, and a platform that needs no KVM."""
    released = re.search(r"20\d{6}", version)
    old = released is not None and int(released[0]) < _SYSTRAP_SINCE
    return ["--network=none", f"--platform={'ptrace' if old else 'systrap'}"]


def _program(machine: Machine, report: Callable[[str], None]) -> str:
    program = machine.find(NAME)
    if program is None:
        if not (machine.is_root() and machine.is_debian_like()):
            raise SetupError(
                "gVisor's runsc is not installed.", advice="Install it: https://gvisor.dev/docs/user_guide/install/"
            )
        debian_packages.install((NAME,), machine, paths.setup_log(), report)
        program = machine.find(NAME)
    if program is None:
        raise SetupError("runsc was installed but is not found.", advice=f"See {paths.setup_log()}.")
    return program


def _own_engine(pid_file: Path, engine_log: Path) -> int | None:
    """The process of an engine that setup started: it writes to setup's log."""
    try:
        pid = int(pid_file.read_text())
        return pid if Path(f"/proc/{pid}/fd/2").readlink() == engine_log else None
    except (OSError, ValueError):
        return None


def _write(config: Path, entry: dict[str, Any]) -> None:
    try:
        settings = json.loads(config.read_text(encoding="utf-8")) if config.exists() else {}
    except ValueError:
        settings = None
    if not isinstance(settings, dict):
        raise SetupError(f"{config} is no JSON object.", advice="Mend it, then run `cleanroom setup` again.")
    settings.setdefault("runtimes", {})[NAME] = entry
    config.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
    write_file(config, (json.dumps(settings, indent=2) + "\n").encode())


def _known() -> bool:
    client = connect()
    try:
        with engine_errors("Asking the engine for its runtimes"):
            return NAME in (client.info().get("Runtimes") or {})
    finally:
        client.close()
