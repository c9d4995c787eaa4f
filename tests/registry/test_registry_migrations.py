"""Tables of every older version become those of this one, at once or not at all, and stay append-only."""

import json
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, create_engine, event, inspect, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import NullPool

from orchestrator.core.errors import RegistryError
from orchestrator.registry.database import migrate_database
from orchestrator.registry.location import database_url
from orchestrator.registry.migrations.migrate import FOLDER, migrate
from orchestrator.registry.registry_tables import APPEND_ONLY, REVISIONS
from orchestrator.registry.store import SqlRegistry
from orchestrator.registry.triggers import protect

RELEASE = Path(__file__).parents[1] / "golden" / "release-0.1.0" / "registry" / "registry.db"
RENAMES_A_COLUMN = '''
"""Copies the table, as every change of a column does on SQLite."""
from alembic import op
revision = "0099"
down_revision = "{newest}"
def upgrade():
    op.execute("UPDATE functions SET issue = issue || '.'")
    with op.batch_alter_table("functions") as table:
        table.alter_column("issue", new_column_name="problem")
'''


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty database of each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/registry.db"
    return str(request.getfixturevalue("postgresql").new_database())


@pytest.fixture
def engine(url: str) -> Iterator[Engine]:
    """A connection that is no registry's."""
    made = create_engine(database_url(url), poolclass=NullPool)
    if made.dialect.name == "sqlite":
        event.listen(made, "connect", lambda raw, _: setattr(raw, "isolation_level", None))
        event.listen(made, "begin", lambda connection: connection.exec_driver_sql("BEGIN"))
    yield made
    made.dispose()


def add_row(connection: Connection, table: str) -> None:
    """One row with something in every column."""
    values = {
        column["name"]: 1 if column["type"].python_type in {int, bool} else "x"
        for column in inspect(connection).get_columns(table)
    }
    values |= {"has_detect": True} if "has_detect" in values else {}
    columns, places = ", ".join(values), ", ".join(f":{name}" for name in values)
    connection.execute(text(f"INSERT INTO {table} ({columns}) VALUES ({places})"), values)  # noqa: S608


def check_append_only(engine: Engine, tables: tuple[str, ...] = APPEND_ONLY) -> int:
    """Nothing but adding is possible in the tables that are there; how many there are."""
    with engine.begin() as connection:
        there = [table for table in tables if inspect(connection).has_table(table)]
        for table in there:
            if connection.scalar(text(f"SELECT count(*) FROM {table}")) == 0:  # noqa: S608
                add_row(connection, table)
    for table in there:
        [key] = inspect(engine).get_pk_constraint(table)["constrained_columns"]
        attempts = [f"UPDATE {table} SET {key} = {key} + 1000", f"DELETE FROM {table}"]  # noqa: S608
        if engine.dialect.name == "sqlite":
            attempts.append(f"REPLACE INTO {table} SELECT * FROM {table}")  # noqa: S608
        else:
            attempts.append(f"TRUNCATE {table} CASCADE")
        for attempt in attempts:
            with engine.connect() as connection:
                before = connection.execute(text(f"SELECT * FROM {table}")).all()  # noqa: S608
            with pytest.raises(DBAPIError, match="append-only"), engine.begin() as connection:
                connection.exec_driver_sql(attempt)
            with engine.connect() as connection:
                assert connection.execute(text(f"SELECT * FROM {table}")).all() == before  # noqa: S608
    return len(there)


def schema(engine: Engine) -> dict[str, Any]:
    """What the tables are made of, comparable."""
    inspector = inspect(engine)
    keys, uniques = inspector.get_multi_pk_constraint(), inspector.get_multi_unique_constraints()
    foreign, indexes = inspector.get_multi_foreign_keys(), inspector.get_multi_indexes()
    return {
        place[1]: (
            [(c["name"], str(c["type"]), c["nullable"]) for c in columns],
            keys[place]["constrained_columns"],
            sorted(sorted(u["column_names"]) for u in uniques[place]),
            sorted((f["constrained_columns"], f["referred_table"]) for f in foreign[place]),
            sorted(i["name"] or "" for i in indexes[place] if not i.get("duplicates_constraint")),
        )
        for place, columns in inspector.get_multi_columns().items()
    }


def test_the_migrations_are_those_that_the_tables_know() -> None:
    """A file for each revision, in a chain without forks."""
    scripts = ScriptDirectory(str(FOLDER))
    assert tuple(reversed([one.revision for one in scripts.walk_revisions()])) == REVISIONS


def test_new_tables_are_what_all_migrations_make(url: str, engine: Engine, tmp_path: Path) -> None:
    """A registry that is made at once has the same columns, keys, indexes and triggers as one that was migrated."""
    with engine.begin() as connection:
        migrate(connection)
    migrated = schema(engine)
    assert check_append_only(engine) == len(APPEND_ONLY)
    other = url.replace("registry.db", "other.db")
    if engine.dialect.name != "sqlite":
        with engine.begin() as connection:
            connection.exec_driver_sql("CREATE SCHEMA other")
        other = f"{url}&options=-csearch_path=other"
    SqlRegistry(other).close()
    again = create_engine(database_url(other), poolclass=NullPool)
    assert schema(again) == migrated
    assert check_append_only(again) == len(APPEND_ONLY)


@pytest.mark.parametrize("revision", REVISIONS)
def test_every_version_is_append_only_and_becomes_this_one(url: str, engine: Engine, revision: str) -> None:
    """After each migration nothing can be changed; from each the tables come to this version with their rows."""
    with engine.begin() as connection:
        migrate(connection, revision)
    assert check_append_only(engine) >= 2
    with engine.connect() as connection:
        rows = connection.execute(text("SELECT id, name, source FROM functions")).all()
    assert migrate_database(database_url(url)) == revision
    assert check_append_only(engine) == len(APPEND_ONLY)
    with engine.connect() as connection:
        assert connection.execute(text("SELECT id, name, source FROM functions")).all() == rows
        assert connection.scalar(text("SELECT version FROM schema_version")) == len(REVISIONS)
        assert connection.scalar(text("SELECT version_num FROM alembic_version")) == REVISIONS[-1]
    assert migrate_database(database_url(url)) == REVISIONS[-1]


def test_a_migration_that_copies_a_table_leaves_it_append_only(url: str, engine: Engine, tmp_path: Path) -> None:
    """It may change rows itself; the triggers, which a copy on SQLite does not have, are made again."""
    folder = shutil.copytree(FOLDER, tmp_path / "migrations")
    (folder / "versions" / "r0099_copy.py").write_text(RENAMES_A_COLUMN.format(newest=REVISIONS[-1]))
    SqlRegistry(url).close()
    with engine.begin() as connection:
        add_row(connection, "functions")
    with engine.begin() as connection:
        migrate(connection, "0099", folder)
    assert "problem" in {column["name"] for column in inspect(engine).get_columns("functions")}
    with engine.connect() as connection:
        assert connection.scalar(text("SELECT problem FROM functions")) == "x."
    assert check_append_only(engine) == len(APPEND_ONLY)


def test_without_new_triggers_the_copied_table_could_be_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The control: the same migration, with nobody to make the triggers again."""
    engine = create_engine(f"sqlite:///{tmp_path}/registry.db", poolclass=NullPool)
    with engine.begin() as connection:
        migrate(connection)
        protect_again = protect
        monkeypatch.setattr("orchestrator.registry.migrations.migrate.protect", lambda _connection: None)
        folder = shutil.copytree(FOLDER, tmp_path / "migrations")
        (folder / "versions" / "r0099_copy.py").write_text(RENAMES_A_COLUMN.format(newest=REVISIONS[-1]))
        migrate(connection, "0099", folder)
    with pytest.raises(pytest.fail.Exception, match="DID NOT RAISE"):
        check_append_only(engine)
    with engine.begin() as connection:
        protect_again(connection)
    check_append_only(engine)


def test_what_release_0_1_0_wrote_is_migrated_when_it_is_opened(tmp_path: Path) -> None:
    """Functions and history are the same; that release would now say that the registry is newer than itself."""
    old = shutil.copy(RELEASE, tmp_path / "registry.db")
    with closing(sqlite3.connect(old)) as raw:
        before = raw.execute("SELECT * FROM functions").fetchall(), raw.execute("SELECT * FROM events").fetchall()
        assert raw.execute("SELECT version FROM schema_version").fetchone() == (1,)
    with SqlRegistry(f"sqlite:///{old}", create=False) as registry:
        assert registry.history()
        check_append_only(registry._engine)
    with closing(sqlite3.connect(old)) as raw:
        after = raw.execute("SELECT * FROM functions").fetchall(), raw.execute("SELECT * FROM events").fetchall()
        assert after == before
        assert raw.execute("SELECT version FROM schema_version").fetchone()[0] > 1


@pytest.mark.parametrize("change", ["UPDATE alembic_version SET version_num = '9999'", "DELETE FROM alembic_version"])
def test_an_unknown_version_is_refused(url: str, engine: Engine, change: str) -> None:
    """What a later release migrated is not misread, neither when it is opened nor while it is open."""
    registry = SqlRegistry(url)
    with engine.begin() as connection:
        connection.exec_driver_sql(change)
    for attempt in (
        lambda: SqlRegistry(url),
        lambda: registry.revoke("f", "x"),
        lambda: migrate_database(database_url(url)),
    ):
        with pytest.raises(RegistryError, match="newer cleanroom") as caught:
            attempt()
        assert caught.value.advice == "Upgrade cleanroom."


@pytest.mark.parametrize("url", ["postgresql"], indirect=True)
def test_tables_in_postgresql_are_migrated_only_when_that_is_asked_for(url: str, engine: Engine) -> None:
    """Other machines may still use the older version: opening it says what to do, and changes nothing."""
    with engine.begin() as connection:
        migrate(connection, REVISIONS[-2])
    before = schema(engine)
    with pytest.raises(RegistryError, match="older cleanroom") as caught:
        SqlRegistry(url)
    assert "cleanroom registry migrate" in caught.value.advice
    assert schema(engine) == before
    migrate_database(database_url(url))
    SqlRegistry(url).close()


def test_alembic_is_imported_only_for_a_migration(tmp_path: Path) -> None:
    """Making a registry, and opening one of this version, need none of it; opening an older one does."""
    old = shutil.copy(RELEASE, tmp_path / "old.db")
    for name, create, expected in (
        (tmp_path / "new.db", True, False),
        (tmp_path / "new.db", False, False),
        (old, False, True),
        (old, False, False),
    ):
        program = (
            "import sys, json; from orchestrator.registry.store import SqlRegistry; "
            f"SqlRegistry('sqlite:///{name}', create={create}).history(); print(json.dumps('alembic' in sys.modules))"
        )
        done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
        assert json.loads(done.stdout) is expected
