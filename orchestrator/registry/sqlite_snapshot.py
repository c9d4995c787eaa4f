"""What an SQLite file holds, taken into memory: a registry is read without leaving a trace. Called by `database`.

SQLite writes when it reads: it makes a log and a lock file beside the file, folds into it what a killed process has
left, and cannot read at all where it may do neither. And tables of an older version have to be changed before they can
be read. Whoever looks at somebody else's file wants none of that to happen to it.

The file itself is read through SQLite: to open and close it in another way takes away the locks that other connections
of this process have on it. What a killed process has left beside it is put together with it in a copy, in a temporary
folder.
"""

import errno
import os
import sqlite3
import stat
import time
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from sqlalchemy import Engine, create_engine, event
from sqlalchemy.pool import NullPool, StaticPool

from orchestrator.registry.registry_names import sqlite_address
from orchestrator.registry.sqlite import set_up

_LARGEST = 64 * 2**20  # it is in memory three times while it is taken
_TRIES = 10
_SETTLED_S = 0.02  # a file system's clock is coarse: what was written just now can be written again at the same time
_BESIDE = ("-wal", "-journal")
_VERSIONS = slice(18, 20)  # of the header: 2 is a file with a log, which memory cannot have; 1 is one without

_State = tuple[tuple[int, int, int] | None, ...]


def snapshot(path: Path) -> bytes | None:
    """The database as of its last transaction. None: it has to be read where it is.

    It is too large for memory, somebody writes all the time, or there is no room for a copy. Raises sqlite3.Error,
    OSError.
    """
    real = path.resolve()  # SQLite looks beside the file that a link leads to
    if not os.access(real, os.R_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    for _ in range(_TRIES):
        before = _state(real)
        if sum(size for _, size, _ in filter(None, before)) > _LARGEST:
            return None
        if all(abs(time.time_ns() - changed) > _SETTLED_S * 1e9 for _, _, changed in filter(None, before)):
            try:
                content = _content(real)
            except (sqlite3.Error, OSError):
                if _state(real) == before:
                    raise
            else:
                if _state(real) == before:
                    return content
        time.sleep(_SETTLED_S)
    return None


def memory_engine(content: bytes) -> Engine:
    """An engine on the database; each connection has a copy of its own, which nothing can be written to."""

    def on_connect(connection: sqlite3.Connection, _record: object) -> None:
        set_up(connection)
        connection.execute("PRAGMA query_only = ON")

    engine = create_engine("sqlite://", creator=lambda: _loaded(content), poolclass=NullPool, hide_parameters=True)
    event.listen(engine, "connect", on_connect)
    return engine


def working_engine(content: bytes) -> Engine:
    """An engine with one connection, on a copy that can be written to: `content_of` is what it holds then."""
    engine = create_engine("sqlite://", creator=lambda: _loaded(content), poolclass=StaticPool, hide_parameters=True)
    event.listen(engine, "connect", lambda connection, _record: set_up(connection))
    return engine


def content_of(engine: Engine) -> bytes:
    """What a `working_engine` holds."""
    with closing(engine.raw_connection()) as connection:
        raw: Any = connection.driver_connection
        return bytes(raw.serialize())


def _state(path: Path) -> _State:
    """Which files are there, and when each was written last."""
    return tuple(_file_state(Path(f"{path}{suffix}")) for suffix in ("", *_BESIDE))


def _file_state(path: Path) -> tuple[int, int, int] | None:
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns


def _content(path: Path) -> bytes | None:
    left = {suffix: data for suffix in _BESIDE if (data := _read(f"{path}{suffix}"))}
    with closing(sqlite3.connect(f"{sqlite_address(path)}?mode=ro&immutable=1", uri=True)) as connection:
        # Whoever was killed while he wrote may have left it shorter than it says: it is taken as it is.
        connection.execute("PRAGMA writable_schema = ON")
        content = _serialized(connection)
    if left:  # by a process that was killed, or one that is at work
        try:
            content = _put_together(path.name, content, left)
        except (OSError, sqlite3.OperationalError):  # a full disk, as a rule; what is damaged is a DatabaseError
            return None
    return content[: _VERSIONS.start] + b"\1\1" + content[_VERSIONS.stop :] if content else content


def _put_together(name: str, content: bytes, beside: dict[str, bytes]) -> bytes:
    """The database of a file with what lies beside it. Raises OSError, sqlite3.Error."""
    with TemporaryDirectory(prefix="cleanroom-registry-") as folder:
        copy = Path(folder, name)
        copy.write_bytes(content)
        for suffix, data in beside.items():
            Path(f"{copy}{suffix}").write_bytes(data)
        with closing(sqlite3.connect(copy)) as connection:
            return _serialized(connection)


def _serialized(connection: sqlite3.Connection) -> bytes:
    (pages,) = connection.execute("PRAGMA page_count").fetchone()
    return connection.serialize() if pages else b""  # an empty database has nothing that could be serialized


def _loaded(content: bytes) -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:", check_same_thread=False)
    if content:
        connection.deserialize(content)
    return connection


def _read(path: str) -> bytes:
    """The bytes of the file; none where it is not there. Raises OSError for a link or a pipe, which nobody follows."""
    try:
        number = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC)
    except FileNotFoundError:
        return b""
    with os.fdopen(number, "rb") as file:
        if not stat.S_ISREG(os.fstat(number).st_mode):
            raise OSError(errno.EINVAL, f"{Path(path).name} is not a file")
        return file.read(_LARGEST)
