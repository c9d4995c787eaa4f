"""Makes a new table in an SQLite file from rows that are all there, in one transaction. Called by `new_table`.

SQLite turns texts that look like numbers into numbers where the type of a column says so: a column whose values would
not come back as they went in is made a text column.
"""

import re
import sqlite3
from collections.abc import Sequence
from contextlib import closing, suppress
from datetime import date, time
from decimal import Decimal
from pathlib import Path
from typing import Any, Literal

import pyarrow as pa

from orchestrator.core.errors import OutputError
from orchestrator.data.data_address import DataAddress
from orchestrator.data.databases.sqlite_rows import sqlite_connection
from orchestrator.data.databases.stored_column import RowBlocks, StoredColumn, quoted_name
from orchestrator.data.text import clean_text

Affinity = Literal["INTEGER", "TEXT", "BLOB", "REAL", "NUMERIC"]

_TYPE = re.compile(r"[\w ]*(\(\s*[+-]?\w+\s*(,\s*[+-]?\w+\s*)?\))?[\w ]*")
# A quoted name of a type may hold any words. Without the quotes, what stands behind one of these is no type any more:
# TEXT UNIQUE ON CONFLICT IGNORE leaves rows out without an error.
_CONSTRAINT = re.compile(
    r"\b(AS|CHECK|COLLATE|CONSTRAINT|DEFAULT|DEFERRABLE|GENERATED|NOT|NULL|PRIMARY|REFERENCES|UNIQUE)\b", re.IGNORECASE
)
_NUMBER = re.compile(r"\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*", re.IGNORECASE)
_AFFINITIES: tuple[tuple[tuple[str, ...], Affinity], ...] = (  # https://sqlite.org/datatype3.html, section 3.1
    (("INT",), "INTEGER"),
    (("CHAR", "CLOB", "TEXT"), "TEXT"),
    (("BLOB",), "BLOB"),
    (("REAL", "FLOA", "DOUB"), "REAL"),
)


def sqlite_has(address: DataAddress) -> bool:
    """Whether the file has a table of that name. Raises OutputError where it cannot be used.

    What a process that was killed had begun to write there is rolled back.
    """
    file = Path(address.database)
    if file.is_symlink():
        raise OutputError(f"{file} is a link; no table is made behind it.", advice="Name the file itself.")
    if not file.exists():
        if not file.absolute().parent.is_dir():
            raise OutputError(f"{address} cannot be made: there is no folder {file.parent}.", advice="Make it first.")
        return False
    if not file.is_file():  # of a pipe SQLite would wait for the other end, whatever signal comes
        raise OutputError(f"{file} is not a regular file; no table can be made in it.", advice="Name a file.")
    with sqlite_connection(address, OutputError, mode="rw") as connection:
        asked = "SELECT count(*) FROM sqlite_master WHERE lower(name) = lower(?)"
        return bool(connection.exec_driver_sql(asked, (address.table,)).scalar())


def check_sqlite_names(address: DataAddress, names: Sequence[str]) -> None:
    """Raise OutputError where SQLite takes no table of this name with these columns: `a` and `A` are one to it."""
    told = ", ".join(map(quoted_name, names))
    try:
        with closing(sqlite3.connect(":memory:")) as connection:
            connection.execute(f"CREATE TABLE {quoted_name(address.table)} ({told})")
    except sqlite3.Error as failed:
        raise OutputError(
            f"{address.shown} cannot be made: {clean_text(str(failed), 200)}.",
            advice="Give it another name, or write a file.",
        ) from failed


def sqlite_type(kind: pa.DataType) -> str:
    """The type whose values are nearest to those of the rows; TEXT where SQLite has none."""
    if pa.types.is_boolean(kind):
        return "BOOLEAN"
    if pa.types.is_integer(kind) and kind != pa.uint64():
        return "INTEGER"
    if pa.types.is_floating(kind):
        return "REAL"
    is_bytes = pa.types.is_binary(kind) or pa.types.is_large_binary(kind) or pa.types.is_fixed_size_binary(kind)
    return "BLOB" if is_bytes else "TEXT"


def sqlite_table(address: DataAddress, columns: Sequence[StoredColumn], blocks: RowBlocks) -> list[StoredColumn]:
    """Make the table and fill it; the columns that became text. Raises OutputError, and then there is no table."""
    texts = _not_fitting(columns, blocks)
    settled = [(column.name, "TEXT" if column in texts else column.sql_type) for column in columns]
    file = Path(address.database)
    new, done = not file.exists(), False
    try:
        with sqlite_connection(address, OutputError, mode="rwc") as connection:
            connection.exec_driver_sql("BEGIN IMMEDIATE")
            begun = _identity(file)
            told = ", ".join(f"{quoted_name(name)} {sql_type}".rstrip() for name, sql_type in settled)
            connection.exec_driver_sql(f"CREATE TABLE {quoted_name(address.table)} ({told})")
            marks = ", ".join("?" * len(settled))
            insert = f"INSERT INTO {quoted_name(address.table)} VALUES ({marks})"  # noqa: S608 - quoted
            for block in blocks():
                values = [
                    [_bound(value, text=sql_type == "TEXT") for value in column]
                    for column, (_, sql_type) in zip(block, settled, strict=True)
                ]
                connection.exec_driver_sql(insert, list(zip(*values, strict=True)))
            connection.exec_driver_sql("COMMIT")
            if begun is None or _identity(file) != begun:
                told = f"{address.shown} was removed or replaced while it was written."
                raise OutputError(told, advice="Let one process at a time make the file.")
            done = True
    finally:
        if not done:
            _clear(address, new=new)
    return texts


def _clear(address: DataAddress, *, new: bool) -> None:
    """Take away what is left of a transaction that broke off, as far as that is possible.

    Where the disk is full SQLite leaves half a table, and that it is to be rolled back, to whoever opens the file next.
    """
    file = Path(address.database)
    with suppress(OSError, OutputError):
        if Path(f"{file}-journal").exists():
            sqlite_has(address)
        if new and not file.stat().st_size:  # else another process has written its table since
            file.unlink()


def _identity(file: Path) -> tuple[int, int] | None:
    """Which file has this name now; None where none has."""
    try:
        known = file.stat()
    except FileNotFoundError:
        return None
    return known.st_dev, known.st_ino


def affinity_of(sql_type: str) -> Affinity:
    """What SQLite makes of values in a column of the type."""
    if not sql_type:
        return "BLOB"
    upper = sql_type.upper()
    return next((affinity for parts, affinity in _AFFINITIES if any(part in upper for part in parts)), "NUMERIC")


def stays(text: str, affinity: Affinity) -> bool:
    """Whether a text that goes into a column comes back as the same text."""
    if affinity in ("TEXT", "BLOB") or not _NUMBER.fullmatch(text):
        return True
    number = float(text)
    if affinity == "REAL":
        return repr(number) == text
    whole = re.fullmatch(r"-?(0|[1-9]\d*)", text)
    if whole:
        return text != "-0" and -(2**63) <= int(text) < 2**63
    return repr(number) == text and not number.is_integer()


def _not_fitting(columns: Sequence[StoredColumn], blocks: RowBlocks) -> list[StoredColumn]:
    asked = {i: c for i, c in enumerate(columns) if not _is_plain_type(c.sql_type) or _would_lose_numbers(c)}
    unsure = {
        i: c
        for i, c in enumerate(columns)
        if i not in asked and (pa.types.is_floating(c.kind) or sqlite_type(c.kind) == "TEXT") and not _is_text(c)
    }
    found = dict(asked)
    for block in blocks() if unsure else ():
        for place, column in list(unsure.items()):
            if not all(_kept(value, column) for value in block[place]):
                found[place] = unsure.pop(place)
    return [found[place] for place in sorted(found)]


def _would_lose_numbers(column: StoredColumn) -> bool:
    """Whether numbers were read as texts, which no type of the column would make numbers again, nor tell as texts."""
    return column.mixed and affinity_of(column.sql_type) == "BLOB"


def _is_plain_type(sql_type: str) -> bool:
    return bool(_TYPE.fullmatch(sql_type)) and not _CONSTRAINT.search(sql_type)


def _is_text(column: StoredColumn) -> bool:
    return affinity_of(column.sql_type) == "TEXT"


def _kept(value: Any, column: StoredColumn) -> bool:
    if value is None:
        return True
    if isinstance(value, float):
        return value == value  # noqa: PLR0124 - SQLite stores what is no number as NULL
    return stays(_bound(value, text=True), affinity_of(column.sql_type))


def _bound(value: Any, *, text: bool) -> Any:
    """The value as the driver takes it; in a text column as text, for nothing may be rounded."""
    if isinstance(value, Decimal):
        return format(value, "f")
    if isinstance(value, date | time):  # and datetime, with a blank between both
        return str(value)
    if text and isinstance(value, int | float):
        return repr(value)
    return value
