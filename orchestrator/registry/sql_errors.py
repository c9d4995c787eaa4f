"""Maps SQLAlchemy's and SQLite's exceptions to RegistryError, with a sentence and advice. Used around every query."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import SQLAlchemyError

from orchestrator.core.errors import RegistryError

# Prefix of SQLite's error name → what happened, what to do. The first that matches counts.
_CASES: tuple[tuple[str, str, str], ...] = (
    ("SQLITE_BUSY", "is locked by another process", "Wait until the other cleanroom is done and try again."),
    ("SQLITE_LOCKED", "is locked by another process", "Wait until the other cleanroom is done and try again."),
    ("SQLITE_FULL", "cannot be written: the disk is full", "Free some space; nothing was changed."),
    ("SQLITE_READONLY", "is read-only", "Check the permissions of the file and its folder."),
    ("SQLITE_PERM", "may not be opened", "Check the permissions of the file and its folder."),
    ("SQLITE_AUTH", "may not be opened", "Check the permissions of the file and its folder."),
    ("SQLITE_CANTOPEN", "cannot be opened", "Check that its folder exists and may be written."),
    ("SQLITE_NOTADB", "is not an SQLite database", "Name another file, or move this one away."),
    ("SQLITE_CORRUPT", "is damaged", "Restore it from a copy, or import a bundle into a new one."),
    ("SQLITE_IOERR", "cannot be read or written: the disk reports an error", "Check the disk and its free space."),
    (
        "SQLITE_CONSTRAINT_TRIGGER",
        "is append-only and refused a change",
        "Promote a new version or revoke the old one.",
    ),
    ("SQLITE_CONSTRAINT", "refused a row that contradicts another", "Try again; two promotions may have collided."),
    ("SQLITE_TOOBIG", "refused a value that is too large", "Shorten the function or its evidence."),
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
        return "cannot hold text with broken Unicode", "Remove lone surrogates from the source text."
    name = _sqlite_name(error)
    for prefix, what, advice in _CASES:
        if name.startswith(prefix):
            return what, advice
    return f"cannot be used: {name or type(error).__name__}", "Run `cleanroom doctor`; nothing was changed."


def _sqlite_name(error: BaseException) -> str:
    """SQLite's own name of the error, for example SQLITE_BUSY; empty when it has none."""
    original = getattr(error, "orig", None) or error
    return getattr(original, "sqlite_errorname", None) or ""
