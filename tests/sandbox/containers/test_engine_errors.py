"""Every error of the SDK and of the libraries under it becomes one of ours."""

import inspect
from contextlib import closing
from typing import Any

import docker.errors
import pytest
import requests
import requests.exceptions
import urllib3.exceptions

from orchestrator.core.errors import EngineUnavailable, ImageMissing, PostureError, SandboxError
from orchestrator.sandbox.containers.engine import Engine, map_error


def errors_of(module: Any) -> list[type[Exception]]:
    return [
        one
        for _, one in inspect.getmembers(module, inspect.isclass)
        if issubclass(one, Exception) and not issubclass(one, Warning) and one.__module__ == module.__name__
    ]


def bare(kind: type[Exception]) -> Exception:
    """An instance without going through the constructor, which each class has its own."""
    made = kind.__new__(kind)
    made.args = ("text",)
    made.__dict__.update(response=None, explanation=None, msg="text", name="text", param="text")
    return made


FOREIGN = [*errors_of(docker.errors), *errors_of(requests.exceptions), *errors_of(urllib3.exceptions)]


@pytest.mark.parametrize("kind", FOREIGN, ids=lambda kind: f"{kind.__module__}.{kind.__name__}")
def test_every_foreign_error_is_mapped(kind: type[Exception]) -> None:
    """None of them leaves the room as it is."""
    mapped = map_error("starting a container", bare(kind))
    assert isinstance(mapped, SandboxError)
    assert mapped.advice


def test_there_is_something_to_map() -> None:
    """The list above is not empty by accident."""
    assert len(FOREIGN) > 40


def answer(status: int, text: str, kind: type[docker.errors.APIError] = docker.errors.APIError) -> Exception:
    response = requests.Response()
    response.status_code = status
    return kind("failed", response=response, explanation=text)


NO_ENTRY = (
    "failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: "
    'exec: "/nosuch": stat /nosuch: no such file or directory: unknown'
)
NO_PROGRAM = (
    "OCI runtime create failed: unable to retrieve OCI runtime error (open /run/containerd/x/log.json: no such file "
    "or directory): fork/exec /usr/bin/runsc: no such file or directory: unknown"
)


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (answer(404, "No such image: x", docker.errors.ImageNotFound), ImageMissing),
        (answer(404, "No such image: sha256:1", docker.errors.NotFound), ImageMissing),
        (answer(404, "No such container: x", docker.errors.NotFound), SandboxError),
        (answer(400, "Unknown runtime specified runsc"), PostureError),
        (answer(400, "unknown or invalid runtime name: runsc"), PostureError),
        (answer(500, NO_PROGRAM), PostureError),
        (answer(400, NO_ENTRY), SandboxError),
        (answer(500, "no space left on device"), SandboxError),
        (requests.exceptions.ConnectionError("refused"), EngineUnavailable),
        (ConnectionResetError("reset"), EngineUnavailable),
    ],
)
def test_the_kind_of_error_says_what_to_do(error: Exception, kind: type[SandboxError]) -> None:
    """A missing image, a missing runtime and a silent engine are told apart."""
    mapped = map_error("starting a container", error)
    assert type(mapped) is kind


def started(engine: Engine, config: dict[str, Any]) -> None:
    identity = engine.create(config)
    try:
        engine.start(identity)
    finally:
        engine.remove(identity)


@pytest.mark.docker
@pytest.mark.parametrize(
    ("change", "kind", "said"),
    [
        ({"HostConfig": {"Runtime": "nosuch"}}, PostureError, "does not know the wanted runtime"),
        ({"Entrypoint": ["/nosuch"]}, SandboxError, "starting a container failed: .*/nosuch.*no such file"),
    ],
)
def test_a_container_that_does_not_start_says_why(
    image: str, change: dict[str, Any], kind: type[SandboxError], said: str
) -> None:
    """A runtime that the engine does not know and a program that the runtime does not find are told apart."""
    with closing(Engine()) as engine, pytest.raises(SandboxError, match=said) as raised:
        started(engine, {"Image": image, "Labels": {}, **change})
    assert type(raised.value) is kind
    assert not raised.value.message.endswith("unknown")


def test_our_own_mistakes_are_not_hidden() -> None:
    """An error that no library raises on purpose stays what it is."""
    assert map_error("starting", TypeError("x")) is None
