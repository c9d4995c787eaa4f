"""What is asked with every request: the answers do not depend on how it is asked, nor on who writes meanwhile."""

import json
import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from math import inf, nan
from pathlib import Path
from typing import Any

import httpx2
import pytest

from orchestrator.core.errors import RegistryError
from orchestrator.registry.location import registry_url
from orchestrator.registry.queue.service_job import JobKind, NewJob
from orchestrator.registry.queue.token_store import TokenScope, TokenStore
from orchestrator.service.response_models import JobView
from tests.service.conftest import LiveService, Make, listening, until
from tests.support.postgresql import Server, postgresql

__all__ = ["postgresql"]
GONE = "0" * 32


@pytest.fixture
def live(tmp_path: Path) -> Iterator[LiveService]:
    with listening(tmp_path) as made:
        yield made


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_a_status_is_the_same_from_every_database(make: Make, request: pytest.FixtureRequest, kind: str) -> None:
    """Done, failed and queued, of its own token only; each use is on record, and a token that is revoked is refused."""
    options: dict[str, Any] = {}
    if kind == "postgresql":
        server: Server = request.getfixturevalue("postgresql")
        options["registry"] = server.new_database()
    service = make(**options)
    headers = service.headers(TokenScope.READ)
    jobs = service.app.state.jobs
    with TokenStore(registry_url(service.settings.registry, create=False)) as tokens:
        token = next(one for one in tokens.tokens() if one.name == "read")
        asked = [jobs.add(NewJob(JobKind.VERIFY, by, {"folder": "f"}, ""))[0].id for by in (token.id,) * 4 + ("x",)]
        jobs.finish(jobs.claim("w"), {"verdict": {"cell": "\ud800é", "rows": [None, 1.5]}, "source": "x"})
        jobs.fail(jobs.claim("w"), "It cannot be read.", "Send another.")
        jobs.finish(jobs.claim("w"), {"cells": [nan, inf, "NaN", "\ud800"]})
        for job_id in asked[:4]:
            answer = service.client.get(f"/api/v1/jobs/{job_id}", headers=headers)
            assert answer.headers["content-type"] == "application/json"
            told = json.loads(answer.text, parse_constant=pytest.fail)
            view = json.dumps(JobView.of(jobs.get(job_id)).model_dump(mode="json"))
            assert told == json.loads(view, parse_constant=lambda _: None)
        for other in (asked[4], GONE):
            assert service.client.get(f"/api/v1/jobs/{other}", headers=headers).status_code == 404
        tokens.revoke("read")
        assert service.client.get(f"/api/v1/jobs/{asked[0]}", headers=headers).status_code == 401
        used = [use.status for _, use in tokens.uses(token.id) if use.action == "GET /api/v1/jobs/{job_id}"]
        assert used == [401, 404, 404, *[200] * 4]


def test_who_writes_keeps_only_those_waiting_whose_use_is_recorded(live: LiveService) -> None:
    """The answer to a token comes when its use is on record; others are answered meanwhile."""
    secret = live.token()

    def answers() -> tuple[int, int]:
        return status(live, secret), status(live, secret)

    with closing(sqlite3.connect(live.settings.registry, isolation_level=None)) as writer, ThreadPoolExecutor() as pool:
        writer.execute("BEGIN IMMEDIATE")
        asked = [pool.submit(answers) for _ in range(3)]
        until(lambda: live.connections == 3)
        for _ in range(5):
            assert status(live, "") == 401
        assert not any(one.done() for one in asked)
        writer.execute("COMMIT")
        assert [one.result() for one in asked] == [(404, 404)] * 3
    with TokenStore(f"sqlite:///{live.settings.registry}") as tokens:
        assert [use.status for _, use in tokens.uses()] == [404] * 6 + [0]


@pytest.mark.parametrize("path", ["jobs", f"jobs/{GONE}", "jobs/{job}", "jobs/{job}/events", "functions"])
def test_an_answer_whose_use_cannot_be_recorded_is_withheld(live: LiveService, path: str) -> None:
    """With a full disk it was "Internal Server Error", no JSON, and a traceback for each request."""
    secret = live.token()
    [token] = live.app.state.tokens.tokens()
    job = live.app.state.jobs.add(NewJob(JobKind.VERIFY, token.id, {"folder": GONE}, ""))[0].id

    def full(_uses: object) -> None:
        raise RegistryError("The disk is full.", advice="")

    live.app.state.recorder._fast = None  # as where the file cannot be written at once
    live.app.state.tokens.record = full
    with httpx2.Client(base_url=live.address, headers={"Authorization": f"Bearer {secret}"}) as client:
        for _ in range(2):
            told = client.get("/api/v1/" + path.format(job=job))
            assert (told.status_code, told.headers["content-type"]) == (503, "application/problem+json"), path
            assert told.json()["detail"] == "The service cannot do that at the moment."
            assert told.headers["retry-after"]
            assert "content-security-policy" in told.headers


def status(live: LiveService, secret: str) -> int:
    """Of a question for a job that is not there."""
    with live.connect() as connection:
        sent = f"GET /api/v1/jobs/{GONE} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {secret}\r\n\r\n"
        connection.sendall(sent.encode())
        with connection.makefile("rb") as answer:
            return int(answer.readline().split(b" ")[1])
