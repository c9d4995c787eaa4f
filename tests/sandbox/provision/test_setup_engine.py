"""Which way `cleanroom setup` takes to an engine: decided on fake machines, without root, apt or Docker."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO

import pytest

from orchestrator.core.errors import SetupError
from orchestrator.sandbox.provision import debian_packages, engine_install, paths


class FakeMachine:
    """A machine in words. Programs that it is told to run change it as `effects` say."""

    def __init__(
        self,
        *,
        root: bool = False,
        debian: bool = False,
        systemd: bool = False,
        programs: tuple[str, ...] = (),
        lists: bool = True,
        codes: tuple[int, ...] = (),
        says: str = "",
    ) -> None:
        self.root, self.debian, self.systemd, self.lists, self.says = root, debian, systemd, lists, says
        self.programs = set(programs)
        self.codes = list(codes)
        self.ran: list[str] = []

    def is_root(self) -> bool:
        return self.root

    def is_debian_like(self) -> bool:
        return self.debian

    def has_systemd(self) -> bool:
        return self.systemd

    def find(self, program: str) -> str | None:
        return f"/usr/bin/{program}" if program in self.programs else None

    def has_package_lists(self) -> bool:
        return self.lists

    def run(self, command: Sequence[str], log: IO[bytes], environment: Mapping[str, str] | None = None) -> int:
        words = [word for word in command if not word.startswith(("-", "DPkg", "Dpkg"))]
        self.ran.append(" ".join(words))
        log.write(self.says.encode())
        return self.codes.pop(0) if self.codes else 0


class Answers:
    """An engine that answers from the n-th question on."""

    def __init__(self, start_at: int) -> None:
        self.left = start_at

    def __call__(self) -> bool:
        self.left -= 1
        return self.left < 0


NEVER = 10**9


@pytest.fixture(autouse=True)
def _own_places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.delenv("DOCKER_HOST", raising=False)
    monkeypatch.delenv("DOCKER_CONTEXT", raising=False)


def ensure(machine: FakeMachine, answers_from: int) -> tuple[list[str], list[str]]:
    """Runs the decision and returns what was said and what was started."""
    said: list[str] = []
    started: list[str] = []
    engine_install.ensure_engine(said.append, machine, Answers(answers_from), lambda _: started.append("dockerd"))
    return said, started


def test_a_reachable_engine_is_left_alone() -> None:
    """An engine that answers is neither installed, started nor spoken about."""
    machine = FakeMachine(root=True, debian=True)
    assert ensure(machine, 0) == ([], [])
    assert machine.ran == []


def test_root_on_debian_installs_and_starts() -> None:
    """As root on Debian, docker.io is installed, announced first, and dockerd is started."""
    machine = FakeMachine(root=True, debian=True)
    said, started = ensure(machine, NEVER)
    assert said == ["installing docker.io from the system's packages (apt-get)"]
    assert machine.ran == ["apt-get install docker.io"]
    assert started == ["dockerd"]


def test_an_engine_that_the_package_started_is_used() -> None:
    """When the package's own service answers after the installation, no second engine is started."""
    assert ensure(FakeMachine(root=True, debian=True), 1)[1] == []


def test_an_installed_engine_is_only_started() -> None:
    """An installed engine that does not run is started without apt."""
    machine = FakeMachine(root=True, debian=True, programs=("dockerd",))
    assert ensure(machine, NEVER)[1] == ["dockerd"]
    assert machine.ran == []


def test_systemd_starts_its_own_service() -> None:
    """Under systemd the service is started, and no engine beside it."""
    machine = FakeMachine(root=True, systemd=True, programs=("dockerd",))
    assert ensure(machine, 1)[1] == []
    assert machine.ran == ["systemctl start docker"]


@pytest.mark.parametrize(("root", "debian"), [(False, True), (True, False), (False, False)])
def test_other_machines_are_told_what_to_do(root: bool, debian: bool) -> None:
    """Without root or without Debian nothing is installed; the error says how to get an engine and ends with 3."""
    machine = FakeMachine(root=root, debian=debian)
    with pytest.raises(SetupError, match="no container engine") as caught:
        ensure(machine, NEVER)
    assert "Install and start Docker" in caught.value.advice
    assert caught.value.exit_code == 3
    assert machine.ran == []


def test_a_user_without_access_is_told_how_to_get_it() -> None:
    """An installed engine that does not answer a plain user is not started by him."""
    with pytest.raises(SetupError, match="does not answer this user") as caught:
        ensure(FakeMachine(programs=("dockerd",)), NEVER)
    assert "usermod -aG docker" in caught.value.advice


@pytest.mark.parametrize("variable", ["DOCKER_HOST", "DOCKER_CONTEXT"])
def test_a_chosen_engine_is_never_replaced(variable: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """When the user names an engine that does not answer, no other one is installed in its place."""
    monkeypatch.setenv(variable, "ssh://elsewhere")
    machine = FakeMachine(root=True, debian=True)
    with pytest.raises(SetupError, match=f"{variable} names \\(ssh://elsewhere\\) does not answer"):
        ensure(machine, NEVER)
    assert machine.ran == []


def install(machine: FakeMachine) -> list[str]:
    said: list[str] = []
    debian_packages.install(("docker.io",), machine, paths.setup_log(), said.append)
    return said


def test_missing_package_lists_are_fetched_first() -> None:
    """On a slim image without package lists, apt-get update comes before install."""
    machine = FakeMachine(lists=False)
    install(machine)
    assert machine.ran == ["apt-get update", "apt-get install docker.io"]


def test_stale_package_lists_are_fetched_anew() -> None:
    """When the installation fails with the lists at hand, it is tried once more with new ones."""
    machine = FakeMachine(codes=(100, 0, 0))
    said = install(machine)
    assert machine.ran == ["apt-get install docker.io", "apt-get update", "apt-get install docker.io"]
    assert said[-1] == "the package lists look stale: fetching new ones"


def test_a_failed_installation_names_the_cause_and_the_log() -> None:
    """The error carries apt's own error line and where the rest is."""
    machine = FakeMachine(
        codes=(100, 0, 100), says="Reading package lists...\nE: Unable to fetch some archives.\nbye\n"
    )
    with pytest.raises(SetupError, match=r"Installing docker\.io failed: E: Unable to fetch some archives\.") as caught:
        install(machine)
    assert str(paths.setup_log()) in caught.value.advice


def test_a_full_disk_is_named() -> None:
    """A full disk during the installation is said as such, whatever apt makes of it."""
    machine = FakeMachine(codes=(100, 0, 100), says="E: Write error - write (28: No space left on device)\n")
    with pytest.raises(SetupError, match="no space left on the disk"):
        install(machine)
