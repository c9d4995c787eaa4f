"""kill -9 at every step of a migration: the tables are as they were before or as they are after, and the next opening
completes it."""

import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text
from sqlalchemy.pool import NullPool

from orchestrator.registry.database import migrate_database
from orchestrator.registry.location import database_url
from orchestrator.registry.migrations.runner import migrate
from orchestrator.registry.store import SqlRegistry
from orchestrator.registry.tables import APPEND_ONLY, REVISIONS
from tests.registry.test_registry_migrations import add_row, check_append_only, schema

COPIES = 72  # more than there are steps in a migration from the first tables


def old_registry(url: str) -> None:
    """The tables of release 0.1.0, which knew no Alembic, with a row each."""
    engine = create_engine(database_url(url), poolclass=NullPool)
    with engine.begin() as connection:
        migrate(connection, REVISIONS[0])
        add_row(connection, "functions")
        add_row(connection, "events")
        connection.exec_driver_sql("DROP TABLE alembic_version")


@pytest.fixture(params=["sqlite", "postgresql"])
def urls(request: pytest.FixtureRequest, tmp_path: Path) -> list[str]:
    """Copies of an old registry."""
    if request.param == "sqlite":
        made = [f"sqlite:///{tmp_path}/{number}.db" for number in range(COPIES)]
    else:
        url = request.getfixturevalue("postgresql").new_database()
        with create_engine(database_url(url), poolclass=NullPool).begin() as connection:
            for number in range(COPIES):
                connection.exec_driver_sql(f"CREATE SCHEMA copy_{number}")
        made = [f"{url}&options=-csearch_path=copy_{number}" for number in range(COPIES)]
    for url in made:
        old_registry(url)
    return made


@pytest.mark.timeout(1200)  # one process for each of the copies, on whatever machine
def test_a_killed_migration_is_completed_by_the_next_one(urls: list[str]) -> None:
    """Nothing is lost, nothing is half done, and the rows stay append-only."""
    reference = create_engine(database_url(urls[-1]), poolclass=NullPool)
    before = schema(reference)
    assert migrate_database(database_url(urls[-1])) == REVISIONS[0]
    after = schema(reference)
    assert before != after
    command = [sys.executable, str(Path(__file__).with_name("killed_migration.py")), *urls[:-1]]
    done = subprocess.run(command, capture_output=True, text=True, timeout=900, check=False)
    assert done.returncode == 0, done.stderr
    steps = done.stdout.splitlines()
    assert len(steps) == COPIES - 1
    assert steps[-1] == "done", "more copies are needed: there are more steps"
    died = [step for step in steps if step != "done"]
    assert {"before COMMIT", "after COMMIT"} <= set(died)
    assert any(step.startswith("CREATE TABLE") for step in died)
    assert any(step.startswith("DROP TRIGGER") for step in died)
    for url, step in zip(urls, died, strict=False):
        engine = create_engine(database_url(url), poolclass=NullPool)
        assert schema(engine) == (after if step == "after COMMIT" else before), step
        if engine.dialect.name == "sqlite":
            SqlRegistry(url, create=False).close()
        else:
            migrate_database(database_url(url))
        assert schema(engine) == after, step
        with engine.connect() as connection:
            for table in ("functions", "events"):
                assert connection.scalar(text(f"SELECT count(*) FROM {table}")) == 1, step  # noqa: S608
        assert check_append_only(engine) == len(APPEND_ONLY)
