"""Fetching wheels: hashes decide, and a fetch that was cut off is done again."""

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO

import pytest

from orchestrator.core.errors import SetupError
from orchestrator.sandbox.provision.machine import ThisMachine
from orchestrator.sandbox.provision.recipe import read_recipe
from orchestrator.sandbox.provision.wheels import ensure_wheels

WHEEL = b"a wheel"
LOCK = f"six==1.17.0 \\\n    --hash=sha256:{hashlib.sha256(WHEEL).hexdigest()}\n".encode()


class FakePip(ThisMachine):
    """Instead of running pip, puts a wheel with this content where pip would put it."""

    def __init__(self, content: bytes = WHEEL, code: int = 0, says: str = "") -> None:
        self.content, self.code, self.says = content, code, says
        self.calls: list[list[str]] = []

    def run(self, command: Sequence[str], log: IO[bytes], environment: Mapping[str, str] | None = None) -> int:
        self.calls.append(list(command))
        log.write(self.says.encode())
        folder = Path(command[command.index("--dest") + 1])
        (folder / "six-1.17.0-py2.py3-none-any.whl").write_bytes(self.content)
        return self.code


@pytest.fixture(autouse=True)
def _own_places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


def fetch(cache: Path, pip: FakePip, architecture: str = "amd64") -> tuple[Path, ...]:
    return ensure_wheels(LOCK, architecture, cache, lambda _: None, pip)


def test_wheels_are_fetched_once(tmp_path: Path) -> None:
    """The second call takes the wheels from the cache."""
    pip = FakePip()
    assert fetch(tmp_path, pip) == fetch(tmp_path, pip)
    assert len(pip.calls) == 1


def test_pip_is_held_to_hashes_and_wheels(tmp_path: Path) -> None:
    """pip must check hashes, must not build from source, and fetches for the engine's architecture."""
    pip = FakePip()
    fetch(tmp_path, pip, "arm64")
    assert {"--require-hashes", "--only-binary=:all:", "--no-deps", "manylinux_2_28_aarch64"} <= set(pip.calls[0])


def test_a_changed_wheel_in_the_cache_is_fetched_anew(tmp_path: Path) -> None:
    """The cache is not trusted: each use compares the hashes."""
    (wheel,) = fetch(tmp_path, FakePip())
    wheel.write_bytes(b"something else")
    pip = FakePip()
    (again,) = fetch(tmp_path, pip)
    assert again.read_bytes() == WHEEL
    assert len(pip.calls) == 1


def test_a_wheel_with_another_hash_is_refused(tmp_path: Path) -> None:
    """Even when pip is content, a wheel that the lock does not name is not used."""
    with pytest.raises(SetupError, match="do not match their hashes"):
        fetch(tmp_path, FakePip(content=b"evil"))


def test_an_interrupted_fetch_leaves_nothing_that_counts(tmp_path: Path) -> None:
    """A fetch that failed half-way is done from the start by the next call."""
    with pytest.raises(SetupError):
        fetch(tmp_path, FakePip(code=1))
    pip = FakePip()
    fetch(tmp_path, pip)
    assert len(pip.calls) == 1


def test_without_network_the_error_says_so(tmp_path: Path) -> None:
    """pip's own error line and the way to another index are in the message."""
    pip = FakePip(code=1, says="WARNING: retrying\nERROR: No matching distribution found for six==1.17.0\n")
    with pytest.raises(SetupError, match=r"ERROR: No matching distribution found for six==1\.17\.0") as caught:
        fetch(tmp_path, pip)
    assert "PIP_INDEX_URL" in caught.value.advice


def test_other_architectures_are_refused(tmp_path: Path) -> None:
    """There is no image for an engine on a machine without wheels."""
    with pytest.raises(SetupError, match="made for amd64 and arm64 only"):
        fetch(tmp_path, FakePip(), "s390x")


def test_the_lock_pins_every_package_with_hashes() -> None:
    """Each requirement of the real lock is an exact version with at least one hash."""
    text = read_recipe().lock.decode().replace("\\\n", " ")
    requirements = [line for line in text.splitlines() if line and not line.lstrip().startswith("#")]
    assert {line.partition("==")[0] for line in requirements} == {
        "numpy",
        "pandas",
        "pyarrow",
        "python-dateutil",
        "six",
    }
    assert all("==" in line and "--hash=sha256:" in line for line in requirements)
