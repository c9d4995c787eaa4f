"""Makes a new table in PostgreSQL from rows that are all there: COPY, in one transaction. Called by `new_table`."""

from collections.abc import Iterable, Sequence
from typing import Any

import pyarrow as pa
from sqlalchemy import Connection, Transaction
from sqlalchemy.exc import DBAPIError

from orchestrator.core.errors import OutputError, OutputUnknown
from orchestrator.data.data_address import DataAddress
from orchestrator.data.databases.postgresql_rows import PRINTED, postgresql_connection, quoted
from orchestrator.data.databases.stored_column import RowBlocks, StoredColumn, quoted_name
from orchestrator.data.text import clean_text

_TYPES = {
    pa.bool_(): "boolean",
    pa.int8(): "smallint",
    pa.int16(): "smallint",
    pa.int32(): "integer",
    pa.int64(): "bigint",
    pa.uint8(): "smallint",
    pa.uint16(): "integer",
    pa.uint32(): "bigint",
    pa.uint64(): "numeric(20)",
    pa.float16(): "real",
    pa.float32(): "real",
    pa.float64(): "double precision",
    pa.binary(): "bytea",
    pa.large_binary(): "bytea",
    pa.date32(): "date",
    pa.date64(): "date",
    pa.time32("s"): "time",
    pa.time32("ms"): "time",
    pa.time64("us"): "time",
}

_ONLY_WRITTEN_OTHERWISE = {"text", "json", "jsonb", "uuid", "inet", "cidr", "macaddr", "macaddr8"}  # and nothing lost


def postgresql_has(address: DataAddress) -> bool:
    """Whether there is a table of that name. Raises OutputError where the database cannot be used, or none can be made.

    It is made and taken back: only so the server says before the work, and not after it, that there is no such schema
    or no right.
    """
    with postgresql_connection(address, OutputError) as connection:
        name = quoted(address.table)
        _check_lengths(connection, address.table.split(".", 1), address)
        if connection.exec_driver_sql("SELECT to_regclass(%s) IS NOT NULL", (name,)).scalar():
            return True
        _try_table(connection, address, "")
        return False


def check_postgresql_names(address: DataAddress, names: Sequence[str]) -> None:
    """Raise OutputError where no table can have these columns: the server says so, of a table that it takes back."""
    with postgresql_connection(address, OutputError) as connection:
        _check_lengths(connection, names, address)
        told = ", ".join(f"{quoted_name(name)} text" for name in names)
        _try_table(connection, address, told)


def _try_table(connection: Connection, address: DataAddress, columns: str) -> None:
    """Make the table and take it back. A temporary one is refused: it is gone with the connection that made it."""
    name = quoted(address.table)
    connection.exec_driver_sql(f"CREATE TABLE {name} ({columns})".replace("%", "%%"), ())
    kept = connection.exec_driver_sql("SELECT relpersistence <> 't' FROM pg_class WHERE oid = %s::regclass", (name,))
    if not kept.scalar():
        raise OutputError(
            f"{address.shown} would be a temporary table, which is gone when cleanroom ends.",
            advice="Name a schema that stays: ?table=SCHEMA.NAME.",
        )
    connection.rollback()


def _check_lengths(connection: Connection, names: Iterable[str], address: DataAddress) -> None:
    """The server cuts names that are too long, without an error."""
    most = int(str(connection.exec_driver_sql("SHOW max_identifier_length").scalar()))
    for name in names:
        if len(name.encode()) > most:
            raise OutputError(
                f"{address.shown} cannot be made: the name '{clean_text(name, 80)}' has more than {most} bytes.",
                advice="Give it a shorter name, or write a file.",
            )


def postgresql_type(kind: pa.DataType) -> str:
    """The type whose values are nearest to those of the rows; text where there is none."""
    if pa.types.is_decimal(kind) and kind.scale >= 0:
        return f"numeric({kind.precision},{kind.scale})"
    if pa.types.is_timestamp(kind) and kind.unit != "ns":
        return "timestamptz" if kind.tz else "timestamp"
    if pa.types.is_nested(kind):
        return "jsonb"
    if pa.types.is_fixed_size_binary(kind):
        return "bytea"
    return _TYPES.get(kind, "text")


def postgresql_table(address: DataAddress, columns: Sequence[StoredColumn], blocks: RowBlocks) -> list[StoredColumn]:
    """Make the table and fill it; the columns that became text. Raises OutputError, and then there is no table.

    Types that cut or round values without an error are tried when the values are there, as they were written.
    """
    with postgresql_connection(address, OutputError) as connection, connection.begin() as transaction:
        connection.exec_driver_sql(f"SET LOCAL client_min_messages = error; {PRINTED}")
        name = quoted(address.table)
        texts = [column for column in columns if not _known(connection, column.sql_type)]
        unsure = [column for column in columns if column not in texts and _may_cut(column)]
        uncut = [c._replace(sql_type=postgresql_type(c.kind)) if c in unsure else c for c in columns]
        try:
            with connection.begin_nested():
                _fill(connection, "TABLE", name, _settled(columns, uncut, texts), blocks())
        except Exception as failed:
            if not _is_data_error(failed):
                raise
            tried = zip(columns, uncut, strict=True)
            texts += [c for i, (c, t) in enumerate(tried) if c not in texts and not _fits(connection, t, i, blocks)]
            _fill(connection, "TABLE", name, _settled(columns, uncut, texts), blocks())
        texts += [column for column in unsure if column not in texts and not _comes_back(connection, name, column)]
        _change_types(connection, name, _settled(unsure, unsure, texts))
        _commit(transaction, address)
    return [column for column in columns if column in texts]


def _commit(transaction: Transaction, address: DataAddress) -> None:
    """Raise OutputUnknown where the connection is lost before the answer: the server may have made the table or not."""
    try:
        transaction.commit()
    except DBAPIError as failed:
        state = getattr(failed.orig, "sqlstate", None)
        if state and not state.startswith(("08", "57")):
            raise
        raise OutputUnknown(
            f"The connection to {address.shown} broke at the very end: it is not known whether the table is there.",
            advice="Look for it: if it is there, it is whole; if not, try again.",
        ) from failed


def _may_cut(column: StoredColumn) -> bool:
    """Whether the type may keep less of a value, without an error: "char", money, name, timestamp(0), …"""
    if pa.types.is_temporal(column.kind):
        return "(" in column.sql_type
    return pa.types.is_string(column.kind) and column.sql_type not in _ONLY_WRITTEN_OTHERWISE


def _comes_back(connection: Connection, table: str, column: StoredColumn) -> bool:
    """Whether the server prints every value of a column as it was written when it has the type."""
    name = quoted_name(column.name)
    typed = f"format('%s', CAST({name} AS {column.sql_type}))"
    asked = f"SELECT FROM {table} WHERE {typed} <> format('%s', {name}) COLLATE \"C\""
    try:
        with connection.begin_nested():
            return not connection.exec_driver_sql(f"SELECT EXISTS ({asked})".replace("%", "%%"), ()).scalar()
    except Exception as failed:
        if not _is_data_error(failed):
            raise
        return False


def _change_types(connection: Connection, table: str, columns: Sequence[tuple[str, str]]) -> None:
    named = [(quoted_name(name), sql_type) for name, sql_type in columns]
    changes = ", ".join(f"ALTER {name} TYPE {sql_type} USING CAST({name} AS {sql_type})" for name, sql_type in named)
    if changes:
        connection.exec_driver_sql(f"ALTER TABLE {table} {changes}".replace("%", "%%"), ())


def _fill(
    connection: Connection, what: str, name: str, columns: Sequence[tuple[str, str]], blocks: Iterable[Any]
) -> None:
    told = ", ".join(f"{quoted_name(column)} {sql_type}" for column, sql_type in columns)
    connection.exec_driver_sql(f"CREATE {what} {name} ({told})".replace("%", "%%"), ())
    driver: Any = connection.connection.driver_connection
    with driver.cursor() as cursor, cursor.copy(f"COPY {name} FROM STDIN") as copy:
        for block in blocks:
            for row in zip(*block, strict=True):
                copy.write_row(row)


def _fits(connection: Connection, column: StoredColumn, place: int, blocks: RowBlocks) -> bool:
    """Whether all values of one column fit its type: tried in a table that goes away again."""
    if column.sql_type == "text":
        return True
    attempt = connection.begin_nested()
    try:
        _fill(connection, "TEMPORARY TABLE", "cleanroom_fits", [("c", column.sql_type)], ([b[place]] for b in blocks()))
    except Exception as failed:
        if not _is_data_error(failed):
            raise
        return False
    finally:
        attempt.rollback()
    return True


def _settled(
    columns: Sequence[StoredColumn], types: Sequence[StoredColumn], texts: Sequence[StoredColumn]
) -> list[tuple[str, str]]:
    """Names and types; `types` are the columns with the types that they get where they are no texts."""
    pairs = zip(columns, types, strict=True)
    return [(column.name, "text" if column in texts else typed.sql_type) for column, typed in pairs]


def _known(connection: Connection, sql_type: str) -> bool:
    """Whether the database has the type: a table may go to another one than it came from."""
    return bool(connection.exec_driver_sql("SELECT to_regtype(%s) IS NOT NULL", (sql_type,)).scalar())


def _is_data_error(failed: Exception) -> bool:
    """Whether a value did not fit its type."""
    original = failed.orig if isinstance(failed, DBAPIError) else failed
    state = getattr(original, "sqlstate", None) or ""
    return state.startswith(("22", "23")) and state != "23505"  # that is another table of the name
