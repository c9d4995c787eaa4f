"""What doctor makes of what it sees, without an engine."""

import contextlib
import json
import os
import shutil
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from orchestrator.cli.doctor_command import doctor
from orchestrator.sandbox.provision import host_probes, paths
from orchestrator.sandbox.provision.doctor import _authorisation, _cgroup, _desktop, _leftovers, _runc, _storage, _users
from orchestrator.sandbox.provision.engine_client import _advice, connect
from orchestrator.sandbox.provision.finding import Diagnosis, DoctorFinding
from orchestrator.sandbox.provision.limits_probe import read_probe
from orchestrator.sandbox.provision.machine import ThisMachine
from orchestrator.sandbox.provision.setup import ensure_ready
from orchestrator.sandbox.provision.smoke_test import SmokeTestResult

GOOD = {
    "children": 11,
    "cpu": 0.3,
    "seccomp": "2",
    "no_new_privs": "1",
    "capabilities": "0000000000000000",
    "read_only": True,
}


def states(findings: tuple[DoctorFinding, ...]) -> dict[str, str]:
    return {finding.name: finding.state for finding in findings}


def test_limits_that_bite_are_fine() -> None:
    """A probe that was held by every limit and then killed for its memory gives only good lines."""
    assert set(states(read_probe(SmokeTestResult(code=137, output=json.dumps(GOOD)))).values()) == {"ok"}


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("process limit", {"children": 48}),
        ("CPU limit", {"cpu": 0.98}),
        ("seccomp", {"seccomp": "0"}),
        ("no new privileges", {"no_new_privs": "0"}),
        ("capabilities", {"capabilities": "00000000a80425fb"}),
        ("read-only root", {"read_only": False}),
    ],
)
def test_each_limit_that_does_not_bite_is_bad(name: str, change: dict[str, object]) -> None:
    """One missing limit makes runs impossible, and the line of just that limit says so."""
    found = states(read_probe(SmokeTestResult(code=137, output=json.dumps({**GOOD, **change}))))
    assert [limit for limit, state in found.items() if state == "bad"] == [name]


@pytest.mark.parametrize(("code", "more"), [(0, "\nmemory limit passed 256"), (0, ""), (1, "\nMemoryError")])
def test_memory_that_was_not_held_is_bad(code: int, more: str) -> None:
    """Only a kill counts as proof of the memory limit."""
    assert states(read_probe(SmokeTestResult(code=code, output=json.dumps(GOOD) + more)))["memory limit"] == "bad"


def test_an_image_that_does_not_start_is_bad() -> None:
    """Words that are no JSON are shown, not a traceback."""
    (found,) = read_probe(SmokeTestResult(code=127, output="exec format error"))
    assert (found.state, found.value) == ("bad", "exec format error")


def test_debian_12s_runc_is_warned_about_by_name() -> None:
    """The advice lists the holes and what to update to."""
    found = _runc("1.1.5+ds1")
    assert found.state == "warn"
    assert "CVE-2024-21626" in found.advice
    assert "CVE-2025-52881" in found.advice
    assert _runc("1.3.6").state == "ok"


@pytest.mark.parametrize("version", ["", "dirty-build"])
def test_a_runc_without_a_version_is_warned_about(version: str) -> None:
    """That no hole of it is known says nothing where nobody knows which it is."""
    found = _runc(version)
    assert (found.state, found.value) == ("warn", version or "unknown version")
    assert "No hole known" not in found.advice


def test_old_desktops_and_plugins_are_named() -> None:
    """Docker Desktop and authorisation plugins get a line only where they are."""
    assert _desktop("Docker Engine - Community") == ()
    assert states(_desktop("Docker Desktop 4.40.0 (187762)")) == {"Docker Desktop": "warn"}
    assert _authorisation({"Plugins": {"Authorization": None}}) == ()
    assert "CVE-2024-41110" in _authorisation({"Plugins": {"Authorization": ["opa"]}})[0].advice


def test_the_engine_facts_are_read() -> None:
    """User namespaces, cgroup controllers and the storage driver are judged from the engine's own report."""
    assert _users({"SecurityOptions": ["name=seccomp,profile=default", "name=rootless"]}).state == "ok"
    assert _users({"SecurityOptions": ["name=userns"]}).value == "remapped"
    assert _users({"SecurityOptions": []}).state == "info"
    all_four = dict.fromkeys(("MemoryLimit", "SwapLimit", "PidsLimit", "CpuCfsQuota"), True)
    assert _cgroup({"CgroupVersion": "2", "CgroupDriver": "systemd"} | all_four).state == "ok"
    unsaid = _cgroup({"CgroupVersion": "2", "CgroupDriver": "systemd", "MemoryLimit": True})
    assert (unsaid.state, "SwapLimit" in unsaid.advice, "All four" in unsaid.advice) == ("warn", True, False)
    assert "PidsLimit" in _cgroup({"CgroupDriver": "none", "PidsLimit": False}).value
    assert _storage({"Driver": "vfs"}).state == "warn"


def test_landlock_is_asked_of_the_kernel() -> None:
    """The probe gives the interface's version or says why there is none; each has its line."""
    seen = host_probes.landlock_version()
    assert (isinstance(seen, int) and seen >= 1) or (isinstance(seen, str) and seen)
    assert host_probes.landlock(7).state == "ok"
    assert host_probes.landlock("switched off at boot").state == "warn"


class WithRunsc(ThisMachine):
    """A machine with a runsc that says this version."""

    def __init__(self, folder: Path, version: str) -> None:
        self.program = folder / "runsc"
        self.program.write_text(f"#!/bin/sh\necho 'runsc version {version}'\necho 'spec: 1.1.0'\n")
        self.program.chmod(0o755)

    def find(self, program: str) -> str | None:
        return str(self.program) if program == "runsc" else None


class Bare(ThisMachine):
    """A machine without any program."""

    def find(self, program: str) -> str | None:
        return None


def test_gvisor_is_judged_by_age_and_registration(tmp_path: Path) -> None:
    """Absent and unregistered are notes, an old release is a warning."""
    assert host_probes.gvisor(False, Bare()).value == "absent"
    old = WithRunsc(tmp_path, "release-20221212.0")
    assert host_probes.gvisor(False, old).state == "info"
    assert host_probes.gvisor(True, old).state == "warn"
    assert host_probes.gvisor(True, WithRunsc(tmp_path, "release-20991231.0")).state == "ok"


def test_the_engines_starter_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The log that an engine writes tells who started it; no pid file, no claim."""
    assert host_probes.engine_process(tmp_path / "absent").value == "unknown"
    pid_file = tmp_path / "pid"
    pid_file.write_text(str(os.getpid()))
    assert host_probes.engine_process(pid_file).value == f"someone else (process {os.getpid()})"
    monkeypatch.setattr(paths, "ENGINE_LOG", Path(f"/proc/{os.getpid()}/fd/2").readlink())
    assert host_probes.engine_process(pid_file).value.startswith("cleanroom setup")


def test_a_full_disk_makes_runs_impossible(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Little space is a warning, none is bad, an unreadable folder is a note."""
    usage = type(shutil.disk_usage(tmp_path))
    for free, state in ((2**20, "bad"), (2**30, "warn"), (2**33, "ok")):
        monkeypatch.setattr(shutil, "disk_usage", lambda _, free=free: usage(2**40, 0, free))
        assert host_probes.free_disk("/").state == state
    monkeypatch.undo()
    assert host_probes.free_disk(str(tmp_path / "absent")).state == "info"


@pytest.fixture
def _no_engine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/no.sock")


def run(*arguments: str) -> tuple[int, str]:
    app = typer.Typer()
    app.command()(doctor)
    ended = CliRunner().invoke(app, arguments)
    assert ended.exception is None or isinstance(ended.exception, SystemExit)
    return ended.exit_code, ended.stdout


@pytest.mark.usefixtures("_no_engine")
def test_without_an_engine_doctor_still_speaks() -> None:
    """No traceback: the engine's line is bad with advice, the kernel's lines are there, the exit code is 3."""
    code, text = run("--json")
    said = json.loads(text)
    assert code == 3
    assert said["ready"] is False
    by_name = {finding["name"]: finding for finding in said["findings"]}
    assert by_name["engine"]["state"] == "bad"
    assert "DOCKER_HOST" in by_name["engine"]["advice"]
    assert {"kernel", "Landlock", "gVisor"} <= set(by_name)
    assert all(finding["advice"] for finding in said["findings"])


@pytest.mark.usefixtures("_no_engine")
def test_the_table_says_what_matters() -> None:
    """The table for people ends with the verdict."""
    code, text = run()
    assert code == 3
    assert "Runs are not possible here yet." in text


@pytest.mark.parametrize(("state", "plain", "strict"), [("ok", 0, 0), ("info", 0, 0), ("warn", 0, 3), ("bad", 3, 3)])
def test_exit_codes(state: str, plain: int, strict: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bad lines end with 3 always, warnings only under --strict."""
    seen = Diagnosis(
        findings=(DoctorFinding.model_validate({"name": "x", "value": "y", "state": state, "advice": "z"}),)
    )
    monkeypatch.setattr("orchestrator.sandbox.provision.doctor.examine", lambda: seen)
    assert run()[0] == plain
    assert run("--strict")[0] == strict


@pytest.mark.docker
def test_the_real_machine_is_examined() -> None:
    """With engine and image every limit is tried, and each line has a word of advice."""
    ensure_ready(lambda _: None)
    code, text = run("--json")
    said = json.loads(text)
    by_name = {finding["name"]: finding for finding in said["findings"]}
    assert code == 0, by_name
    limits = {
        "memory limit",
        "process limit",
        "CPU limit",
        "seccomp",
        "no new privileges",
        "capabilities",
        "read-only root",
    }
    assert {by_name[name]["state"] for name in limits} == {"ok"}
    assert by_name["sandbox image"]["value"].startswith("sha256:")
    assert all(finding["advice"] for finding in said["findings"])


@pytest.mark.docker
def test_a_container_of_a_dead_owner_is_left_over() -> None:
    """Doctor names a container whose owner is gone, and none whose owner lives."""
    from orchestrator.core.jobs import GuestEnvironment
    from orchestrator.sandbox.containers import owner

    image = ensure_ready(lambda _: None)
    alive = owner.labels("doctor-test", next(iter(GuestEnvironment)), 600)
    with contextlib.closing(connect()) as client:
        for labels, seen in ((alive, False), ({**alive, owner._START: "1"}, True)):
            container = client.containers.create(image, command=[], network_mode="none", labels=labels)
            try:
                (found,) = _leftovers(client)
                assert (str(container.id)[:12] in found.advice) is seen
            finally:
                container.remove()


def test_a_plain_user_is_told_about_the_socket(monkeypatch: pytest.MonkeyPatch) -> None:
    """A socket that refuses this user leads to the docker group, not to another setup."""
    monkeypatch.delenv("DOCKER_HOST", raising=False)
    assert "usermod" in _advice(PermissionError(13, "Permission denied"))
