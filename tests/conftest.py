"""Tests sign with a key of their own, never with that of whoever runs them, and take no signals from there."""

import gc
import os
import signal
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from orchestrator.registry.signing.keys import make_key

if TYPE_CHECKING:
    from orchestrator.sandbox.containers.docker_sandbox import DockerSandbox
    from tests.support.warm_sandboxes import WarmSandboxes


# Commands that tests start would inherit it from `nohup make test` that SIGHUP is ignored.
signal.signal(signal.SIGHUP, signal.SIG_DFL)

SANDBOX = Path(__file__).parent / "sandbox"  # some of its tests have their mark from a fixture


def pytest_collection_modifyitems(items: Sequence[pytest.Item]) -> None:
    """A marked test says so in its own file: by this `make test` knows which files each of its parts collects."""
    for item in items:
        for mark in ("docker", "slow"):
            found = (mark == "docker" and SANDBOX in item.path.parents) or f"mark.{mark}" in _text(item.path)
            if item.get_closest_marker(mark) and not found:
                raise pytest.UsageError(f"{item.nodeid} has the mark {mark}, but its file does not say mark.{mark}")


def pytest_collection_finish() -> None:
    """What was imported stays, and is not searched for garbage again and again: an eighth of the processor time."""
    gc.collect()
    gc.freeze()


@cache
def _text(file: Path) -> str:
    return file.read_text(encoding="utf-8")


@pytest.fixture(scope="session", autouse=True)
def _own_config_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The config folder of a user who has a key, for this session and for the commands that it starts."""
    folder = tmp_path_factory.mktemp("config")
    before = os.environ.get("XDG_CONFIG_HOME")
    os.environ["XDG_CONFIG_HOME"] = str(folder)
    make_key(folder / "cleanroom" / "signing.key")
    yield folder
    os.environ.pop("XDG_CONFIG_HOME")
    if before is not None:
        os.environ["XDG_CONFIG_HOME"] = before


@pytest.fixture(scope="session")
def image() -> str:
    """The sandbox image of this checkout, built when it is not there."""
    from orchestrator.core.errors import ImageMissing
    from orchestrator.sandbox.provision.image_id import sandbox_image
    from orchestrator.sandbox.provision.setup import ensure_ready

    try:
        return sandbox_image()
    except ImageMissing:
        return ensure_ready(lambda _: None)


@pytest.fixture(scope="session")
def docker_sandbox(image: str) -> "Iterator[DockerSandbox]":
    """Real containers under the usual policy, one per job: all tests share the few that wait, which are never used."""
    from orchestrator.core.policy import ContainerPolicy, Policy
    from orchestrator.sandbox.containers.docker_sandbox import DockerSandbox
    from tests.support.warm_sandboxes import NO_COMMANDS

    with DockerSandbox(Policy(container=ContainerPolicy(pool_size=1)), image, NO_COMMANDS) as sandbox:
        yield sandbox


@pytest.fixture(scope="session")
def _warm_sandboxes() -> "Iterator[WarmSandboxes]":
    from tests.support.warm_sandboxes import WarmSandboxes

    made = WarmSandboxes()
    yield made
    made.close()


@pytest.fixture(scope="module")
def warm(_warm_sandboxes: "WarmSandboxes") -> Iterator[None]:
    """The commands that a module's tests run in this process share what waits for all of them."""
    with _warm_sandboxes.shared():
        yield
