"""Registering gVisor: only with an engine that setup started, without a restart, and never losing settings."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from orchestrator.core.errors import SetupError
from orchestrator.sandbox.provision import debian_packages
from orchestrator.sandbox.provision.machine import ThisMachine
from orchestrator.sandbox.provision.runtime_install import arguments, ensure_runsc

ENGINE = """
import signal, sys, time
signal.signal(signal.SIGHUP, lambda *_: open(sys.argv[1], "w").write("told"))
print("up", flush=True)
for _ in range(1200):
    time.sleep(0.05)  # in short naps: a signal just before a long one would be handled only after it
"""


class RootWithRunsc(ThisMachine):
    def is_root(self) -> bool:
        return True

    def find(self, program: str) -> str | None:
        return "/usr/bin/runsc"


@pytest.fixture
def places(tmp_path: Path) -> Iterator[dict[str, Any]]:
    """A process that stands for an engine started by setup: its errors go to setup's log; it listens to SIGHUP."""
    log, told = tmp_path / "engine.log", tmp_path / "told"
    with log.open("wb") as out:
        engine = subprocess.Popen([sys.executable, "-c", ENGINE, str(told)], stdout=subprocess.PIPE, stderr=out)
    assert engine.stdout is not None
    engine.stdout.readline()
    pid_file = tmp_path / "pid"
    pid_file.write_text(str(engine.pid))
    yield {"config": tmp_path / "etc" / "daemon.json", "pid_file": pid_file, "engine_log": log, "known": told.exists}
    engine.kill()
    engine.wait()
    engine.stdout.close()


def test_an_own_engine_is_told(places: dict[str, Any]) -> None:
    """The entry joins the settings that are there, and the engine reads them anew without a restart."""
    places["config"].parent.mkdir()
    places["config"].write_text('{"debug": true, "runtimes": {"other": {"path": "/x"}}}')
    said: list[str] = []
    ensure_runsc(said.append, RootWithRunsc(), **places)
    settings = json.loads(places["config"].read_text())
    assert settings["debug"] is True
    assert settings["runtimes"]["other"] == {"path": "/x"}
    assert settings["runtimes"]["runsc"]["path"] == "/usr/bin/runsc"
    assert said == [f"registering runsc with the engine ({places['config']})"]


def test_someone_elses_engine_is_left_alone(places: dict[str, Any], tmp_path: Path) -> None:
    """An engine whose log is another one is not signalled and its settings are not written; the way is told."""
    with pytest.raises(SetupError, match="not started by") as raised:
        ensure_runsc(lambda _: None, RootWithRunsc(), **places | {"engine_log": tmp_path / "other.log"})
    assert "runtimes" in raised.value.advice
    assert not places["config"].exists()
    time.sleep(0.1)
    assert not places["known"]()


def test_settings_that_are_no_json_are_not_lost(places: dict[str, Any]) -> None:
    """A file that cannot be read is reported and kept."""
    places["config"].parent.mkdir()
    places["config"].write_text("{ half")
    with pytest.raises(SetupError, match="no JSON"):
        ensure_runsc(lambda _: None, RootWithRunsc(), **places)
    assert places["config"].read_text() == "{ half"


def test_nothing_is_done_twice(places: dict[str, Any]) -> None:
    """An engine that knows runsc is left as it is."""
    ensure_runsc(lambda _: None, RootWithRunsc(), **places | {"known": lambda: True})
    assert not places["config"].exists()


def test_a_program_that_was_removed_comes_back(places: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """An own engine that knows runsc from before is no reason to believe that runsc is still there."""
    installed: list[tuple[str, ...]] = []
    monkeypatch.setattr(debian_packages, "install", lambda names, *_: installed.append(names))

    class Removed(RootWithRunsc):
        def is_debian_like(self) -> bool:
            return True

        def find(self, program: str) -> str | None:
            return super().find(program) if installed else None

    ensure_runsc(lambda _: None, Removed(), **places | {"known": lambda: True})
    assert installed == [("runsc",)]


@pytest.mark.parametrize(
    ("version", "platform"), [("0.0~20221219.0", "ptrace"), ("release-20260105.0", "systrap"), ("odd", "systrap")]
)
def test_the_platform_suits_the_release(version: str, platform: str) -> None:
    """Old releases know no better platform than ptrace."""
    assert f"--platform={platform}" in arguments(version)


def test_the_stand_in_is_a_real_process(places: dict[str, Any]) -> None:
    """The control: a SIGHUP does reach it."""
    os.kill(int(places["pid_file"].read_text()), signal.SIGHUP)
    deadline = time.monotonic() + 30
    while not places["known"]():
        assert time.monotonic() < deadline
        time.sleep(0.01)
