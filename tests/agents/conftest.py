"""The server of the tools in the test's own process, with the shipped fake of the gate: no container is started."""

import json
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import pytest
from mcp.client.session import ClientSession
from mcp.shared.memory import create_connected_server_and_client_session
from mcp.types import CallToolResult

from orchestrator import bootstrap
from orchestrator.agents.agent_settings import AgentSettings
from orchestrator.agents.mcp_server import AgentServer, make_server
from orchestrator.core.policy import Policy
from orchestrator.core.verdict import Outcome
from orchestrator.gate.scripted_gate import Decide, ScriptedGate
from orchestrator.run.services import Services

SOURCE = 'def trim(df):\n    """Strip blanks."""\n    return df\n'


class FakeSandbox:
    """In place of SandboxOnDemand: a scripted gate, and nothing to run anything in."""

    def __init__(self, decide: Decide) -> None:
        gate, unused = ScriptedGate(decide), None
        self._services = Services(unused, lambda: gate, unused, Policy(), "", bootstrap.open_registry)  # type: ignore[arg-type]

    @contextmanager
    def services(self) -> Iterator[Services]:
        yield self._services

    def close(self) -> None:
        """Nothing is open."""


Make = Callable[..., AgentServer]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The declared folder, with a small file in it."""
    root = tmp_path / "declared"
    root.mkdir()
    (root / "a.csv").write_text("city,n\n Bonn,1\nKiel ,2\nKiel,2\n")
    return root


@pytest.fixture
def make(folder: Path) -> Iterator[Make]:
    """Makes tools over the declared folder; they are ended with the test."""
    made: list[AgentServer] = []

    def server(decide: Decide = lambda candidate, sample: Outcome.PASS, **options: Any) -> AgentServer:
        out = folder / "runs"
        out.mkdir(exist_ok=True)
        sandbox: Any = FakeSandbox(decide)
        made.append(AgentServer(AgentSettings((folder,), out, **options), sandbox))
        return made[-1]

    yield server
    for one in made:
        one.close()


@asynccontextmanager
async def connected(agents: AgentServer) -> AsyncIterator[ClientSession]:
    """The SDK's client, speaking the protocol with the server."""
    async with create_connected_server_and_client_session(make_server(agents)._mcp_server) as client:
        yield client


def texts(answer: CallToolResult) -> list[str]:
    return [part.text for part in answer.content if part.type == "text"]


def facts(answer: CallToolResult) -> dict[str, Any]:
    """What the answer says outside the fence."""
    said: dict[str, Any] = json.loads(texts(answer)[0])
    return said


def fenced(answer: CallToolResult) -> str:
    return texts(answer)[1]
