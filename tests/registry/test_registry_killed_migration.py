"""kill -9 wherever a migration goes on to another kind of step: the tables are as they were before or as they are
after, and the next opening completes it.

At the first place of each such change: a row of triggers that are dropped one by one, or the next table that gets its
index, is one transaction to the database, which takes back the same.
"""

import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from itertools import count, pairwise
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text
from sqlalchemy.pool import NullPool

from orchestrator.registry.database import migrate_database
from orchestrator.registry.location import database_url
from orchestrator.registry.migrations.migrate import migrate
from orchestrator.registry.registry_tables import APPEND_ONLY, REVISIONS
from orchestrator.registry.store import SqlRegistry
from tests.registry.test_registry_migrations import add_row, check_append_only, schema

Copies = Callable[[], str]


def old_registry(url: str) -> None:
    """The tables of release 0.1.0, which knew no Alembic, with a row each."""
    engine = create_engine(database_url(url), poolclass=NullPool)
    with engine.begin() as connection:
        migrate(connection, REVISIONS[0])
        add_row(connection, "functions")
        add_row(connection, "events")
        connection.exec_driver_sql("DROP TABLE alembic_version")


@pytest.fixture(params=["sqlite", "postgresql"])
def copies(request: pytest.FixtureRequest, tmp_path: Path) -> Copies:
    """Makes one more old registry at each call; its URL."""
    numbers = count()
    if request.param == "sqlite":
        first = tmp_path / "old.db"
        old_registry(f"sqlite:///{first}")

        def copied() -> str:
            return f"sqlite:///{shutil.copyfile(first, tmp_path / f'{next(numbers)}.db')}"

        return copied
    url = request.getfixturevalue("postgresql").new_database()

    def made() -> str:
        name = f"copy_{next(numbers)}"
        with create_engine(database_url(url), poolclass=NullPool).begin() as connection:
            connection.exec_driver_sql(f"CREATE SCHEMA {name}")
        old_registry(own := f"{url}&options=-csearch_path={name}")
        return own

    return made


def killed_at(places: Sequence[tuple[int, str]]) -> list[str]:
    """What each process said that died at the moment of its migration."""
    command = [sys.executable, str(Path(__file__).with_name("killed_migration.py"))]
    command += [word for moment, url in places for word in (str(moment), url)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=1500, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def kind_of(step: str) -> tuple[str, ...]:
    """CREATE TABLE, INSERT INTO, before COMMIT: its first two words."""
    return tuple(step.split()[:2])


@pytest.mark.timeout(1600)  # some twenty processes, on whatever machine
def test_a_killed_migration_is_completed_by_the_next_one(copies: Copies) -> None:
    """Nothing is lost, nothing is half done, and the rows stay append-only."""
    whole = copies()
    reference = create_engine(database_url(whole), poolclass=NullPool)
    before = schema(reference)
    assert migrate_database(database_url(whole)) == REVISIONS[0]
    after = schema(reference)
    assert before != after
    *steps, end = killed_at([(0, copies())])
    assert end == "done"
    kinds = [("",), *map(kind_of, steps)]
    first = {change: number for number, change in reversed([*enumerate(pairwise(kinds), 1)]) if change[0] != change[1]}
    moments = sorted(first.values())
    urls = [copies() for _ in moments]
    died = killed_at([*zip(moments, urls, strict=True), (len(steps) + 1, copies())])
    assert died == [*(steps[moment - 1] for moment in moments), "done"]
    assert {"before COMMIT", "after COMMIT"} <= set(died)
    assert any(step.startswith("CREATE TABLE") for step in died)
    assert any(step.startswith("DROP TRIGGER") for step in died)
    for url, step in zip(urls, died[:-1], strict=True):
        engine = create_engine(database_url(url))
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
        engine.dispose()
