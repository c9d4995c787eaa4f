"""Sees to it that a container engine answers: leaves a reachable one alone, else installs and starts Debian's.

An engine that is started here belongs to nobody: its own session, no inherited descriptor, a log file. So a caller that
waits for the end of our output does not hang, and the next call finds the engine again. It gets neither bridge nor
iptables, since no sandbox has a network. Called by setup.py.
"""

import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path

from orchestrator.core.errors import SetupError
from orchestrator.sandbox.provision import debian_packages, engine_client, paths
from orchestrator.sandbox.provision.engine_client import OnProgress
from orchestrator.sandbox.provision.machine import SBIN, Machine, ThisMachine

START_S = 40.0
PID_FILES = (Path("/var/run/docker.pid"), Path("/var/run/docker/containerd/containerd.pid"))
HOW_TO_GET_ONE = (
    "Install and start Docker (https://docs.docker.com/engine/install/), or set DOCKER_HOST, then run "
    "`cleanroom setup` again; as root on Debian or Ubuntu, `cleanroom setup` installs docker.io itself."
)


def ensure_engine(
    report: OnProgress,
    machine: Machine | None = None,
    answers: Callable[[], bool] = engine_client.answers,
    start: "Callable[[OnProgress], None] | None" = None,
) -> None:
    """Returns once an engine answers. Raises SetupError with what to do."""
    machine = machine or ThisMachine()
    if answers():
        return
    _leave_chosen_engine_alone()
    if machine.find("dockerd") is None:
        if not (machine.is_root() and machine.is_debian_like()):
            raise SetupError("There is no container engine on this machine.", advice=HOW_TO_GET_ONE)
        debian_packages.install(("docker.io",), machine, paths.setup_log(), report)
        if answers():  # the package's own service may have started it
            return
    if not machine.is_root():
        raise SetupError(
            "A container engine is installed but does not answer this user.",
            advice="Start it (`sudo systemctl start docker`), and let this user in (`sudo usermod -aG docker $USER`).",
        )
    if machine.has_systemd():
        report("starting the engine (systemctl start docker)")
        with paths.setup_log().open("ab") as log:
            machine.run(["systemctl", "start", "docker"], log)
        if answers():
            return
    (start or start_engine)(report)


def _leave_chosen_engine_alone() -> None:
    for variable in ("DOCKER_HOST", "DOCKER_CONTEXT"):
        chosen = os.environ.get(variable)
        if chosen and chosen != "default":
            raise SetupError(
                f"The container engine that {variable} names ({chosen}) does not answer.",
                advice=f"Start that engine, or unset {variable} to use this machine's.",
            )


def start_engine(
    report: OnProgress,
    *,
    options: tuple[str, ...] = (),
    log: Path = paths.ENGINE_LOG,
    pid_files: tuple[Path, ...] = PID_FILES,
    answers: Callable[[], bool] = engine_client.answers,
    program: str = "dockerd",
    wait_s: float = START_S,
) -> int:
    """Starts dockerd, detached; returns its process id once it answers. Raises SetupError with the end of the log."""
    for pid_file in pid_files:
        _remove_if_stale(pid_file)
    report(f"starting the engine ({program}, log: {log})")
    with log.open("ab") as out:
        begin = out.tell()
        process = subprocess.Popen(  # noqa: S603 - our own fixed command
            [program, "--bridge=none", "--iptables=false", *options],
            stdin=subprocess.DEVNULL, stdout=out, stderr=out, cwd="/", start_new_session=True, close_fds=True,
            env={**os.environ, "PATH": f"{SBIN}:{os.environ.get('PATH', '')}"},
        )  # fmt: skip
    threading.Thread(target=process.wait, name="reap-dockerd", daemon=True).start()
    deadline = time.monotonic() + wait_s
    while time.monotonic() < deadline:
        if answers():
            return process.pid
        if process.poll() is not None:
            break
        time.sleep(0.1)
    _give_up(process)
    raise SetupError(
        f"The container engine did not start: {debian_packages.last_line(debian_packages.tail(log, begin))}",
        advice=f"Its log is {log}; inside another container the engine needs that one to be privileged.",
    )


def _remove_if_stale(pid_file: Path) -> None:
    """A pid file that names no engine (a copied disk, a kill -9) would keep a new engine from starting."""
    try:
        pid = int(pid_file.read_text().strip())
    except (OSError, ValueError):
        pid = 0
    try:
        name = Path(f"/proc/{pid}/comm").read_text().strip()
    except OSError:
        name = ""
    if name not in ("dockerd", "containerd", "docker-containerd"):
        pid_file.unlink(missing_ok=True)


def _give_up(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        process.send_signal(signal.SIGTERM)
