"""A registry in an SQLite file: how connections are set up, how the file is made, and reading what cannot be written.

Every connection waits for others, checks foreign keys and syncs each commit to the disk. Transactions are begun here,
not by Python's driver: a writer takes the lock when it begins. Called by `database`.
"""

import os
import sqlite3
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import URL
from sqlalchemy.exc import DisconnectionError
from sqlalchemy.pool import NullPool, QueuePool

from orchestrator.core.errors import RegistryError
from orchestrator.data.databases.sqlite_journal import names_another_file
from orchestrator.data.files import open_for_appending, private_folder
from orchestrator.registry.registry_names import sqlite_address
from orchestrator.registry.sql_errors import is_busy

_FILE = "file"
_LONGEST = 64 * 2**20  # bytes of a row, as of a file of a bundle: one that is longer is not taken into memory
_ANOTHER = "Name a folder without `sqlite:///`, or an SQLite file."
_FOREIGN = "Do not use the registry: ask whoever gave it to you for an export of it."


def sqlite_engine(path: Path, *, create: bool, timeout_s: float, kept: int) -> Engine:
    """An engine on the file, which is made when it is missing. Raises RegistryError when it cannot be.

    `kept`: so many connections stay open between transactions; any thread may use them, one at a time.
    """
    if create:
        _make(path)
    check_file(path)
    url = URL.create("sqlite", database=sqlite_address(path), query={"uri": "true"} | _mode(path))
    if not kept:
        engine = create_engine(url, poolclass=NullPool, hide_parameters=True, connect_args={"timeout": timeout_s})
        event.listen(engine, "connect", set_up)
        return engine
    engine = create_engine(
        url,
        hide_parameters=True,  # no error quotes a cell
        poolclass=QueuePool,
        pool_size=kept,
        max_overflow=-1,
        pool_use_lifo=True,
        connect_args={"timeout": timeout_s, "check_same_thread": False},
    )

    def on_connect(connection: Any, record: Any) -> None:
        record.info[_FILE] = identity(path)
        set_up(connection)

    def on_checkout(_connection: Any, record: Any, _proxy: Any) -> None:
        if record.info[_FILE] != identity(path):
            raise DisconnectionError  # a file that was removed or replaced is not written to for ever after

    event.listen(engine, "connect", on_connect)
    event.listen(engine, "checkout", on_checkout)
    return engine


def is_writable(path: Path) -> bool:
    """Whether this user may write the file; one that is no file is left to SQLite."""
    return not path.is_file() or os.access(path, os.W_OK)


def begin(connection: Connection, *, writing: bool, synced: bool) -> None:
    """Begin a transaction; one that writes holds the lock from here on. `synced`: it is on the disk when it ends.

    Otherwise that comes with the next one which is, and holds the lock for a tenth of the time: a process that is
    killed loses nothing of it, a machine without power may.
    """
    raw: Any = connection.connection.driver_connection  # the way through SQLAlchemy costs more than the statement
    if writing:
        raw.execute(f"PRAGMA synchronous = {'FULL' if synced else 'NORMAL'}")
    raw.execute("BEGIN IMMEDIATE" if writing else "BEGIN")


def write_ahead(engine: Engine, timeout_s: float) -> None:
    """Switch to write-ahead logging, which the file remembers. SQLite does not wait for locks here; this does."""
    deadline = time.monotonic() + timeout_s
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


def checkpoint(engine: Engine) -> None:
    """Move what the log holds into the file, as far as nobody is in the way. Keeps nobody from reading or writing."""
    raw = engine.raw_connection()
    try:
        raw.cursor().execute("PRAGMA wal_checkpoint(PASSIVE)")
    finally:
        raw.close()


def impatient_connection(path: Path) -> sqlite3.Connection:
    """A connection to a file that is there, for one thread, which waits for no lock and (in a log) for no disk."""
    address = f"{sqlite_address(path)}?mode=rw"
    made = sqlite3.connect(address, timeout=0, uri=True)
    set_up(made)
    made.execute("PRAGMA synchronous = NORMAL")
    made.execute("PRAGMA wal_autocheckpoint = 0")
    return made


def _make(path: Path) -> None:
    try:
        private_folder(path.parent)
        with suppress(FileExistsError):  # made here and not by SQLite, so that only its owner may read it
            os.close(open_for_appending(path, new=True))
    except OSError as error:
        raise RegistryError(
            f"The registry {path} cannot be made: {error.strerror}.", advice="Check the permissions of its folder."
        ) from error


def check_file(path: Path) -> None:
    """Raise RegistryError for what is no file, since opening a pipe has no end; and where another would be deleted."""
    if path.exists() and not path.is_file():
        what = "a folder" if path.is_dir() else "not a regular file"
        raise RegistryError(f"The registry {path} cannot be opened: it is {what}.", advice=_ANOTHER)
    real = path.resolve()  # SQLite looks beside the file that a link leads to
    try:
        named = names_another_file(real)
    except OSError as error:
        raise RegistryError(f"The journal of {path} cannot be read: {error.strerror}.", advice=_FOREIGN) from error
    if named:
        raise RegistryError(f"The journal beside {path} names another file, to be deleted.", advice=_FOREIGN)


def _mode(path: Path) -> dict[str, str]:
    """How to open the file. It is never made by opening it: one that is removed in the middle stays so.

    Where it may not be written, SQLite wants to make a file beside it even for reading, unless it is told that nobody
    changes it. That is believed where no writer has left its log there.
    """
    if is_writable(path):
        return {"mode": "rw"}
    alone = not Path(f"{path.resolve()}-wal").exists()  # SQLite looks beside the file that a link leads to
    return {"mode": "ro"} | ({"immutable": "1"} if alone else {})


def identity(path: Path) -> tuple[int, int] | None:
    """Which file has that name now; None: there is none."""
    with suppress(OSError):
        found = path.stat()
        return found.st_dev, found.st_ino
    return None


def set_up(connection: Any, _record: Any = None) -> None:
    """What holds for every connection."""
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST)
    connection.isolation_level = None  # the driver begins no transaction by itself
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA trusted_schema = OFF")
