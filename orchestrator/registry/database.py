"""Opens the database: connection settings, transactions, and the tables of this version. Called by `store`.

Every connection waits for others, checks foreign keys and syncs each commit to the disk. Transactions are begun here,
not by Python's driver: a writer takes the lock when it begins, so that what it reads first (the next order,
the next version) still holds when it writes.
"""

import os
import sqlite3
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, delete, event, inspect, select
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError
from sqlalchemy.orm import Session
from sqlalchemy.pool import NullPool

from orchestrator.core.errors import RegistryError
from orchestrator.data.files import open_for_appending, private_folder
from orchestrator.registry.sql_errors import is_busy, mapped
from orchestrator.registry.tables import SCHEMA_VERSION, TRIGGERS, Base, LogEntryRow, SchemaVersion

_WRITING = "cleanroom_writing"


def open_engine(url: str, *, create: bool, busy_timeout_s: float) -> tuple[Engine, Path]:
    """An engine on a prepared database, and its file. Raises RegistryError when it cannot be used."""
    path = _path(url)
    if not create and not path.exists():
        raise RegistryError(
            f"There is no registry at {path}.", advice="`cleanroom run` or `verify --promote` makes one."
        )
    try:
        private_folder(path.parent)
        with suppress(FileExistsError):  # made here and not by SQLite, so that only its owner may read it
            os.close(open_for_appending(path, new=True))
    except OSError as error:
        raise RegistryError(
            f"The registry {path} cannot be made: {error.strerror}.", advice="Check the permissions of its folder."
        ) from error
    engine = create_engine(url, poolclass=NullPool, connect_args={"timeout": busy_timeout_s})
    event.listen(engine, "connect", _on_connect)
    event.listen(engine, "begin", _on_begin)
    with mapped(str(path)):
        if not _is_prepared(engine, path):
            _prepare(engine, path)
            _write_ahead(engine, busy_timeout_s)
    return engine, path


def writing(engine: Engine) -> Session:
    """A session whose transaction holds the write lock from its beginning."""
    return Session(engine.execution_options(**{_WRITING: True}), expire_on_commit=False)


def _path(url: str) -> Path:
    try:
        parsed = make_url(url)
    except ArgumentError as error:
        raise RegistryError(f"'{url}' is not a database URL.", advice="For example: sqlite:///registry.db") from error
    database = parsed.database or ":memory:"
    if parsed.get_backend_name() != "sqlite" or parsed.query or database.startswith((":memory:", "file:")):
        raise RegistryError(
            f"A registry cannot be kept at {parsed.render_as_string()}.",
            advice="Name an SQLite file, for example sqlite:///registry.db",
        )
    return Path(database)


def _on_connect(connection: Any, _record: Any) -> None:
    connection.isolation_level = None  # the driver begins no transaction by itself
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA trusted_schema = OFF")


def _on_begin(connection: Connection) -> None:
    immediate = connection.get_execution_options().get(_WRITING, False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if immediate else "BEGIN")


def _is_prepared(engine: Engine, path: Path) -> bool:
    """Whether the tables are there. Raises RegistryError for another program's database and for a newer schema."""
    with Session(engine) as session:
        tables = set(inspect(session.connection()).get_table_names())
        if not tables:
            return False
        if not tables >= set(Base.metadata.tables) - {LogEntryRow.__tablename__}:
            raise RegistryError(
                f"{path} is a database, but not a registry.", advice="Name another file, or move this one away."
            )
        version = session.scalar(select(SchemaVersion.version))
    if version is None or version > SCHEMA_VERSION:
        raise RegistryError(
            f"The registry {path} was made by a newer cleanroom (schema {version}, this one knows {SCHEMA_VERSION}).",
            advice="Upgrade cleanroom.",
        )
    return bool(version == SCHEMA_VERSION)


def _prepare(engine: Engine, path: Path) -> None:
    """Make the tables in one transaction; a second process that does the same finds them made."""
    with writing(engine) as session, session.begin():
        Base.metadata.create_all(session.connection())
        for trigger in TRIGGERS:
            session.connection().exec_driver_sql(trigger)
        session.execute(delete(SchemaVersion))
        session.add(SchemaVersion(version=SCHEMA_VERSION))
    _is_prepared(engine, path)


def _write_ahead(engine: Engine, busy_timeout_s: float) -> None:
    """Switch to write-ahead logging, which the file remembers. SQLite does not wait for locks here; this does."""
    deadline = time.monotonic() + busy_timeout_s
    while True:
        raw = engine.raw_connection()
        try:
            raw.cursor().execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if not is_busy(error) or time.monotonic() > deadline:
                raise
        else:
            return
        finally:
            raw.close()
        time.sleep(0.02)
