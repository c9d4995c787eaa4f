"""What the service asks for with every request, on one open connection to an SQLite file. Called in its event loop.

The way there through a thread, SQLAlchemy and its pool costs thirty times as much as these statements. Nothing here
waits: where another process holds a lock, or anything is not as usual, `NotAtOnce` is raised, and the caller asks the
stores in a thread, which wait, and say what is wrong.
"""

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite
from sqlalchemy.engine import URL
from sqlalchemy.sql.expression import ClauseElement

from orchestrator.registry import sqlite
from orchestrator.registry.location import database_url
from orchestrator.registry.queue.job_store import STORED_BY_ID
from orchestrator.registry.queue.service_job import StoredJob
from orchestrator.registry.queue.token_store import (
    ADD_USE,
    BY_DIGEST,
    ServiceToken,
    TokenUse,
    digest_of,
    token_of,
    use_rows,
)
from orchestrator.registry.registry_tables import REVISIONS
from orchestrator.registry.sql_errors import is_busy


class NotAtOnce(Exception):
    """It cannot be had without waiting, or cannot be had."""


class Locked(NotAtOnce):
    """Somebody else writes at the moment."""


class FastPath:
    """Belongs to one thread. Every method raises NotAtOnce, and nothing else."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._connection: sqlite3.Connection | None = None
        self._file: tuple[int, int] | None = None

    def token(self, secret: str) -> ServiceToken | None:
        """As `TokenStore.find`."""
        with self._at_once() as connection:
            row = connection.execute(_TOKEN, {"sha256": digest_of(secret)}).fetchone()
            return None if row is None else token_of(*row)

    def job(self, job_id: str) -> StoredJob | None:
        """As `JobStore.stored`."""
        with self._at_once() as connection:
            row = connection.execute(_JOB, {"id": job_id}).fetchone()
            return None if row is None else StoredJob(*row)

    def record(self, uses: Iterable[TokenUse]) -> None:
        """As `TokenStore.record`. Never makes a checkpoint, which waits for the disk: `TokenStore.checkpoint` does."""
        with self._at_once() as connection:
            connection.execute("BEGIN IMMEDIATE")
            if connection.execute(_REVISION).fetchone() != REVISIONS[-1:]:
                raise NotAtOnce
            connection.executemany(_USE, use_rows(uses))
            connection.execute("COMMIT")

    @property
    def _begun(self) -> bool:
        return self._connection is not None and self._connection.in_transaction

    def close(self) -> None:
        """Close the file. Idempotent; the next use opens it again."""
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(sqlite3.Error):
                connection.close()

    @contextmanager
    def _at_once(self) -> Iterator[sqlite3.Connection]:
        """The connection to the file that has this name now; opened anew after anything that went wrong."""
        try:
            if self._connection is None or self._file != sqlite.identity(self._path):
                self.close()
                self._file = sqlite.identity(self._path)
                self._connection = sqlite.impatient_connection(self._path)
            yield self._connection
        except (NotAtOnce, sqlite3.Error, UnicodeEncodeError) as error:
            if isinstance(error, sqlite3.Error) and is_busy(error) and not self._begun:
                raise Locked from error
            self.close()  # and with it what was begun
            raise NotAtOnce from error


def fast_path(url: str | URL) -> FastPath | None:
    """For a registry in an SQLite file; None for one elsewhere, where each question goes through a network."""
    database = database_url(url)
    return FastPath(Path(database.database or "")) if database.get_backend_name() == "sqlite" else None


def _sql(statement: ClauseElement, *columns: str) -> str:
    """The statement for Python's own driver, with values by name."""
    dialect: Any = SQLiteDialect_pysqlite(paramstyle="named")
    return str(statement.compile(dialect=dialect, column_keys=columns or None))


_TOKEN, _JOB = _sql(BY_DIGEST), _sql(STORED_BY_ID)
_USE = _sql(ADD_USE, "token_id", "at", "action", "status")
_REVISION = "SELECT version_num FROM alembic_version"
