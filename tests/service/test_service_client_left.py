"""A client that closes the connection in the middle of an answer leaves no traceback in the operator's log."""

import asyncio
from pathlib import Path

import anyio
import pytest
from starlette.types import Message, Receive, Scope, Send

from orchestrator.service.gatekeeper import Gatekeeper
from orchestrator.service.service_settings import ServiceSettings

START: Message = {"type": "http.response.start", "status": 200, "headers": []}


def answered(error: Exception, folder: Path) -> list[Message]:
    """What is sent by an app that has begun an answer when this is raised."""
    sent: list[Message] = []

    async def app(_scope: Scope, _receive: Receive, send: Send) -> None:
        await send(dict(START))
        raise error

    async def receive() -> Message:
        return {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        sent.append(message)

    settings = ServiceSettings(str(folder / "registry.db"), folder / "state")
    scope = {"type": "http", "method": "GET", "path": "/", "query_string": b"", "headers": [(b"host", b"localhost")]}
    asyncio.run(Gatekeeper(app, settings, lambda: pytest.fail("nobody showed a token"))(scope, receive, send))
    return sent


@pytest.mark.parametrize("error", [anyio.BrokenResourceError(), ExceptionGroup("", [anyio.ClosedResourceError()])])
def test_a_client_that_left_is_no_fault(error: Exception, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Nothing more is sent, and nothing is said."""
    assert [one["type"] for one in answered(error, tmp_path)] == ["http.response.start"]
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("error", [KeyError("x"), ExceptionGroup("", [anyio.BrokenResourceError(), KeyError("x")])])
def test_another_fault_is_still_raised(error: Exception, tmp_path: Path) -> None:
    """The control: a fault of ours beside it, too."""
    with pytest.raises(type(error)):
        answered(error, tmp_path)
