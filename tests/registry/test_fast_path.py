"""What the service asks with every request: the answers of the stores, at once or not at all."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from sqlalchemy import text

from orchestrator.registry.queue.fast_path import FastPath, Locked, NotAtOnce, fast_path
from orchestrator.registry.queue.job_store import JobStore
from orchestrator.registry.queue.service_job import JobKind, NewJob
from orchestrator.registry.queue.token_store import TokenScope, TokenStore, TokenUse

USE = TokenUse("ann", "GET /api/v1/jobs/{job_id}", 200)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "registry.db"


@pytest.fixture
def tokens(file: Path) -> Iterator[TokenStore]:
    with TokenStore(f"sqlite:///{file}", create=True) as made:
        yield made


@pytest.fixture
def fast(tokens: TokenStore, file: Path) -> Iterator[FastPath]:
    made = fast_path(f"sqlite:///{file}")
    assert made is not None
    yield made
    made.close()


@contextmanager
def locked(file: Path) -> Iterator[sqlite3.Connection]:
    """Somebody else writes."""
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield other


def test_the_answers_are_those_of_the_stores(fast: FastPath, tokens: TokenStore, file: Path) -> None:
    """Of tokens and jobs that are known, and of others; in every state."""
    token, secret = tokens.create("one", {TokenScope.READ, TokenScope.RUN}, 1)
    assert fast.token(secret) == tokens.find(secret) == token
    assert fast.token("x") is fast.token("\ud800") is None
    with closing(JobStore(f"sqlite:///{file}")) as jobs:
        asked, _ = jobs.add(NewJob(JobKind.VERIFY, token.id, {"folder": "f"}, "", "key"))
        for step in ("queued", "running", "done"):
            found = fast.job(asked.id)
            assert found is not None
            assert found == jobs.stored(asked.id)
            assert found.job() == jobs.get(asked.id)
            assert found.state == step
            if claimed := jobs.claim("one"):
                held = claimed
            elif step == "running":
                assert jobs.finish(held, {"cell": "\ud800", "rows": [1]})
        assert found is not None
        assert found.result == '{"cell":"\\ud800","rows":[1]}'
        assert fast.job("x") is None


def test_what_others_revoke_and_read_counts_at_once(fast: FastPath, tokens: TokenStore) -> None:
    """Nothing is kept from one look to the next, and a use is on record when the call returns."""
    _, secret = tokens.create("one", {TokenScope.READ}, 1)
    assert fast.token(secret) is not None
    tokens.revoke("one")
    found = fast.token(secret)
    assert found is not None
    assert found.state == "revoked"
    fast.record([USE, TokenUse("ann", "GET /", 404)])
    assert [use for _, use in tokens.uses("ann")] == [TokenUse("ann", "GET /", 404), USE]


def test_where_somebody_else_writes_only_writing_has_to_wait(fast: FastPath, tokens: TokenStore, file: Path) -> None:
    """It does not wait itself, and goes on when the other is done; nothing is on record twice."""
    _, secret = tokens.create("one", {TokenScope.READ}, 1)
    with locked(file):
        assert fast.token(secret) is not None
        with pytest.raises(Locked):
            fast.record([USE])
    fast.record([USE])
    assert [use for _, use in tokens.uses("ann")] == [USE]


def test_what_is_not_as_usual_is_left_to_the_stores(fast: FastPath, tokens: TokenStore, file: Path) -> None:
    """A newer registry, a damaged one, a file that was removed; one that was put in its place is read."""
    _, secret = tokens.create("one", {TokenScope.READ}, 1)
    with tokens._engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(NotAtOnce):
        fast.record([USE])
    assert fast.token(secret) is not None
    with TokenStore(f"sqlite:///{file.with_name('other.db')}", create=True) as other:
        _, new = other.create("two", {TokenScope.READ}, 1)
    for one in file.parent.glob("registry.db*"):
        one.unlink()
    with pytest.raises(NotAtOnce):
        fast.token(secret)
    file.write_bytes(b"no database" * 100)
    with pytest.raises(NotAtOnce):
        fast.token(secret)
    file.with_name("other.db").rename(file)
    assert fast.token(secret) is None
    assert fast.token(new) is not None


def test_the_log_becomes_no_longer_and_a_checkpoint_is_never_waited_for(
    fast: FastPath, tokens: TokenStore, file: Path
) -> None:
    """Only `checkpoint` moves what the log holds into the file; the log is then written from its beginning."""
    log = file.with_name("registry.db-wal")
    fast.record([USE] * 10)
    tokens.checkpoint()
    sizes = []
    for _ in range(3):
        before = file.stat().st_size
        for _ in range(1000):
            fast.record([USE])
        assert file.stat().st_size == before
        sizes.append(log.stat().st_size)
        tokens.checkpoint()
    assert sizes[2] < 1.5 * sizes[0]


def test_a_registry_elsewhere_has_none() -> None:
    """PostgreSQL is asked through a network, which an event loop does not wait for."""
    assert fast_path("postgresql://ann@db/registry") is None
