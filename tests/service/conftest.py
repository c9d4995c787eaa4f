"""A service in the test's own process, with the shipped fake of the gate: no container is started."""

import socket
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from fastapi.testclient import TestClient

from orchestrator import bootstrap
from orchestrator.core.policy import Policy
from orchestrator.core.verdict import Outcome
from orchestrator.gate.scripted_gate import Decide, ScriptedGate
from orchestrator.registry.location import registry_url
from orchestrator.registry.queue.job_store import JobStore
from orchestrator.registry.queue.token_store import TokenScope, TokenStore
from orchestrator.run.services import Services
from orchestrator.service.app import make_app
from orchestrator.service.job_execution import JobExecutor
from orchestrator.service.job_worker import JobEnd, JobWorker
from orchestrator.service.serve import configured
from orchestrator.service.service_settings import ServiceSettings
from orchestrator.service.uploads import JobFolders

SOURCE = 'def trim(df):\n    """Strip blanks."""\n    return df\n'
CSV = "city,n\n Bonn,1\nKiel ,2\n"
EVERYTHING = tuple(TokenScope)


class ThreadWorker:
    """A worker in a thread of the test's process, which claims jobs once it is let."""

    def __init__(self, jobs: JobStore, settings: ServiceSettings, decide: Decide) -> None:
        gate = ScriptedGate(decide)
        unused: Any = None
        services = Services(unused, lambda: gate, unused, Policy(), "", bootstrap.open_registry)
        perform = JobExecutor(services, settings.registry).perform
        self._worker = JobWorker(
            jobs,
            JobFolders(settings.state),
            perform,
            name="thread",
            lanes=2,
            on_end=self._ended,
        )
        self._thread = threading.Thread(target=self._worker.run)
        self.ready = True
        self.metrics: Any = None

    def _ended(self, end: JobEnd) -> None:
        self.metrics.ended(end)

    def start(self) -> None:
        """Nothing is claimed before `work`."""

    def work(self) -> None:
        if not self._thread.is_alive():
            self._thread.start()

    def stop(self) -> None:
        self._worker.stop()
        if self._thread.is_alive():
            self._thread.join()


@dataclass
class Service:
    """What a test asks, and what it looks into."""

    client: TestClient
    settings: ServiceSettings
    secrets: dict[tuple[TokenScope, ...], str] = field(default_factory=dict)

    @property
    def app(self) -> Any:
        return self.client.app

    def token(self, *scopes: TokenScope, name: str = "") -> str:
        """The secret of a token with these scopes."""
        if scopes not in self.secrets or name:
            with TokenStore(registry_url(self.settings.registry, create=False)) as store:
                _, secret = store.create(name or "-".join(scopes), scopes, 1)
            if name:
                return secret
            self.secrets[scopes] = secret
        return self.secrets[scopes]

    def headers(self, *scopes: TokenScope, **more: str) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token(*(scopes or EVERYTHING))}"} | more

    def verify(self, source: str = SOURCE, headers: dict[str, str] | None = None, **form: Any) -> Any:
        """Ask for a verification of the function."""
        files = {"function": ("f.py", source), "data": ("a.csv", CSV)}
        return self.client.post("/api/v1/verifications", files=files, data=form, headers=headers or self.headers())

    def wait(self, job_id: str, headers: dict[str, str] | None = None) -> dict[str, Any]:
        """Let the worker work until the job is over."""
        self.app.state.worker.work()
        with self.client.stream("GET", f"/api/v1/jobs/{job_id}/events", headers=headers or self.headers()) as lines:
            assert lines.status_code == 200
            for _ in lines.iter_lines():
                pass
        job: dict[str, Any] = self.client.get(f"/api/v1/jobs/{job_id}", headers=headers or self.headers()).json()
        return job


Make = Callable[..., Service]


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Make]:
    """Makes services; each is ended with the test."""
    open_ones: list[Any] = []

    @contextmanager
    def running(decide: Decide, options: dict[str, Any]) -> Iterator[Service]:
        options.setdefault("registry", str(tmp_path / "registry.db"))
        settings = ServiceSettings(state=tmp_path / f"state-{len(open_ones)}", **options)
        app = make_app(settings, lambda jobs: ThreadWorker(jobs, settings, decide))
        with TestClient(app, base_url="http://localhost", follow_redirects=False) as client:
            yield Service(client, settings)

    def made(decide: Decide = lambda candidate, sample: Outcome.PASS, **options: Any) -> Service:
        context = running(decide, options)
        open_ones.append(context)
        return context.__enter__()

    yield made
    for context in reversed(open_ones):
        context.__exit__(None, None, None)


@pytest.fixture
def service(make: Make) -> Service:
    return make()


@dataclass
class LiveService:
    """A service that listens, as `cleanroom serve` does, and whoever talks to it by a socket of their own."""

    app: Any
    port: int
    settings: ServiceSettings
    server: uvicorn.Server

    @property
    def connections(self) -> int:
        """How many are open."""
        return len(self.server.server_state.connections)

    @property
    def address(self) -> str:
        return f"http://localhost:{self.port}"

    def token(self, *scopes: TokenScope, name: str = "live") -> str:
        """The secret of a new token."""
        with TokenStore(f"sqlite:///{self.settings.registry}") as store:
            _, secret = store.create(name, scopes or EVERYTHING, 1)
        return secret

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), 60)


def until(true: Callable[[], object]) -> None:
    """Wait for it, a minute at most."""
    deadline = time.monotonic() + 60
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def all_of(connection: socket.socket) -> bytes:
    """What still comes, until the other side hangs up."""
    parts = []
    try:
        while part := connection.recv(2**16):
            parts.append(part)
    except ConnectionResetError:
        pass
    return b"".join(parts)


@contextmanager
def listening(
    folder: Path, decide: Decide = lambda candidate, sample: Outcome.PASS, **options: Any
) -> Iterator[LiveService]:
    """A service at a port of its own, with the gate's fake, until the end of the block."""
    settings = ServiceSettings(str(folder / "registry.db"), folder / "state", **options)
    app = make_app(settings, lambda jobs: ThreadWorker(jobs, settings, decide))
    with socket.create_server(("127.0.0.1", 0), backlog=256) as place:
        server = uvicorn.Server(configured(app))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [place]})
        thread.start()
        until(lambda: server.started)
        try:
            yield LiveService(app, place.getsockname()[1], settings, server)
        finally:
            server.should_exit = True
            app.state.feed.close()
            thread.join()


def events_in(text: str) -> Sequence[tuple[int, str]]:
    """Number and kind of each server-sent event."""
    blocks = [dict(line.split(": ", 1) for line in block.splitlines() if ": " in line) for block in text.split("\n\n")]
    return [(int(block["id"]), block["event"]) for block in blocks if "id" in block]
