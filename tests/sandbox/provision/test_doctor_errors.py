"""What the engine's SDK raises becomes our errors, with advice."""

import errno
import inspect

import docker.errors
import pytest
import requests.exceptions

from orchestrator.core.errors import EngineUnavailable, SetupError
from orchestrator.sandbox.provision.engine_client import address, answers, connect, engine_errors

FOREIGN = [
    kind
    for _, kind in inspect.getmembers(docker.errors, inspect.isclass)
    if issubclass(kind, docker.errors.DockerException) and kind.__module__ == "docker.errors"
]


def made(kind: type[Exception]) -> Exception:
    """An instance of any of the SDK's errors, whatever its constructor wants."""
    wanted = inspect.signature(kind.__init__).parameters
    required = [
        p for n, p in wanted.items() if n != "self" and p.default is p.empty and p.kind is p.POSITIONAL_OR_KEYWORD
    ]
    return kind(*["words"] * max(1, len(required)))


@pytest.mark.parametrize("kind", [*FOREIGN, requests.exceptions.ReadTimeout, requests.exceptions.ConnectionError])
def test_every_error_of_the_sdk_is_mapped(kind: type[Exception]) -> None:
    """None of the SDK's exceptions leaves provisioning as it is."""
    with pytest.raises(SetupError, match=r"^Trying failed: ") as caught, engine_errors("Trying"):
        raise made(kind)
    assert caught.value.advice


def test_a_full_disk_is_recognised_in_the_engines_words() -> None:
    """The engine reports its full disk as text; so does the kernel by number."""
    with pytest.raises(SetupError, match="no space left on the disk"), engine_errors("Building"):
        raise docker.errors.APIError("write /var/lib/docker/tmp/x: no space left on device")
    with pytest.raises(SetupError, match="no space left on the disk"), engine_errors("Building"):
        raise OSError(errno.ENOSPC, "No space left on device")


@pytest.mark.parametrize("host", ["unix:///nonexistent/docker.sock", "tcp://127.0.0.1:1", "nonsense://x", "ssh:"])
def test_no_engine_is_one_sentence(host: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever DOCKER_HOST says, the answer is EngineUnavailable with advice that names it."""
    monkeypatch.setenv("DOCKER_HOST", host)
    with pytest.raises(EngineUnavailable, match=r"^No container engine answers: .*\.$") as caught:
        connect(2)
    assert "DOCKER_HOST" in caught.value.advice
    assert "\n" not in caught.value.message
    assert answers() is False
    assert address() == host
