"""Reads a table or a query of an SQLite file, in one read-only transaction. Called by `table_dataset`.

In SQLite every value has a type of its own, whatever its column says. What a column is read as is what all its values
are; where they are of several types, each is read as its text.
"""

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pyarrow as pa
from sqlalchemy import Connection, create_engine, event
from sqlalchemy.engine import URL
from sqlalchemy.pool import NullPool

from orchestrator.core.errors import CleanroomError, DataError
from orchestrator.data.data_address import DataAddress
from orchestrator.data.databases.sql_trouble import database_errors
from orchestrator.data.databases.sqlite_journal import names_another_file
from orchestrator.data.databases.stored_column import StoredColumn, quoted_name
from orchestrator.data.files import check_readable
from orchestrator.data.formats.parquet.dense_text import MAX_CELL
from orchestrator.data.text import clean_text

_BUSY_S = 10.0
_EXACT = 2**53  # integers up to here are exact as floats
_AT_ONCE = 300  # columns that one query looks at
_STEPS = 1_000_000  # of SQLite's machine, some milliseconds: so often Python gets its turn, and Ctrl-C with it
_FOREIGN = "Do not use the file as it is: ask whoever gave it to you for a copy that was closed."
_KINDS = {"integer": pa.int64(), "real": pa.float64(), "text": pa.string(), "blob": pa.binary()}


@contextmanager
def sqlite_connection(address: DataAddress, error: type[CleanroomError], *, mode: str) -> Iterator[Connection]:
    """A connection to the file, without a transaction yet. `mode`: ro, rw or rwc. Raises `error`."""
    _check_journal(address, error)
    database = f"file:{quote(str(Path(address.database).absolute()))}"
    url = URL.create("sqlite", database=database, query={"uri": "true", "mode": mode})
    with database_errors(address.shown, error):
        engine = create_engine(url, poolclass=NullPool, connect_args={"timeout": _BUSY_S})
        event.listen(engine, "connect", _read_only if mode == "ro" else _set_up)
        with engine.connect() as connection:
            yield connection


@contextmanager
def sqlite_rows(address: DataAddress) -> Iterator[tuple[list[StoredColumn], Callable[[int], Sequence[Any]]]]:
    """The columns, and what fetches the next rows. Raises DataError."""
    check_readable(Path(address.database))
    with sqlite_connection(address, DataError, mode="ro") as connection:
        connection.exec_driver_sql("BEGIN")
        query = address.query.strip().rstrip(";") or _whole_table(connection, address.table)
        declared = _declared(connection, address.table) if address.table else {}
        result = connection.exec_driver_sql(f"SELECT * FROM ({query}\n) LIMIT 0")  # noqa: S608 - the user's own
        names = list(result.keys())
        result.close()
        if len(set(names)) == len(names):  # else the caller refuses them
            kinds = _kinds(connection, query, names, address)
        else:
            kinds = [(pa.string(), False)] * len(names)
        columns = [StoredColumn(name, declared.get(name, ""), *kind) for name, kind in zip(names, kinds, strict=True)]
        result = connection.exec_driver_sql(query)
        yield columns, result.fetchmany


def convert(values: Sequence[Any], column: StoredColumn) -> pa.Array:
    """The values of a column as its type. Raises ValueError or pa.ArrowException for one that it cannot hold."""
    if column.kind == pa.string():
        values = [value if value is None or isinstance(value, str) else repr(value) for value in values]
    elif column.kind == pa.float64():
        values = [None if value is None else float(value) for value in values]
    return pa.array(values, column.kind)


def _check_journal(address: DataAddress, error: type[CleanroomError]) -> None:
    """Raise `error` where SQLite would wait for a pipe without end, or delete another file, before it looks at rows."""
    file = Path(address.database).resolve()  # SQLite looks beside the file that a link leads to
    try:
        named = names_another_file(file)
    except OSError as failed:
        reason = (failed.strerror or str(failed)).lower()
        raise error(f"The journal of {address.shown} cannot be read: {reason}.", advice=_FOREIGN) from failed
    if named:
        raise error(f"The journal beside {address.shown} names another file, to be deleted.", advice=_FOREIGN)


def _read_only(connection: Any, record: Any) -> None:
    _set_up(connection, record)
    connection.execute("PRAGMA query_only = ON")
    connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_CELL)  # a generated column can make gigabytes out of nothing


def _set_up(connection: Any, _record: Any) -> None:
    connection.isolation_level = None  # the driver begins no transaction by itself
    connection.set_progress_handler(_go_on, _STEPS)  # a view may have no end
    connection.execute("PRAGMA trusted_schema = OFF")  # the file may be a stranger's
    connection.execute("PRAGMA cell_size_check = ON")
    connection.execute("PRAGMA synchronous = FULL")


def _go_on() -> int:
    """Called by SQLite while it works. A signal's exception that is raised here makes it give up: SQLITE_INTERRUPT."""
    return 0


def _whole_table(connection: Connection, table: str) -> str:
    """All rows in an order that does not change: that in which they were put in, else by the primary key."""
    found = connection.exec_driver_sql(
        "SELECT type, wr FROM pragma_table_list(?) WHERE schema = 'main'", (table,)
    ).one_or_none()
    ordered = found is not None and found[0] == "table" and not found[1]
    return f"SELECT * FROM {quoted_name(table)}{' ORDER BY rowid' if ordered else ''}"  # noqa: S608 - quoted


def _declared(connection: Connection, table: str) -> dict[str, str]:
    rows = connection.exec_driver_sql("SELECT name, type FROM pragma_table_xinfo(?)", (table,))
    return dict(tuple(row) for row in rows)


def _kinds(
    connection: Connection, query: str, names: list[str], address: DataAddress
) -> list[tuple[pa.DataType, bool]]:
    """What all values of each column are, and whether they are read as texts because they are of several types.

    One pass over the data for some hundred columns.
    """
    kinds: list[tuple[pa.DataType, bool]] = []
    for start in range(0, len(names), _AT_ONCE):
        part = names[start : start + _AT_ONCE]
        asked = [
            f"group_concat(DISTINCT typeof({c})), max(CASE WHEN typeof({c}) = 'integer' THEN {c} END),"
            f" min(CASE WHEN typeof({c}) = 'integer' THEN {c} END)"
            for c in map(quoted_name, part)
        ]
        found = connection.exec_driver_sql(f"SELECT {', '.join(asked)} FROM ({query}\n)").one()  # noqa: S608 - quoted
        for place, name in enumerate(part):
            types, most, least = found[3 * place : 3 * place + 3]
            held = set((types or "").split(",")) - {"null", ""}
            kind = _kind(held, most, least, name, address)
            kinds.append((kind, len(held) > 1 and kind == pa.string()))
    return kinds


def _kind(types: set[str], most: int | None, least: int | None, name: str, address: DataAddress) -> pa.DataType:
    if len(types) == 1:
        return _KINDS[types.pop()]
    if "blob" in types:
        raise DataError(
            f"{address.shown}: the column '{clean_text(name, 80)}' holds bytes in some rows and text in others.",
            advice="Read it as one of them: ?query=SELECT CAST(… AS TEXT) …",
        )
    if types == {"integer", "real"} and -_EXACT <= (least or 0) <= (most or 0) <= _EXACT:
        return pa.float64()
    return pa.string()
