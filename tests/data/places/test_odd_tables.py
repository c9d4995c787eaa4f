"""Names, types and values that one database has and another does not, read from and written to real databases."""

import sqlite3
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from decimal import Decimal
from pathlib import Path
from typing import Any

import psycopg
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from orchestrator.core.errors import OutputError
from orchestrator.data.data_address import location
from orchestrator.data.sources import open_source
from orchestrator.data.targets import check_target, open_target
from tests.support.postgresql import Server, postgresql

__all__ = ["postgresql"]

LONG = "c" * 63


@pytest.fixture(autouse=True)
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Temporary files of this test alone."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))


@pytest.fixture
def url(postgresql: Server) -> str:
    return postgresql.new_database()


def execute(url: str, statement: str) -> list[tuple[Any, ...]]:
    with psycopg.connect(url, autocommit=True) as connection:
        cursor = connection.execute(statement.encode())
        return list(cursor) if cursor.description else []


def copy(source: str | Path, target: str) -> list[str]:
    """Write the rows of one place to another; what was said of it."""
    dataset, said = open_source(source), list[str]()
    with open_target(location(target), like=dataset, schema=dataset.schema, said=said.append) as writer:
        for batch in dataset.read():
            writer.write(batch.table, batch)
    return said


def parquet(folder: Path, column: pa.Array) -> Path:
    pq.write_table(pa.table({"a": column}), folder / "a.parquet")
    return folder / "a.parquet"


def in_sqlite(file: Path) -> list[Any]:
    with closing(sqlite3.connect(file)) as connection:
        return [value for (value,) in connection.execute("SELECT a FROM t")]


@pytest.mark.parametrize("kind", [pa.timestamp("us"), pa.timestamp("s", "UTC"), pa.date32()], ids=str)
def test_times_beyond_the_year_9999_go_into_a_table(url: str, tmp_path: Path, kind: pa.DataType) -> None:
    """In SQLite and PostgreSQL, where Python has no such time."""
    day = pa.array([4_000_000], pa.int32()).cast(pa.date32())
    file = parquet(tmp_path, day.cast(pa.timestamp("s")).cast(kind))
    assert copy(file, f"{url}&table=t") == []
    assert str(execute(url, "SELECT a::text FROM t")[0][0]).startswith("12921-08-18")
    assert copy(file, f"sqlite:///{tmp_path}/a.db?table=t") == []
    assert str(in_sqlite(tmp_path / "a.db")[0]).startswith("12921-08-18")


def test_a_time_of_day_keeps_its_nanoseconds_in_a_table(url: str, tmp_path: Path) -> None:
    """As text, for no database has such a type."""
    file = parquet(tmp_path, pa.array([1, 86_399_999_999_999], pa.time64("ns")))
    copy(file, f"{url}&table=t")
    copy(file, f"sqlite:///{tmp_path}/a.db?table=t")
    assert execute(url, "SELECT a FROM t") == [("00:00:00.000000001",), ("23:59:59.999999999",)]
    assert in_sqlite(tmp_path / "a.db") == ["00:00:00.000000001", "23:59:59.999999999"]


def test_bytes_of_one_length_are_bytes_in_a_table(url: str, tmp_path: Path) -> None:
    """A column of such bytes, for example of UUIDs, was a column of texts that begin with \\x."""
    file = parquet(tmp_path, pa.array([b"a\x00\xff"], pa.binary(3)))
    copy(file, f"{url}&table=t")
    copy(file, f"sqlite:///{tmp_path}/a.db?table=t")
    assert execute(url, "SELECT pg_typeof(a)::text, a FROM t") == [("bytea", b"a\x00\xff")]
    with closing(sqlite3.connect(tmp_path / "a.db")) as connection:
        assert connection.execute("SELECT type FROM pragma_table_info('t')").fetchall() == [("BLOB",)]


def test_a_map_with_a_key_twice_goes_into_a_table(url: str, tmp_path: Path) -> None:
    """As pairs, since an object would lose one of them."""
    file = parquet(tmp_path, pa.array([[("k", 1), ("k", 2)]], pa.map_(pa.string(), pa.int64())))
    copy(file, f"{url}&table=t")
    assert execute(url, "SELECT a::text FROM t") == [('[["k", 1], ["k", 2]]',)]


@pytest.mark.parametrize(
    ("header", "part"),
    [
        (f"{LONG}1", "more than 63 bytes"),
        (f"{LONG}1,{LONG}2", "more than 63 bytes"),
        ("ctid", 'column name "ctid" conflicts'),
        (",".join(f"c{number}" for number in range(1700)), "1600 columns"),
    ],
    ids=["long", "alike", "reserved", "many"],
)
def test_names_that_postgresql_does_not_take_are_refused_before_any_row(
    url: str, tmp_path: Path, header: str, part: str
) -> None:
    """A name that is too long was cut without a word; the others were found when all rows had been cleaned."""
    (tmp_path / "a.csv").write_text(f"{header}\n{','.join('1' for _ in header.split(','))}\n")
    dataset = open_source(tmp_path / "a.csv")
    target = open_target(location(f"{url}&table=t"), like=dataset, schema=dataset.schema)
    with pytest.raises(OutputError, match=part) as caught, target:
        pytest.fail("it was begun")
    assert "write a file" in caught.value.advice
    assert execute(url, "SELECT to_regclass('t')") == [(None,)]


def test_a_table_whose_name_postgresql_would_cut_is_refused(url: str) -> None:
    """Its rows would be found under another name."""
    with pytest.raises(OutputError, match="more than 63 bytes"):
        check_target(location(f"{url}&table={LONG}1"))
    check_target(location(f"{url}&table={LONG}"))


@pytest.mark.parametrize(
    ("table", "header", "part"),
    [("t", "city,City", "duplicate column name: City"), ("sqlite_t", "city,zip", "reserved for internal use")],
)
def test_names_that_sqlite_does_not_take_are_refused_before_any_row(
    tmp_path: Path, table: str, header: str, part: str
) -> None:
    """They were found when all rows had been cleaned."""
    (tmp_path / "a.csv").write_text(f"{header}\n1,2\n")
    dataset = open_source(tmp_path / "a.csv")
    target = open_target(location(f"sqlite:///{tmp_path}/a.db?table={table}"), like=dataset, schema=dataset.schema)
    with pytest.raises(OutputError, match=part) as caught, target:
        pytest.fail("it was begun")
    assert "write a file" in caught.value.advice
    assert not (tmp_path / "a.db").exists()


def test_a_key_with_included_columns_orders_a_table(url: str) -> None:
    """By the key alone: JSON, which it may include, has no order, and the table could not be read."""
    execute(url, "CREATE TABLE t (a int, note json, PRIMARY KEY (a) INCLUDE (note))")
    execute(url, "INSERT INTO t VALUES (2, '{}'), (1, '[]')")
    assert [row["a"] for row in next(open_source(f"{url}&table=t").batches()).to_pylist()] == [1, 2]


def test_a_database_that_may_only_be_read_says_so_of_a_new_table(url: str) -> None:
    """It spoke of a query that would change something."""
    with pytest.raises(OutputError, match="may only be read here") as caught:
        check_target(location(f"{url}&table=t&options=-c%20default_transaction_read_only%3Don"))
    assert "another place" in caught.value.advice


def test_a_query_of_sqlite_may_end_with_a_comment(tmp_path: Path) -> None:
    """As one of PostgreSQL may."""
    with closing(sqlite3.connect(tmp_path / "a.db")) as connection:
        connection.execute("CREATE TABLE t (a)")
    assert open_source(f"sqlite:///{tmp_path}/a.db?query=SELECT 1 AS a -- one").rows == 1


@pytest.mark.parametrize("suffix", [".csv", ".jsonl", ".json"])
def test_a_small_decimal_is_written_in_full(tmp_path: Path, suffix: str) -> None:
    """A nought of `numeric(20,10)` became `0E-10` in files of texts, and a ten-millionth `1E-7`."""
    numbers = ["0.0000000000", "0.0000001000", "12.5000000000"]
    file = parquet(tmp_path, pa.array([*map(Decimal, numbers), None], pa.decimal128(20, 10)))
    copy(file, f"{tmp_path}/out{suffix}")
    (table,) = open_source(tmp_path / f"out{suffix}").batches()
    assert [value or None for value in table["a"].to_pylist()] == [*numbers, None]


@pytest.mark.parametrize(
    ("sql_type", "value"),
    [
        ('"char"', "Male"),
        ("money", "12.345"),
        ("name", "é" * 40),
        ("time(0) with time zone", "03:04:05.6+00"),
        ("interval(0)", "00:00:01.5"),
        ("numeric(5,2)[]", "{1.005}"),
        ("numeric(90,2)", "1.005"),
        ("varchar(3)", "abc  "),
        ("char(3)[]", "{abc,d}"),
    ],
)
def test_a_value_that_the_old_type_would_cut_or_round_makes_its_column_text(
    url: str, sql_type: str, value: str
) -> None:
    """The server took it without an error, and kept `M` of `Male` and `$12.35` of `12.345`."""
    execute(url, f"CREATE TABLE t (a {sql_type}, b {sql_type})")
    execute(url, "INSERT INTO t VALUES (NULL, NULL)")
    dataset = open_source(f"{url}&table=t")
    changed = pa.table({"a": [value, None], "b": pa.array([None, None], pa.string())})
    said = list[str]()
    with open_target(location(f"{url}&table=c"), like=dataset, schema=dataset.schema, said=said.append) as writer:
        writer.write(changed)
    assert execute(url, "SELECT pg_typeof(a)::text, a FROM c ORDER BY a") == [("text", value), ("text", None)]
    assert len(said) == 1
    assert said[0].startswith("'a' is text in the new table")
    types = (
        "SELECT format_type(atttypid, atttypmod) FROM pg_attribute WHERE attrelid = '{}'::regclass AND attname = 'b'"
    )
    assert execute(url, types.format("c")) == execute(url, types.format("t"))


@pytest.mark.parametrize("sql_type", ["timestamp(0)", "timestamptz(0)", "time(0)"])
def test_a_moment_that_the_old_type_would_round_makes_its_column_text(url: str, sql_type: str) -> None:
    """Its fractions of a second were gone."""
    execute(url, f"CREATE TABLE t (a {sql_type})")
    dataset = open_source(f"{url}&table=t")
    moment = pa.array([1_500_000], pa.int64()).cast(dataset.schema.field("a").type)
    for micros, count in ((moment, 1), (pa.array([2_000_000], pa.int64()).cast(moment.type), 0)):
        said = list[str]()
        place = location(f"{url}&table=c{count}")
        with open_target(place, like=dataset, schema=dataset.schema, said=said.append) as writer:
            writer.write(pa.table({"a": micros}))
        assert len(said) == count
    assert ":01.5" in execute(url, "SELECT a FROM c1")[0][0]
    assert execute(url, "SELECT pg_typeof(a)::text FROM c0") == execute(url, f"SELECT '{sql_type}'::regtype::text")


@pytest.mark.parametrize("more", ["table=pg_temp.t", "table=t&options=-c%20search_path%3Dpg_temp,public"])
def test_a_temporary_table_is_refused(url: str, more: str) -> None:
    """It was said to be written, and was gone with the connection."""
    with pytest.raises(OutputError, match="temporary table") as caught:
        check_target(location(f"{url}&{more}"))
    assert "SCHEMA.NAME" in caught.value.advice
    check_target(location(f"{url}&{more.replace('table=t', 'table=public.t').replace('pg_temp.', 'public.')}"))


def test_a_connection_that_breaks_at_the_end_leaves_open_what_is_there(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server had made the table, and the sentence said that nothing was written."""
    real = psycopg.Connection.commit

    def commit(self: psycopg.Connection[Any]) -> None:
        real(self)
        self.close()
        raise psycopg.OperationalError("server closed the connection unexpectedly")

    (tmp_path / "a.csv").write_text("a\n1\n")
    with monkeypatch.context() as patched:
        patched.setattr(psycopg.Connection, "commit", commit)
        with pytest.raises(OutputError, match="not known whether") as caught:
            copy(tmp_path / "a.csv", f"{url}&table=t")
    assert "Look for it" in caught.value.advice
    assert "Nothing was written" not in caught.value.message + caught.value.advice
    assert execute(url, "SELECT a FROM t") == [("1",)]


@pytest.mark.parametrize(
    ("sql_type", "value"),
    [("jsonb", '{"a":1}'), ("uuid", "A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11"), ("inet", "10.0.0.1/32")],
)
def test_a_value_that_the_old_type_only_writes_otherwise_keeps_it(url: str, sql_type: str, value: str) -> None:
    """Nothing of it is lost."""
    execute(url, f"CREATE TABLE t (a {sql_type})")
    dataset = open_source(f"{url}&table=t")
    with open_target(location(f"{url}&table=c"), like=dataset, schema=dataset.schema, said=print) as writer:
        writer.write(pa.table({"a": [value]}))
    assert execute(url, "SELECT pg_typeof(a)::text FROM c") == [(sql_type,)]


def test_a_table_that_another_process_makes_meanwhile_is_there_already(url: str) -> None:
    """The server's own sentence, of an index of its catalogue, helped nobody."""
    with psycopg.connect(url) as other, ThreadPoolExecutor(1) as pool:
        other.execute("CREATE TABLE t (a int)")
        ours = pool.submit(check_target, location(f"{url}&table=t"))
        waiting = "SELECT count(*) FROM pg_locks WHERE NOT granted"
        while not ours.done() and execute(url, waiting) == [(0,)]:
            time.sleep(0.01)
        other.commit()
        with pytest.raises(OutputError, match="has a table of that name already") as caught:
            ours.result()
    assert "new table" in caught.value.advice


def test_an_array_of_texts_is_named_among_what_is_read_as_text(url: str) -> None:
    """It is no text, however long its items may be."""
    execute(url, "CREATE TABLE t (a varchar(3)[], b varchar(3))")
    execute(url, "INSERT INTO t VALUES (NULL, NULL)")
    (note,) = open_source(f"{url}&table=t").notes
    assert note == "'a' (varchar(3)[]) is read as text"
