"""Every implementation of the sandbox in turn."""

from collections.abc import Iterator

import pytest

from orchestrator.core.ports import Sandbox, SandboxSession
from orchestrator.sandbox.containers.local import LocalSandbox


@pytest.fixture(scope="module")
def local_sandbox() -> Iterator[LocalSandbox]:
    with LocalSandbox() as sandbox:
        yield sandbox


@pytest.fixture(scope="module", params=["local", pytest.param("docker", marks=pytest.mark.docker)])
def sandbox(request: pytest.FixtureRequest) -> Sandbox:
    """Every implementation of the port in turn."""
    made: Sandbox = request.getfixturevalue(f"{request.param}_sandbox")
    return made


@pytest.fixture(scope="module")
def session(sandbox: Sandbox) -> Iterator[SandboxSession]:
    """One session of each of them, for what does not ask for a container of its own."""
    with sandbox.session() as made:
        yield made
