"""Tests sign with a key of their own, never with that of whoever runs them."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from orchestrator.registry.signing.keys import make_key


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


@pytest.fixture(scope="module")
def warm() -> Iterator[None]:
    """The commands that a module's tests run in this process share waiting containers (support.warm_sandboxes)."""
    from tests.support.warm_sandboxes import warm_sandboxes

    with warm_sandboxes():
        yield
