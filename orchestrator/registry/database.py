"""Opens the database of a registry and brings it to this version's tables. Called by `store` and `registry migrate`.

What an SQLite file lacks is done when it is opened to write; whoever only reads gets a copy, in which it is done. A
database in PostgreSQL belongs to many machines: there only `cleanroom registry migrate` changes tables that exist.
"""

from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, event, insert, inspect, text
from sqlalchemy.engine import URL
from sqlalchemy.orm import Session

from orchestrator.core.errors import RegistryError
from orchestrator.registry import (
    check_table,  # noqa: F401 - as the tables of the queue
    postgresql,
    sqlite,
)
from orchestrator.registry.location import shown
from orchestrator.registry.queue import queue_tables  # noqa: F401 - they are among the tables that `Base` knows
from orchestrator.registry.registry_tables import REVISIONS, AlembicVersion, Base, EventRow, FunctionRow, SchemaVersion
from orchestrator.registry.sql_errors import mapped
from orchestrator.registry.sqlite_schema import check_plain
from orchestrator.registry.sqlite_snapshot import content_of, memory_engine, snapshot, working_engine
from orchestrator.registry.triggers import protect

KEPT = 4
"""Open connections of each store of the service; more are opened for as long as more are used."""
_WRITING = "cleanroom_writing"
_PREPARING = "cleanroom_preparing"
_LAZY = "cleanroom_lazy"
_ALWAYS = {table.__tablename__ for table in (SchemaVersion, FunctionRow, EventRow)}  # since release 0.1.0


def open_engine(url: URL, *, create: bool, busy_timeout_s: float, kept: int = 0, migrate: bool = True) -> Engine:
    """An engine on a database with the tables of this version. Raises RegistryError when it cannot be used.

    `kept`: how many connections stay open between transactions, for those who ask many times a second. `migrate`: a
    file with older tables is brought to this version; else it is refused.
    """
    name, in_file = shown(url), url.get_backend_name() == "sqlite"
    engine = _connected(url, create=create, timeout_s=busy_timeout_s, kept=kept)
    with mapped(name):
        found = _revision(engine, name)
        if found == REVISIONS[-1]:
            return engine
        if found is None and not create:
            raise _missing(name)
        if found is not None and not (in_file and migrate):
            raise RegistryError(
                f"The registry {name} was made by an older cleanroom.",
                advice="Once nobody uses that any more: `cleanroom registry migrate`.",
            )
        if found is not None and not sqlite.is_writable(Path(url.database or "")):
            raise RegistryError(
                f"The registry {name} was made by an older cleanroom, and is read-only.",
                advice="Copy it to a folder that you can write to: it is brought to this version there.",
            )
        _prepare(engine, name)
        if found is None and in_file:
            sqlite.write_ahead(engine, busy_timeout_s)
        engine.dispose()  # what was set for making tables holds for no other use
    return engine


def reading_engine(url: URL, *, busy_timeout_s: float) -> Engine:
    """An engine that cannot write, also on tables of an older version. An SQLite file and its folder stay as they are.

    That is for as long as the file can be taken into memory: else SQLite reads it as it always does, and tables of an
    older version are refused. Raises RegistryError.
    """
    name = shown(url)
    if url.get_backend_name() != "sqlite":
        return _read_in_place(url, busy_timeout_s)
    path = Path(url.database or "")
    if not path.exists():
        raise _missing(name)
    sqlite.check_file(path)
    with mapped(name):
        try:
            content = snapshot(path)
        except OSError as error:
            may = isinstance(error, PermissionError)
            advice = "Check the permissions of the file." if may else "Check the file, and what lies beside it."
            raise RegistryError(f"The registry {name} cannot be read: {error.strerror}.", advice=advice) from error
        if content is None:
            return _read_in_place(url, busy_timeout_s)
        engine = _listening(memory_engine(content), url, busy_timeout_s)
        found = _revision(engine, name)
        if found is None:
            raise _missing(name)
        if found != REVISIONS[-1]:
            working = _listening(working_engine(content), url, busy_timeout_s)
            _prepare(working, name)
            engine = _listening(memory_engine(content_of(working)), url, busy_timeout_s)
            working.dispose()
    return engine


def _read_in_place(url: URL, timeout_s: float) -> Engine:
    """An engine that cannot write, on the database itself."""
    in_file = url.get_backend_name() == "sqlite"

    def on_connect(connection: Any, _record: object) -> None:
        if in_file:
            connection.execute("PRAGMA query_only = ON")
        else:
            connection.read_only = True

    engine = open_engine(url, create=False, busy_timeout_s=timeout_s, migrate=False)
    event.listen(engine, "connect", on_connect)
    return engine


def migrate_database(url: URL) -> str | None:
    """Bring the tables to this version, or make them. Returns the revision that was found. Raises RegistryError."""
    name = shown(url)
    engine = _connected(url, create=True, timeout_s=60.0)
    with mapped(name):
        found = _revision(engine, name)
        if found != REVISIONS[-1]:
            _prepare(engine, name)
    engine.dispose()
    return found


def writing(engine: Engine) -> Session:
    """A session whose transaction holds the write lock from its beginning."""
    return Session(engine.execution_options(**{_WRITING: True}), expire_on_commit=False)


def adding_lazily(engine: Engine) -> Engine:
    """For many small transactions that write, each of which need not be on the disk when it ends (`sqlite.begin`)."""
    return engine.execution_options(**{_WRITING: True, _LAZY: True})


def _connected(url: URL, *, create: bool, timeout_s: float, kept: int = 0) -> Engine:
    if url.get_backend_name() == "sqlite":
        path = Path(url.database or "")
        if not create and not path.exists():
            raise _missing(str(path))
        engine = sqlite.sqlite_engine(path, create=create, timeout_s=timeout_s, kept=kept)
    else:
        engine = postgresql.postgresql_engine(url, kept=kept)
    return _listening(engine, url, timeout_s)


def _listening(engine: Engine, url: URL, timeout_s: float) -> Engine:
    """The engine, whose transactions begin as is right for the kind of the database."""
    in_file = url.get_backend_name() == "sqlite"

    def on_begin(connection: Connection) -> None:
        options = connection.get_execution_options()
        preparing = options.get(_PREPARING, False)
        locked, synced = preparing or options.get(_WRITING, False), not options.get(_LAZY, False)
        if in_file:
            sqlite.begin(connection, writing=locked, synced=synced)
        else:
            postgresql.begin(connection, writing=locked, synced=synced, timeout_s=timeout_s)
        if locked and not preparing:
            _check_unchanged(connection, shown(url))

    event.listen(engine, "begin", on_begin)
    return engine


def _prepare(engine: Engine, name: str) -> None:
    """Make or migrate the tables in one transaction; a second process that does the same finds it done."""
    with engine.execution_options(**{_PREPARING: True}).connect() as connection:
        if connection.dialect.name == "sqlite":  # a table that is copied must not take along what refers to it
            connection.connection.cursor().execute("PRAGMA foreign_keys = OFF")
        with connection.begin():
            found = _revision_in(connection, name)
            if found is None:
                _make_tables(connection)
            elif found != REVISIONS[-1]:
                from orchestrator.registry.migrations.migrate import migrate

                migrate(connection)


def _make_tables(connection: Connection) -> None:
    """What all migrations together would make: a test compares both."""
    Base.metadata.create_all(connection)
    connection.execute(insert(SchemaVersion).values(version=len(REVISIONS)))
    connection.execute(insert(AlembicVersion).values(version_num=REVISIONS[-1]))
    protect(connection)


def _revision(engine: Engine, name: str) -> str | None:
    with engine.connect() as connection, connection.begin():
        return _revision_in(connection, name)


def _revision_in(connection: Connection, name: str) -> str | None:
    """The revision of the tables, None where there are none. Raises RegistryError for what is not ours, or newer."""
    tables = set(inspect(connection).get_table_names())
    if not tables:
        return None
    if not tables >= _ALWAYS:
        raise RegistryError(
            f"{name} is a database, but not a registry.", advice="Name another one, or move this one away."
        )
    if connection.dialect.name == "sqlite":
        check_plain(connection, name)
    version = connection.scalar(text("SELECT version FROM schema_version"))
    if AlembicVersion.__tablename__ not in tables:
        revision = REVISIONS[0] if version == 1 else None
    else:
        revision = connection.scalar(text("SELECT version_num FROM alembic_version"))
    if revision not in REVISIONS or version is None or version > len(REVISIONS):
        raise _newer(name)
    if revision == REVISIONS[-1] and not tables >= set(Base.metadata.tables):
        raise RegistryError(f"The registry {name} is damaged: it has lost a table.", advice="Restore it from a copy.")
    return revision


def _check_unchanged(connection: Connection, name: str) -> None:
    """What another cleanroom has migrated since it was opened is not written to any more."""
    if connection.scalar(text("SELECT version_num FROM alembic_version")) != REVISIONS[-1]:
        raise _newer(name)


def _newer(name: str) -> RegistryError:
    return RegistryError(
        f"The registry {name} was made by a newer cleanroom (this one knows schema {REVISIONS[-1]}).",
        advice="Upgrade cleanroom.",
    )


def _missing(name: str) -> RegistryError:
    return RegistryError(f"There is no registry at {name}.", advice="`cleanroom run` or `verify --promote` makes one.")
