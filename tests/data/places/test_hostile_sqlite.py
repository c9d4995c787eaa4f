"""SQLite files from strangers as data and as targets: what lies beside them and what stands in them harms nothing."""

import os
import signal
import sqlite3
import struct
import threading
import time
from contextlib import closing, suppress
from pathlib import Path

import pytest

from orchestrator.core.errors import DataError, OutputError
from orchestrator.data.data_address import DataAddress, location
from orchestrator.data.databases.new_table import check_new_table
from orchestrator.data.databases.sqlite_rows import sqlite_connection
from orchestrator.data.databases.table_dataset import TableDataset
from orchestrator.data.sources import open_source
from orchestrator.data.targets import open_target

_ENDLESS = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "data.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE t (a TEXT)")
        connection.executemany("INSERT INTO t VALUES (?)", [("x",)] * 50)
        connection.execute(f"CREATE VIEW endless AS {_ENDLESS}")
        connection.commit()
    return path


def address(path: Path, table: str) -> DataAddress:
    made = location(f"sqlite:///{path}?table={table}")
    assert isinstance(made, DataAddress)
    return made


def with_super_journal(database: Path, named: Path) -> None:
    """What a crash in the middle of a transaction over two files leaves, in which the second is any file."""
    data, name, magic = database.read_bytes(), str(named).encode(), bytes.fromhex("d9d505f920a163d7")
    (page,) = struct.unpack(">H", data[16:18])
    journal = (magic + struct.pack(">5I", 0, 0, len(data) // page, 512, page)).ljust(512, b"\0")
    journal += struct.pack(">I", 2**30 // page + 1) + name + struct.pack(">2I", len(name), sum(name)) + magic
    database.with_name(f"{database.name}-journal").write_bytes(journal)


def test_a_view_without_end_can_be_interrupted(file: Path) -> None:
    """SQLite works in C, where Python hears no signal: Ctrl-C did nothing."""

    def interrupt() -> None:
        time.sleep(0.3)
        os.kill(os.getpid(), signal.SIGINT)

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    threading.Thread(target=interrupt).start()
    began = time.monotonic()
    try:
        with pytest.raises(KeyboardInterrupt):
            open_source(address(file, "endless"))
    finally:
        signal.signal(signal.SIGINT, before)
    assert time.monotonic() - began < 20


def test_without_the_handler_a_signal_waits_for_the_end_of_the_query(file: Path) -> None:
    """The control: the same signal, a query that ends after a while, and nobody who gives Python its turn."""
    heard: list[float] = []
    before = signal.signal(signal.SIGALRM, lambda *_: heard.append(time.monotonic()))
    try:
        with closing(sqlite3.connect(file)) as connection:
            began = time.monotonic()
            signal.setitimer(signal.ITIMER_REAL, 0.02)
            connection.execute(f"SELECT count(*) FROM ({_ENDLESS} LIMIT 2000000)").fetchone()  # noqa: S608 - our own
            ended = time.monotonic()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert heard
    assert heard[0] - began > (ended - began) / 2  # only when the query was over


def test_a_pipe_as_its_journal_is_not_waited_for(file: Path) -> None:
    """SQLite opens a journal that is there, and opening a pipe has no end."""
    os.mkfifo(f"{file}-journal")
    with pytest.raises(DataError, match=r"journal of .* cannot be read"):
        open_source(address(file, "t"))
    with pytest.raises(OutputError, match=r"journal of .* cannot be read"):
        check_new_table(address(file, "new"))


def test_a_journal_that_names_another_file_is_not_rolled_back(file: Path, tmp_path: Path) -> None:
    """Neither for reading nor for writing, also through a link; the control deletes what it names."""
    precious = tmp_path / "precious"
    precious.write_text("mine")
    with_super_journal(file, precious)
    (tmp_path / "link.db").symlink_to(file)
    for path in (file, tmp_path / "link.db"):
        with pytest.raises(DataError, match="names another file"):
            open_source(address(path, "t"))
        for mode in ("rw", "rwc"):
            opened = sqlite_connection(address(path, "t"), OutputError, mode=mode)
            with pytest.raises(OutputError, match="names another file"), opened:
                pass
    assert precious.read_text() == "mine"
    with closing(sqlite3.connect(file)) as control, suppress(sqlite3.Error):
        control.execute("SELECT count(*) FROM t").fetchone()
    assert not precious.exists()


@pytest.mark.parametrize(
    "declared",
    [
        "TEXT UNIQUE ON CONFLICT IGNORE",
        "INTEGER PRIMARY KEY",
        "text primary key on conflict replace",
        "TEXT CONSTRAINT c UNIQUE ON CONFLICT IGNORE",
        "TEXT CHECK (a) ",
        "TEXT DEFAULT 1",
        "TEXT NOT NULL ON CONFLICT IGNORE",
        "TEXT REFERENCES other(a) DEFERRABLE",
        "TEXT COLLATE NOCASE",
        "GENERATED ALWAYS AS (b)",
    ],
)
def test_the_name_of_a_type_adds_no_rule_to_a_new_table(tmp_path: Path, declared: str) -> None:
    """Any words may be the name of a type, in quotes. Written without them they left rows out of the result."""
    source, target = tmp_path / "source.db", tmp_path / "target.db"
    rows = [("x",)] * 3 + [(None,)]
    with closing(sqlite3.connect(source)) as connection:
        connection.execute(f'CREATE TABLE t (a "{declared}")')
        connection.executemany("INSERT INTO t VALUES (?)", rows)
        connection.commit()
    data = open_source(address(source, "t"))
    assert isinstance(data, TableDataset)
    assert data.stored[0].sql_type == declared
    said: list[str] = []
    with open_target(address(target, "new"), like=data, schema=data.schema, said=said.append) as writer:
        for batch in data.read():
            writer.write(batch.table, batch)
    assert "'a' is text in the new table" in said[0]
    with closing(sqlite3.connect(target)) as made:
        assert made.execute("SELECT a FROM new").fetchall() == rows
        assert made.execute("SELECT type, \"notnull\", dflt_value, pk FROM pragma_table_info('new')").fetchall() == [
            ("TEXT", 0, None, 0)
        ]
        assert not made.execute("PRAGMA index_list('new')").fetchall()
        assert not made.execute("PRAGMA foreign_key_list('new')").fetchall()
