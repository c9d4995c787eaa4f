"""Proves that this engine's limits bite: a container of our own tries to pass each of them. Called by doctor.py.

A limit that is only written down (no cgroup controller, no swap accounting) shows itself here and nowhere else.
"""

import json
from typing import Any

import docker

from orchestrator.sandbox.provision.engine_client import engine_errors
from orchestrator.sandbox.provision.finding import DoctorFinding
from orchestrator.sandbox.provision.smoke_test import MIB, SmokeTestResult, run_in_image

PIDS = 12
CPUS = 0.3
MEMORY = 64 * MIB

PROBE = f"""
import json, os, signal, time
status = dict(line.split(":", 1) for line in open("/proc/self/status"))
children = []
for _ in range({4 * PIDS}):
    try:
        pid = os.fork()
    except OSError:
        break
    if pid == 0:
        time.sleep(30)
        os._exit(0)
    children.append(pid)
for pid in children:
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
begin, used = time.monotonic(), time.process_time()
while time.monotonic() - begin < 0.6:
    pass
cpu = (time.process_time() - used) / (time.monotonic() - begin)
try:
    open("/probe", "w").close()
    read_only = False
except OSError:
    read_only = True
print(json.dumps({{"children": len(children), "cpu": cpu, "seccomp": status["Seccomp"].strip(),
    "no_new_privs": status["NoNewPrivs"].strip(), "capabilities": status["CapEff"].strip(),
    "read_only": read_only}}), flush=True)
hog = [bytearray(b"x") * {MIB} for _ in range({4 * MEMORY // MIB})]
print("memory limit passed", len(hog), flush=True)
"""


def probe_limits(client: docker.DockerClient, image: str) -> tuple[DoctorFinding, ...]:
    """One finding per limit, each measured. Raises SetupError when the engine cannot start the container."""
    with engine_errors("Starting a container with every limit"):
        ended = run_in_image(client, image, PROBE, memory_bytes=MEMORY, pids=PIDS, cpus=CPUS)
    return read_probe(ended)


def read_probe(ended: SmokeTestResult) -> tuple[DoctorFinding, ...]:
    """What the probe's output and its end say."""
    try:
        seen: dict[str, Any] = json.loads(ended.output.splitlines()[0])
    except (IndexError, ValueError):
        said = ended.output.strip()[-200:] or f"ended with {ended.code}"
        advice = "The sandbox image does not run here: try `cleanroom setup --fresh`."
        return (DoctorFinding(name="limits", value=said, state="bad", advice=advice),)
    held = ended.code == 137 and "memory limit passed" not in ended.output
    children = int(seen["children"])
    cpu = float(seen["cpu"])
    enable = "Enable this cgroup controller for the engine; without it no sandbox starts."
    return (
        _judged("memory limit", held, "bites" if held else f"{MEMORY // MIB} MiB did not hold", enable),
        _judged("process limit", children < PIDS, f"{children} children of {PIDS} processes", enable),
        _judged("CPU limit", cpu < 2 * CPUS, f"{cpu:.2f} of {CPUS} CPUs used", enable),
        _judged(
            "seccomp", seen["seccomp"] == "2", f"mode {seen['seccomp']}", "The kernel or the engine lacks seccomp."
        ),
        _judged("no new privileges", seen["no_new_privs"] == "1", str(seen["no_new_privs"]), "The engine ignores it."),
        _judged(
            "capabilities", int(seen["capabilities"], 16) == 0, str(seen["capabilities"]), "Some remain: use runc."
        ),
        _judged("read-only root", bool(seen["read_only"]), str(seen["read_only"]).lower(), "The engine ignores it."),
    )


def _judged(name: str, good: bool, value: str, otherwise: str) -> DoctorFinding:
    return DoctorFinding(
        name=name, value=value, state="ok" if good else "bad", advice="Tried just now." if good else otherwise
    )
