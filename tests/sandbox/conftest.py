"""One sandbox of each kind per module, and the image that they run."""

from collections.abc import Iterator

import pytest

from orchestrator.core.errors import ImageMissing
from orchestrator.core.policy import Policy
from orchestrator.core.ports import Sandbox, SandboxSession
from orchestrator.sandbox.containers.docker_sandbox import DockerSandbox
from orchestrator.sandbox.containers.local import LocalSandbox


@pytest.fixture(scope="session")
def image() -> str:
    """The sandbox image of this checkout, built when it is not there."""
    from orchestrator.sandbox.provision.image_id import sandbox_image
    from orchestrator.sandbox.provision.setup import ensure_ready

    try:
        return sandbox_image()
    except ImageMissing:
        return ensure_ready(lambda _: None)


@pytest.fixture(scope="module")
def docker_sandbox(image: str) -> Iterator[DockerSandbox]:
    with DockerSandbox(Policy(), image, run_id="test") as sandbox:
        yield sandbox


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
