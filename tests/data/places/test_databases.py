"""Tables and queries of databases as data, and new tables, with a real PostgreSQL server and real SQLite files."""

# ruff: noqa: S608 - every name in these statements is the tests' own

import gc
import sqlite3
import tempfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import psycopg
import pyarrow as pa
import pytest

from orchestrator.core.errors import CleanroomError, DataError, OutputError, UsageError
from orchestrator.data.data_address import DataAddress, location
from orchestrator.data.databases import table_dataset
from orchestrator.data.databases.sqlite_table import affinity_of, stays
from orchestrator.data.databases.table_dataset import TableDataset
from orchestrator.data.formats import open_dataset
from orchestrator.data.profile.quality import measure
from orchestrator.data.sources import open_source
from orchestrator.data.spool import RoomMeter
from orchestrator.data.targets import check_target, open_target
from tests.support.postgresql import PASSWORD, Server, postgresql

__all__ = ["postgresql"]

TYPES = """id int PRIMARY KEY, s text, v varchar(5), c char(4), n numeric(10,2), u numeric, big numeric(60,20), i2 int2,
 i8 int8, f4 real, f8 double precision, b boolean, d date, ti time, tz time with time zone, ts timestamp,
 tst timestamptz, iv interval, j json, jb jsonb, uu uuid, a int[], mood mood, ip inet, by bytea, bits bit(3), x xml"""
VALUES = """ 007 |abc|ab|1.50|1.10|12345678901234567890123456789012345678.10000000000000000001|-5|
 9007199254740993|0.1|0.1|
 true|2024-01-02|03:04:05.5|03:04:05+02|2024-01-02 03:04:05.123456|2024-01-02 03:04:05+02|1 day 02:00:00|
 {"a": 1.10, "a": 2}|{"a": 1.10}|00000000-0000-0000-0000-000000000001|{1,NULL,3}|so so|10.0.0.0/8|\\x00ff|101|<a/>"""


@pytest.fixture(autouse=True)
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Temporary files of this test alone."""
    folder = tmp_path / "tmp"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


@pytest.fixture
def url(postgresql: Server) -> str:
    """A database with the table `t`, which has a column of every kind: a row of values, one of nulls, out of order."""
    made = postgresql.new_database()
    values = [value.strip("\n ") if place else value for place, value in enumerate(VALUES.split("|"))]
    with psycopg.connect(made, autocommit=True) as connection:
        connection.execute("CREATE TYPE mood AS ENUM ('so so', 'good')")
        connection.execute(f"CREATE TABLE t ({TYPES})".encode())
        connection.execute("INSERT INTO t (id) VALUES (2)")
        marks = ", ".join(["%s"] * len(values))
        psycopg.ClientCursor(connection).execute(f"INSERT INTO t VALUES (1, {marks})".encode(), values)
    return made


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """An SQLite file with the table `t`."""
    path = tmp_path / "data.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE t (id INTEGER, zip TEXT, price DECIMAL(10,2), day DATE, any, raw BLOB)")
        rows = [
            (2, "00501", 5, "2024-01-02", 1, b"\x00"),
            (1, " x ", 5.5, None, "one", None),
            (2**62, None, None, "so", 1.5, b""),
        ]
        connection.executemany("INSERT INTO t VALUES (?, ?, ?, ?, ?, ?)", rows)
        connection.commit()
    return path


def copy(source: str, target: str, change: Callable[[pa.Table], pa.Table] = lambda table: table) -> list[str]:
    """Write the rows of one place to another; what was said of it."""
    dataset, said = open_source(source), list[str]()
    schema = change(dataset.schema.empty_table()).schema
    with open_target(location(target), like=dataset, schema=schema, said=said.append) as writer:
        for batch in dataset.read():
            writer.write(change(batch.table), batch)
    return said


def as_text(column: str, make: Callable[[object], str]) -> Callable[[pa.Table], pa.Table]:
    """A change of one column to text."""

    def change(table: pa.Table) -> pa.Table:
        values = [None if value is None else make(value) for value in table.column(column).to_pylist()]
        return table.set_column(table.column_names.index(column), column, pa.array(values, pa.string()))

    return change


def dumped(url: str, table: str) -> tuple[list[object], list[object]]:
    """The types and the rows of a table, as the server prints them."""
    with psycopg.connect(url) as connection:
        asked = (
            "SELECT attname::text, format_type(atttypid, atttypmod) FROM pg_attribute"
            " WHERE attrelid = %s::regclass AND attnum > 0 ORDER BY attnum"
        )
        types = list(connection.execute(asked, (table,)))
        return list(types), list(connection.execute(f"SELECT whole::text FROM {table} whole ORDER BY id".encode()))


def sentence(caught: pytest.ExceptionInfo[CleanroomError]) -> str:
    """The message; it is one line, has an advice, and no password in it."""
    error = caught.value
    assert error.advice
    assert "\n" not in error.message
    assert PASSWORD not in error.message + error.advice + repr(error)
    return error.message


def test_postgresql_values_are_what_they_were(url: str) -> None:
    """Texts stay texts, numbers are exact, null is null; what has no counterpart is text, and that is said."""
    dataset = open_source(f"{url}&table=t")
    first, second = next(dataset.batches()).to_pylist()
    assert [first["id"], second["id"]] == [1, 2]  # by the primary key, not as they were put in
    assert set(second.values()) == {2, None}
    assert (first["s"], first["c"], first["u"], first["i8"]) == (" 007 ", "ab  ", "1.10", 9007199254740993)
    assert str(first["n"]) == "1.50"
    assert str(first["big"]) == "12345678901234567890123456789012345678.10000000000000000001"
    assert dataset.schema.field("d").type == pa.date32()
    assert dataset.schema.field("tst").type == pa.timestamp("us", "UTC")
    assert (first["jb"], first["a"], first["mood"], first["by"]) == ('{"a": 1.10}', "{1,NULL,3}", "so so", b"\x00\xff")
    assert "'u' (numeric)" in dataset.notes[0]
    assert PASSWORD not in f"{dataset.place} {dataset.name} {dataset.notes} {dataset!r}"


def test_a_table_that_cannot_be_made_is_refused_before_any_work(url: str) -> None:
    """No such schema, a schema without the right: the server says so at once; a table that can be made is not there."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("CREATE SCHEMA others")
        connection.execute("CREATE ROLE no_maker LOGIN PASSWORD 'x'")
    reader = url.replace(f"owner:{PASSWORD}@", "no_maker:x@")
    for place, part in (
        (f"{url}&table=nowhere.t", "does not exist"),
        (f"{reader}&table=others.t", "the right to do that"),
    ):
        with pytest.raises(OutputError, match=part) as caught:
            check_target(location(place))
        assert sentence(caught)
    check_target(location(f"{url}&table=others.t"))
    with pytest.raises(DataError, match="does not exist"):
        open_source(f"{url}&table=others.t")


def test_a_percent_sign_is_a_character(url: str) -> None:
    """In a query, and in names of tables and columns: the driver takes `%s` for a placeholder."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute('CREATE TABLE "a%b" ("c%s" int PRIMARY KEY, "d%" text)')
        connection.execute("""INSERT INTO "a%b" VALUES (1, 'one'), (2, 'two')""")
    assert open_source(f"""{url}&query=SELECT * FROM "a%25b" WHERE "d%25" LIKE '%25o' AND 4 %25 2 = 0""").rows == 1
    assert copy(f"{url}&table=a%25b", f"{url}&table=x%25y") == []
    copied = next(open_source(f"{url}&table=x%25y").batches()).to_pylist()
    assert copied == [{"c%s": 1, "d%": "one"}, {"c%s": 2, "d%": "two"}]


def test_a_copied_table_has_the_same_types_and_values(url: str) -> None:
    """Whatever nobody touched comes back as it was, every type of it."""
    assert copy(f"{url}&table=t", f"{url}&table=copy") == []
    old_types, old_rows = dumped(url, "t")
    new_types, new_rows = dumped(url, "copy")
    assert new_types == old_types
    assert new_rows == old_rows


def test_a_value_that_does_not_fit_makes_its_column_text(url: str) -> None:
    """Only that column, and it is said; a text that is too long is not cut."""
    said = copy(f"{url}&table=t", f"{url}&table=c", as_text("v", lambda _: "longer than 5"))
    assert said == ["'v' is text in the new table: not every value fits varchar(5)"]
    types, rows = dumped(url, "c")
    assert ("v", "text") in types
    assert ("mood", "mood") in types
    assert "longer than 5" in str(rows[0])


def test_another_database_without_the_type_gets_text(url: str, postgresql: Server) -> None:
    """A type of one database is unknown in the next."""
    other = postgresql.new_database()
    assert copy(f"{url}&table=t", f"{other}&table=t") == ["'mood' is text in the new table: not every value fits mood"]


def test_an_existing_table_is_refused(url: str, file: Path) -> None:
    """Before any work, with advice; and nothing is changed where it comes up in between."""
    before = dumped(url, "t")
    for place in (f"{url}&table=t", f"sqlite:///{file}?table=T"):
        with pytest.raises(UsageError, match="is there already") as caught:
            check_target(location(place))
        assert "new table" in sentence(caught) + caught.value.advice
        with pytest.raises(OutputError) as late:
            copy(f"sqlite:///{file}?table=t", place)
        assert sentence(late)
    assert dumped(url, "t") == before


def test_what_fails_before_the_end_leaves_no_table(url: str, file: Path) -> None:
    """In neither database, and no file."""

    def fails(table: pa.Table) -> pa.Table:
        if table.num_rows:
            raise DataError("Something went wrong later.")
        return table

    new_file = file.with_name("new.db")
    for place in (f"{url}&table=half", f"sqlite:///{file}?table=half", f"sqlite:///{new_file}?table=half"):
        with pytest.raises(DataError, match="later"):
            copy(f"sqlite:///{file}?table=t", place, fails)
        check_target(location(place))
    assert not new_file.exists()


def test_a_server_that_goes_away_is_one_sentence(url: str, postgresql: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """While rows are read: no part of them is taken for the whole."""
    monkeypatch.setattr(table_dataset, "_BLOCK_ROWS", 64)
    name = "test_" + url.rpartition("/test_")[2].partition("?")[0]
    real, calls = RoomMeter.add, list[int]()

    def add(self: RoomMeter, count: int) -> None:
        calls.append(count)
        if len(calls) == 2:
            postgresql.execute(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'")
        real(self, count)

    monkeypatch.setattr(RoomMeter, "add", add)
    with pytest.raises(DataError, match="cannot be reached any more") as caught:
        open_source(f"{url}&query=SELECT generate_series(1, 100000) AS n, repeat('x', 1000) AS text")
    assert sentence(caught)
    assert len(calls) < 10


@pytest.mark.parametrize(
    ("rest", "part"),
    [
        ("&table=nowhere", '"nowhere" does not exist'),
        ('&table=t"; DROP TABLE t; --', "does not exist"),
        ("&query=SELEC 1", "syntax error"),
        ("&query=SELECT 1; DROP TABLE t", "multiple commands"),
        ("&query=DELETE FROM t", "syntax error"),
        ("&query=WITH x AS (DELETE FROM t RETURNING 1) SELECT * FROM x", "."),
        ("&query=SELECT 1 AS a, 2 AS a", "two columns are called 'a'"),
        ("&query=SELECT 'infinity'::date AS d", "row 1, column 'd'"),
        ("&query=SELECT 'NaN'::numeric(5,2) AS n", "row 1, column 'n'"),
        ("&query=SELECT nextval('s')", "may only be read"),
        ("&query=SELECT $1::int", "parameter"),
    ],
)
def test_a_wrong_question_is_one_sentence(url: str, rest: str, part: str) -> None:
    """And nothing is changed by it."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("CREATE SEQUENCE s")
    before = dumped(url, "t")
    with pytest.raises(DataError) as caught:
        open_source(url + rest)
    assert part in sentence(caught)
    assert dumped(url, "t") == before


def test_wrong_logins_and_dead_servers_are_one_sentence(postgresql: Server, tmp_path: Path) -> None:
    """Neither says the password."""
    with pytest.raises(DataError, match="refuses this user or password") as login:
        open_source(f"{postgresql.url(password='x' + PASSWORD)}&table=t")
    assert sentence(login)
    with pytest.raises(DataError, match="cannot be reached") as dead:
        open_source(f"postgresql://u:{PASSWORD}@/d?host={tmp_path}&table=t")
    assert sentence(dead)


def test_the_digest_is_that_of_the_rows(url: str) -> None:
    """The same data have the same one, however they are stored; another value has another."""
    first = open_source(f"{url}&table=t").sha256
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("UPDATE t SET s = s")  # moves every row
        assert open_source(f"{url}&table=public.t").sha256 == first
        connection.execute("UPDATE t SET s = ''  WHERE id = 2")
    assert open_source(f"{url}&table=t").sha256 != first


def test_what_was_read_is_one_moment(url: str) -> None:
    """Changes while it is worked on are not seen, in whatever pass over the rows."""
    dataset = open_source(f"{url}&table=t")
    before = [table.to_pylist() for table in dataset.batches()]
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("DROP TABLE t")
    dataset.check_unchanged()
    assert [table.to_pylist() for table in dataset.batches()] == before


def test_sqlite_values_are_what_they_were(file: Path) -> None:
    """Nothing is guessed: a ZIP code is text, and where rows have several types each is its text."""
    dataset = open_source(f"sqlite:///{file}?table=t")
    table = next(dataset.batches())
    assert table.column("id").to_pylist() == [2, 1, 2**62]
    assert table.column("zip").to_pylist() == ["00501", " x ", None]
    assert table.column("price").to_pylist() == [5.0, 5.5, None]
    assert table.column("any").to_pylist() == ["1", "one", "1.5"]
    assert table.column("raw").to_pylist() == [b"\x00", None, b""]
    assert open_source(f"sqlite:///{file}?query=SELECT id FROM t WHERE zip LIKE '00%25'").rows == 1


def test_all_columns_that_are_read_as_text_are_counted(file: Path) -> None:
    """The note names the first eight of them."""
    for count, more in ((8, ""), (10, " and 2 more")):
        with closing(sqlite3.connect(file)) as connection:
            connection.execute(f"CREATE TABLE many{count} ({', '.join(f'c{n} uuid' for n in range(count))})")
            connection.execute(f"INSERT INTO many{count} VALUES ({', '.join(['?'] * count)})", ["x"] * count)
            connection.commit()
        (note,) = open_source(f"sqlite:///{file}?table=main.many{count}").notes
        assert note.endswith(f"'c7' (uuid){more} are read as text")


def test_a_copied_sqlite_table_is_the_same(file: Path) -> None:
    """Declared types and stored values, into the same file and into a new one."""
    new = file.with_name("new.db")
    for target in (f"sqlite:///{file}?table=copy", f"sqlite:///{new}?table=copy"):
        said = copy(f"sqlite:///{file}?table=t", target)
        assert said == ["'any' is text in the new table: it has no type, and held values of several"]
    columns = "id, zip, price, day, raw, typeof(id), typeof(zip), typeof(price), typeof(raw)"
    with closing(sqlite3.connect(file)) as old, closing(sqlite3.connect(new)) as made:
        rows = old.execute(f"SELECT {columns} FROM t").fetchall()
        for connection in (old, made):
            assert connection.execute(f"SELECT {columns} FROM copy").fetchall() == rows
            types = [row[2] for row in connection.execute("PRAGMA table_info(copy)")]
            assert types == ["INTEGER", "TEXT", "DECIMAL(10,2)", "DATE", "TEXT", "BLOB"]


def test_numbers_and_texts_of_a_column_without_a_type_are_said_to_become_texts(file: Path) -> None:
    """They became texts without a word, in a column that still had no type: each was greater than every number."""
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("CREATE TABLE loose (amount, k, name)")
        connection.executemany("INSERT INTO loose VALUES (?, ?, ?)", [(1.5, 1, "a"), ("n.v.", 2, "b"), (40.0, 3, "c")])
        connection.commit()
    source = f"sqlite:///{file}?table=loose"
    assert open_source(source).notes == ("'amount' (values of several types) is read as text",)
    said = copy(source, f"sqlite:///{file}?table=made")
    assert said == ["'amount' is text in the new table: it has no type, and held values of several"]
    with closing(sqlite3.connect(file)) as connection:
        types = [row[2] for row in connection.execute("PRAGMA table_info(made)")]
        assert types == ["TEXT", "", ""]
        assert connection.execute("SELECT k, typeof(k) FROM made").fetchone() == (1, "integer")


def test_a_table_without_rows_has_no_note_on_types(file: Path) -> None:
    """No value is read as another type where there is none."""
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("CREATE TABLE bare (id INTEGER, day DATE)")
        connection.commit()
    bare = open_source(f"sqlite:///{file}?table=bare")
    assert bare.notes == ()
    with pytest.raises(DataError, match=r"sqlite:///.*bare has columns and no rows"):
        measure(bare)


def test_a_text_that_sqlite_would_turn_into_a_number_stays_text(file: Path) -> None:
    """`007` in a column of numbers would come back as 7: the column is made a text column, and that is said."""
    said = copy(f"sqlite:///{file}?table=t", f"sqlite:///{file}?table=c", as_text("day", lambda _: "007"))
    assert said[0] == "'day' is text in the new table: not every value fits DATE"
    assert [note[:5] for note in said[1:]] == ["'any'"]
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute("SELECT DISTINCT day FROM c WHERE day IS NOT NULL").fetchall() == [("007",)]


@pytest.mark.parametrize("declared", ["INTEGER", "REAL", "DECIMAL(5,2)", "DATE", "TEXT", ""])
def test_what_is_said_to_stay_stays_in_sqlite(declared: str) -> None:
    """Held against SQLite itself, for every affinity."""
    texts = ["7", "007", "-0", "0", "5.0", "5.50", "5.5", " 5", "1e3", "9223372036854775807", "9223372036854775808",
             "x", "", "0x10", "1_000", ".5", "5.", "+5", "-5", "1e999", "NaN", "12345678901234567890.5"]  # fmt: skip
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute(f"CREATE TABLE t (c {declared})")
        for text in texts:
            connection.execute("DELETE FROM t")
            connection.execute("INSERT INTO t VALUES (?)", (text,))
            ((back,),) = connection.execute("SELECT c FROM t")
            said = back if isinstance(back, str) else repr(back)
            if stays(text, affinity_of(declared)):
                assert said == text


@pytest.mark.parametrize(("content", "part"), [(b"", "empty"), (b"no database at all" * 100, "not an SQLite database")])
def test_a_file_that_is_no_database_is_one_sentence(tmp_path: Path, content: bytes, part: str) -> None:
    """Whatever its name says."""
    (tmp_path / "x.db").write_bytes(content)
    with pytest.raises(DataError, match=part) as caught:
        open_source(f"sqlite:///{tmp_path / 'x.db'}?table=t")
    assert sentence(caught)


@pytest.mark.parametrize(
    ("statement", "part"),
    [
        ("INSERT INTO t (raw) VALUES ('text')", "bytes in some rows and text in others"),
        ("UPDATE t SET zip = CAST(X'FF' AS TEXT)", "not UTF-8"),
        ("DROP TABLE t", "no such table"),
        ("UPDATE t SET zip = hex(zeroblob(4200000))", "a value of more than 8 MiB"),
        ("ALTER TABLE t ADD made AS (zeroblob(900000000))", "a value of more than 8 MiB"),
    ],
)
def test_odd_values_in_sqlite_are_one_sentence(file: Path, statement: str, part: str) -> None:
    """It names the column where there is one."""
    with closing(sqlite3.connect(file)) as connection:
        connection.execute(statement)
        connection.commit()
    with pytest.raises(DataError, match=part) as caught:
        open_source(f"sqlite:///{file}?table=t")
    assert sentence(caught)


def test_a_query_of_sqlite_can_change_nothing(file: Path) -> None:
    """Neither this file nor another one."""
    for query in ("DELETE FROM t RETURNING id", "ATTACH 'other.db' AS other", "PRAGMA user_version = 5"):
        with pytest.raises(DataError):
            open_source(f"sqlite:///{file}?query={query}")
    assert open_source(f"sqlite:///{file}?table=t").rows == 3


def test_rows_go_from_any_kind_to_any_other(url: str, file: Path, tmp_path: Path) -> None:
    """A file to a table, a table to a file, one database to the other."""
    (tmp_path / "a.csv").write_text("id,zip\n1,007\n")
    assert copy(str(tmp_path / "a.csv"), f"{url}&table=a") == []
    assert dumped(url, "a") == ([("id", "text"), ("zip", "text")], [("(1,007)",)])
    copy(f"{url}&table=a", f"sqlite:///{file}?table=a")
    copy(f"sqlite:///{file}?table=a", str(tmp_path / "b.csv"))
    assert (tmp_path / "b.csv").read_text() == "id,zip\n1,007\n"
    copy(f"{url}&table=t", str(tmp_path / "t.parquet"))
    assert open_dataset(tmp_path / "t.parquet").schema == open_source(f"{url}&table=t").schema
    copy(str(tmp_path / "t.parquet"), f"{url}&table=back")
    assert ("big", "numeric(60,20)") in dumped(url, "back")[0]


def test_large_rows_come_few_at_a_time(url: str) -> None:
    """Memory is bounded by bytes, not by rows."""
    dataset = open_source(f"{url}&query=SELECT repeat('x', 1000000) AS text FROM generate_series(1, 200)")
    assert isinstance(dataset, TableDataset)
    with pa.OSFile(str(dataset.path)) as kept, pa.ipc.open_stream(kept) as stream:
        assert max(batch.nbytes for batch in stream) < 80 * 2**20


def test_a_full_disk_is_one_sentence(url: str, monkeypatch: pytest.MonkeyPatch, places: Path) -> None:
    """Nothing stays behind."""

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(RoomMeter, "add", full)
    with pytest.raises(DataError, match="no space left") as caught:
        open_source(f"{url}&table=t")
    assert sentence(caught)
    caught.value.__traceback__ = caught.value.__cause__ = None
    del caught
    gc.collect()
    assert list(places.iterdir()) == []


def test_an_encoding_is_refused(file: Path) -> None:
    """A table has none."""
    with pytest.raises(UsageError, match="no format, encoding"):
        open_source(f"sqlite:///{file}?table=t", encoding="cp1252")


def test_a_place_is_an_address(url: str) -> None:
    """What the rest of the program names in messages."""
    assert isinstance(open_source(f"{url}&table=t").place, DataAddress)
