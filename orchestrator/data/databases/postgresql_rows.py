"""Reads a table or a query of PostgreSQL: a server-side cursor in one read-only snapshot. Called by `table_dataset`.

Nothing is guessed: what has no exact counterpart among the types of rows is read as the text that the server prints.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import time
from typing import Any

import pyarrow as pa
from sqlalchemy import Connection, Engine, create_engine
from sqlalchemy.engine import make_url
from sqlalchemy.pool import NullPool

from orchestrator.core.errors import CleanroomError, DataError
from orchestrator.data.data_address import DataAddress
from orchestrator.data.databases.connection_defaults import CONNECTION_DEFAULTS
from orchestrator.data.databases.sql_trouble import database_errors
from orchestrator.data.databases.stored_column import StoredColumn, quoted_name

PRINTED = (
    "SET DateStyle = 'ISO, YMD'; SET TimeZone = 'UTC'; SET IntervalStyle = 'postgres'; SET bytea_output = 'hex';"
    "SET extra_float_digits = 1; SET synchronize_seqscans = off"
)
_NATIVE = {  # read as they are
    16: pa.bool_(),
    17: pa.binary(),
    20: pa.int64(),
    21: pa.int16(),
    23: pa.int32(),
    700: pa.float32(),
    701: pa.float64(),
}
_PARSED = {1082: pa.date32(), 1083: pa.time64("us"), 1114: pa.timestamp("us"), 1184: pa.timestamp("us", "UTC")}
_NUMERIC = 1700
_MOST_DIGITS = 76


@contextmanager
def postgresql_connection(address: DataAddress, error: type[CleanroomError]) -> Iterator[Connection]:
    """A connection to the server, without a transaction yet. Raises `error`."""
    with database_errors(address.shown, error):
        engine = _engine(address, error)
        with engine.connect() as connection:
            yield connection


@contextmanager
def postgresql_rows(address: DataAddress) -> Iterator[tuple[list[StoredColumn], Callable[[int], Sequence[Any]]]]:
    """The columns, and what fetches the next rows as the server sends them. Raises DataError."""
    with postgresql_connection(address, DataError) as connection:
        connection.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
        connection.exec_driver_sql(PRINTED)
        query = address.query.strip().rstrip(";") or _whole_table(connection, address.table)
        _print_others(connection)
        streamed = {"stream_results": True, "max_row_buffer": 1}
        result = connection.exec_driver_sql(query.replace("%", "%%"), execution_options=streamed)  # no placeholders
        if result.cursor is None or not result.returns_rows:
            raise DataError(f"{address.shown}: the query gives no rows.", advice="Name a SELECT.")
        columns = [_column(connection, described) for described in result.cursor.description]
        with result:
            yield columns, result.fetchmany


def convert(values: Sequence[Any], column: StoredColumn) -> pa.Array:
    """The values of a column as its type. Raises ValueError or pa.ArrowException for one that it cannot hold."""
    if column.kind == pa.time64("us"):
        return pa.array([None if value is None else time.fromisoformat(value) for value in values], column.kind)
    if pa.types.is_temporal(column.kind) or pa.types.is_decimal(column.kind):
        return pa.array(values, pa.string()).cast(column.kind)
    return pa.array(values, column.kind)


def quoted(table: str) -> str:
    """The name, with its schema where it has one, as SQL takes it."""
    return ".".join(quoted_name(part) for part in table.split(".", 1))


def _engine(address: DataAddress, error: type[CleanroomError]) -> Engine:
    url = make_url(address.full).set(drivername="postgresql+psycopg")
    options = {name: value for name, value in CONNECTION_DEFAULTS.items() if name not in url.query}
    try:
        engine = create_engine(url, poolclass=NullPool, connect_args=options, use_native_hstore=False)
        from orchestrator.data.databases.silent_server import have_patience  # it imports psycopg
    except ImportError as missing:
        raise error(
            "Data in PostgreSQL need psycopg, which is not installed.",
            advice="Install it: pip install 'cleanroom[postgres]'",
        ) from missing
    have_patience(engine)
    return engine


def _whole_table(connection: Connection, table: str) -> str:
    """All rows in an order that does not change: by the primary key, else by where they lie."""
    name = quoted(table)
    found = connection.exec_driver_sql(
        "SELECT c.relkind, (SELECT array_agg(a.attname::text ORDER BY k.place) FROM pg_index i,"
        " unnest(i.indkey::int2[]) WITH ORDINALITY k(number, place), pg_attribute a"
        " WHERE i.indrelid = c.oid AND i.indisprimary AND a.attrelid = c.oid AND a.attnum = k.number"
        " AND k.place <= i.indnkeyatts)"  # what is only included may have no order
        " FROM pg_class c WHERE c.oid = %s::regclass",
        (name,),
    ).one()
    if found[1]:
        order = f" ORDER BY {', '.join(map(quoted_name, found[1]))}"
    else:
        order = " ORDER BY tableoid, ctid" if str(found[0]) in "rmp" else ""
    return f"SELECT * FROM {name}{order}"  # noqa: S608 - quoted


def _print_others(connection: Connection) -> None:
    """Let every type that is not read as it is come as the server prints it: numbers, dates, JSON, arrays."""
    import psycopg
    from psycopg.types.string import TextLoader

    driver: Any = connection.connection.driver_connection
    for known in psycopg.adapters.types:
        for number in {known.oid, known.array_oid} - {0, *_NATIVE}:
            driver.adapters.register_loader(number, TextLoader)


def _column(connection: Connection, described: Any) -> StoredColumn:
    number, name = described.type_code, described.name
    kind = _NATIVE.get(number) or _PARSED.get(number)
    if number == _NUMERIC and described.precision and 0 <= described.scale <= described.precision <= _MOST_DIGITS:
        make = pa.decimal128 if described.precision <= 38 else pa.decimal256
        kind = make(described.precision, described.scale)
    return StoredColumn(name, _sql_type(connection, described), kind or pa.string())


def _sql_type(connection: Connection, described: Any) -> str:
    """What the server calls the type, with its length or its precision."""
    shown: str = described.type_display
    if shown.rstrip("[]").isdigit():  # a type of the database's own
        driver: Any = connection.connection.driver_connection
        return str(driver.execute("SELECT format_type(%s, NULL)", (described.type_code,)).fetchone()[0])
    return shown
