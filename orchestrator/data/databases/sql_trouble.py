"""Maps what SQLAlchemy, psycopg and sqlite3 raise to one sentence about data. Used around every use of a database.

What a driver says of a connection is never shown, for it can quote the address; what a server says of a query is.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from orchestrator.core.errors import CleanroomError, OutputError
from orchestrator.data.text import clean_text

_Said = tuple[str, str]
REFUSED_LOGIN = ("refuses this user or password", "Check both; a password can be in PGPASSWORD or in ~/.pgpass.")
_RIGHTS = ("does not give this user the right to do that", "Ask its owner.")
_NO_DATABASE = ("is not there: its server has no database of that name", "Check the address.")
_LOST = ("cannot be reached any more", "Nothing was written; try again when its server is back.")
_UNREACHABLE = ("cannot be reached", "Check that its server is running, and the host, port, database and user.")
SILENT = "does not answer any more"
_FULL = ("has no space left on its disk", "Nothing was written; free some space.")
_BUSY = ("is locked by another process", "Wait until that is done and try again.")
_CHANGING = ("may only be read, and the query would change something", "Name a query that only reads.")
_READ_ONLY = ("may only be read here", "Ask its owner, or name another place.")
_PARAMETERS = "08P01"  # a query with $1 in it; the connection is as it was
_NAMES = ("42701", "54011")  # a column that is there twice or by itself, such as ctid; too many columns
_NO_SLOT = ("has no connection left", "Wait, or raise max_connections of the server.")
_EXISTS = ("has a table of that name already", "Name a new table; an existing one is never changed.")
_DAMAGED = ("is damaged", "Restore it from a copy.")
_FILE = "Check the permissions of the file and its folder."
_HALF = (
    "is as a program left it that was ended while it wrote",
    "Let SQLite put it in order, which changes the file: `sqlite3 FILE .tables`.",
)

_CODES: tuple[tuple[str, _Said], ...] = (  # prefix of PostgreSQL's SQLSTATE, or of SQLite's name; the first counts
    ("28", REFUSED_LOGIN),
    ("3D000", _NO_DATABASE),
    ("42501", _RIGHTS),
    ("42P07", _EXISTS),
    ("23505", _EXISTS),  # of the server's own catalogue, where two make it at the same time: a new table has no keys
    ("25006", _CHANGING),
    ("53100", _FULL),
    ("53300", _NO_SLOT),
    ("57014", ("cancelled the query", "Ask its owner whether it has a time limit.")),
    ("57", _LOST),
    ("08", _LOST),
    ("55P03", _BUSY),
    ("SQLITE_TOOBIG", ("holds a value of more than 8 MiB", "Leave that column out with ?query=SELECT ….")),
    ("SQLITE_BUSY", _BUSY),
    ("SQLITE_LOCKED", _BUSY),
    ("SQLITE_FULL", _FULL),
    ("SQLITE_READONLY_ROLLBACK", _HALF),
    ("SQLITE_READONLY_RECOVERY", _HALF),
    ("SQLITE_READONLY", _CHANGING),
    ("SQLITE_AUTH", _CHANGING),
    ("SQLITE_CANTOPEN", ("cannot be opened", _FILE)),
    ("SQLITE_PERM", ("cannot be opened", _FILE)),
    ("SQLITE_NOTADB", ("is not an SQLite database", "Check the name of the file.")),
    ("SQLITE_CORRUPT", _DAMAGED),
    ("SQLITE_IOERR", ("cannot be read or written: the disk reports an error", "Check the disk.")),
)
_CODES_OF_OUTPUT = (
    ("25006", _READ_ONLY),
    ("SQLITE_READONLY_ROLLBACK", _HALF),
    ("SQLITE_READONLY_RECOVERY", _HALF),
    ("SQLITE_READONLY", _READ_ONLY),
    *_CODES,
)
_WORDS: tuple[tuple[str, _Said], ...] = (  # what the client library says in place of a code
    (
        SILENT,
        (SILENT, "Nothing was written. See whether its server, or a proxy before it, has stopped; then try again."),
    ),
    ("authentication failed", REFUSED_LOGIN),
    ("no password supplied", REFUSED_LOGIN),
    ("no pg_hba.conf entry", REFUSED_LOGIN),
    ("fatal:  database", _NO_DATABASE),
    ("remaining connection slots", _NO_SLOT),
    ("too many clients", _NO_SLOT),
    ("terminating connection", _LOST),
    ("server closed the connection", _LOST),
    ("closed unexpectedly", _LOST),
    ("connection is lost", _LOST),
    ("connection is closed", _LOST),
    ("could not decode to utf-8", ("holds text that is not UTF-8", "Read it as ?query=SELECT CAST(… AS BLOB) …")),
    ("one statement at a time", ("takes one query, and several were given", "Name a single SELECT.")),
)


@contextmanager
def database_errors(shown: str, error: type[CleanroomError]) -> Iterator[None]:
    """Raise `error` for what a database raises; `shown` names it in the message, without secrets.

    Raises KeyboardInterrupt where a signal has ended a query of SQLite.
    """
    try:
        yield
    except (SQLAlchemyError, sqlite3.Error) as failed:
        if getattr(_original(failed), "sqlite_errorname", "") == "SQLITE_INTERRUPT":
            raise KeyboardInterrupt from failed
        raise _explained(shown, failed, error) from failed
    except Exception as failed:
        if not type(failed).__module__.startswith("psycopg"):
            raise
        raise _explained(shown, failed, error) from failed


def _original(failed: BaseException) -> BaseException:
    """What the driver itself has raised."""
    return failed.orig if isinstance(failed, DBAPIError) and failed.orig is not None else failed


def _explained(shown: str, failed: BaseException, error: type[CleanroomError]) -> CleanroomError:
    original = _original(failed)
    state = getattr(original, "sqlstate", None) or getattr(original, "sqlite_errorname", None) or ""
    for prefix, (what, advice) in _CODES_OF_OUTPUT if error is OutputError else _CODES:
        if state.startswith(prefix) and state != _PARAMETERS:
            return error(f"{shown} {what}.", advice=advice)
    said = str(original)
    for words, (what, advice) in _WORDS:
        if words in said.lower():
            return error(f"{shown} {what}.", advice=advice)
    if state:
        primary = getattr(getattr(original, "diag", None), "message_primary", None) or said
        advice = "Give it another name, or write a file." if state.startswith(_NAMES) else "Check the address."
        return error(f"{shown}: {clean_text(primary, 200)}.", advice=advice)
    kinds = {(kind.__module__.partition(".")[0], kind.__name__) for kind in type(original).__mro__}
    if ("psycopg", "OperationalError") in kinds:
        return error(f"{shown} {_UNREACHABLE[0]}.", advice=_UNREACHABLE[1])
    return error(f"{shown} cannot be used: {clean_text(said, 200)}.", advice="Check the address.")
