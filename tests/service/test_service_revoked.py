"""A token that ends while one of its requests is still being answered."""

from pathlib import Path

import pytest

from orchestrator.registry.queue.service_job import JobKind, NewJob
from orchestrator.registry.queue.token_store import TokenScope, TokenStore
from tests.service.conftest import listening


@pytest.mark.parametrize("revoked", [True, False])
def test_an_administrator_follows_no_job_of_others_any_more(tmp_path: Path, *, revoked: bool) -> None:
    """Their token has no job of its own that would end with it; the job goes on. The control: one that was left."""
    with listening(tmp_path) as live:
        secret, _ = live.token(TokenScope.ADMIN, TokenScope.READ, name="root"), live.token(name="etl")
        jobs = live.app.state.jobs
        with TokenStore(f"sqlite:///{live.settings.registry}") as tokens:
            owner = next(token for token in tokens.tokens() if token.name == "etl")
            asked, _ = jobs.add(NewJob(JobKind.APPLY, owner.id, {"folder": "0" * 32, "named": "a.csv"}, ""))
            job = jobs.claim("test")
            assert job is not None
            with live.connect() as connection, connection.makefile("rb") as answer:
                head = f"GET /api/v1/jobs/{asked.id}/events HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                connection.sendall(f"{head}Authorization: Bearer {secret}\r\n\r\n".encode())
                while b"started" not in answer.readline():
                    pass
                if revoked:
                    tokens.revoke("root")
                jobs.tell(job, [("progress", {"rows": 7_654})])
                jobs.finish(job, {"files": []})
                rest = answer.read()
    assert (b"7654" in rest, b"ended" in rest) == (not revoked, not revoked)
