"""Maps what SQLAlchemy, SQLite and psycopg raise to RegistryError, with a sentence and advice. Used around every query.

What the driver says is never shown: it can quote the address, and it speaks the server's language.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import OperationalError, SQLAlchemyError

from orchestrator.core.errors import RegistryError
from orchestrator.data.databases.sql_trouble import REFUSED_LOGIN

_BUSY = ("is locked by another process", "Wait until the other cleanroom is done and try again.")
_FULL = ("cannot be written: the disk is full", "Free some space; nothing was changed.")
_APPEND_ONLY = ("is append-only and refused a change", "Promote a new version or revoke the old one.")
_COLLISION = ("refused a row that contradicts another", "Try again; two promotions may have collided.")
_TOO_LARGE = (
    "takes no value of that size",
    "Shorten the function or its evidence; if it came with one, do not use it.",
)
_UNICODE = ("cannot hold text with broken Unicode", "Remove lone surrogates from the source text.")
_NUL = ("cannot hold text with a null character", "Remove it from the function's docstrings.")
_FILE = "Check the permissions of the file and its folder."
_RIGHTS = (
    "does not give this user the right to do that",
    "Ask its owner; docs/registry.md and docs/service.md say which rights it takes.",
)
_NO_DATABASE = ("is not there: its server has no database of that name", "Make it with `createdb`.")
_LOST = ("cannot be reached any more", "Look with `cleanroom registry list` whether the last change was made.")
_OPTION = (
    "has an option after the question mark that cannot be used",
    "Check its name and its value: they are those of libpq, such as sslmode=require.",
)
_NO_TLS = ("is on a server that has no TLS", "Turn TLS on there, or say another sslmode.")
_UNREACHABLE = (
    "cannot be reached",
    "Check that the server is running, and the host, port, database, user and password.",
)

# Prefix of SQLite's error name → what happened, what to do. The first that matches counts.
_SQLITE: tuple[tuple[str, tuple[str, str]], ...] = (
    ("SQLITE_BUSY", _BUSY),
    ("SQLITE_LOCKED", _BUSY),
    ("SQLITE_FULL", _FULL),
    ("SQLITE_READONLY", ("is read-only", _FILE)),
    ("SQLITE_PERM", ("may not be opened", _FILE)),
    ("SQLITE_AUTH", ("may not be opened", _FILE)),
    (
        "SQLITE_CANTOPEN",
        ("cannot be opened", "Check that it may be read, and that its folder exists and may be written."),
    ),
    ("SQLITE_NOTADB", ("is not an SQLite database", "Name another file, or move this one away.")),
    ("SQLITE_CORRUPT", ("is damaged", "Restore it from a copy, or import a bundle into a new one.")),
    (
        "SQLITE_IOERR",
        ("cannot be read or written: the disk reports an error", "Check the disk and its free space."),
    ),
    ("SQLITE_CONSTRAINT_TRIGGER", _APPEND_ONLY),
    ("SQLITE_CONSTRAINT", _COLLISION),
    ("SQLITE_TOOBIG", _TOO_LARGE),
)

# Prefix of the SQLSTATE that PostgreSQL gives; the first that matches counts.
_POSTGRESQL: tuple[tuple[str, tuple[str, str]], ...] = (
    ("23001", _APPEND_ONLY),
    ("23", _COLLISION),
    ("25006", ("is read-only", "Name the server that may be written, and a user with the right to write.")),
    ("28", REFUSED_LOGIN),
    ("3D000", _NO_DATABASE),
    ("3F000", ("has no schema to keep tables in", "Make it with CREATE SCHEMA.")),
    ("40", _COLLISION),
    ("42501", _RIGHTS),
    ("53100", _FULL),
    ("53300", ("has no connection left", "Wait, or raise max_connections of the server.")),
    ("54", _TOO_LARGE),
    ("55P03", _BUSY),
    ("57", _LOST),
    ("08", _LOST),
    ("22021", _UNICODE),
    ("22P05", _UNICODE),
)

# What the client library says in place of a SQLSTATE, in English as long as the server does.
_CONNECTING: tuple[tuple[str, tuple[str, str]], ...] = (
    ("authentication failed", REFUSED_LOGIN),
    ("no password supplied", REFUSED_LOGIN),
    ("no pg_hba.conf entry", REFUSED_LOGIN),
    ("fatal:  database", _NO_DATABASE),
    ("remaining connection slots", ("has no connection left", "Wait, or raise max_connections of the server.")),
    ("invalid uri query parameter", _OPTION),
    ("invalid connection option", _OPTION),
    ("bad value for", _OPTION),
    ("invalid sslmode value", _OPTION),
    ("does not support ssl", _NO_TLS),
    ("terminating connection", _LOST),
    ("server closed the connection", _LOST),
    ("has been closed unexpectedly", _LOST),
    ("connection is lost", _LOST),
    ("connection is closed", _LOST),
    ("null (0x00)", _NUL),
    ("nul (0x00)", _NUL),
    ("surrogates not allowed", _UNICODE),
)


@contextmanager
def mapped(where: str) -> Iterator[None]:
    """Raise a RegistryError for what the database raises; `where` names the database in the message."""
    try:
        yield
    except (SQLAlchemyError, sqlite3.Error, UnicodeEncodeError) as error:
        what, advice = _explain(error)
        raise RegistryError(f"The registry {where} {what}.", advice=advice) from error


def is_busy(error: sqlite3.Error) -> bool:
    """Whether another connection held the lock."""
    return _sqlite_name(error).startswith(("SQLITE_BUSY", "SQLITE_LOCKED"))


def _explain(error: BaseException) -> tuple[str, str]:
    if isinstance(error, UnicodeEncodeError):
        return _UNICODE
    name = _sqlite_name(error)
    state = getattr(getattr(error, "orig", None), "sqlstate", None) or ""
    said = str(getattr(error, "orig", None) or "").lower()
    for code, cases in ((name, _SQLITE), (state, _POSTGRESQL)):
        for prefix, explained in cases:
            if code.startswith(prefix):
                return explained
    if not name and not state:
        for part, explained in _CONNECTING:
            if part in said:
                return explained
        if isinstance(error, OperationalError) and type(error.orig).__module__.startswith("psycopg"):
            return _UNREACHABLE
    return f"cannot be used: {name or state or type(error).__name__}", "Run `cleanroom doctor`; nothing was changed."


def _sqlite_name(error: BaseException) -> str:
    """SQLite's own name of the error, for example SQLITE_BUSY; empty when it has none."""
    original = getattr(error, "orig", None) or error
    return getattr(original, "sqlite_errorname", None) or ""
