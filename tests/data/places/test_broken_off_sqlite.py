"""SQLite files whose writer was killed, or ran out of disk, as targets and as data; and names that are no files."""

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pyarrow as pa
import pytest

from orchestrator.core.errors import DataError, OutputError
from orchestrator.data.data_address import DataAddress, location
from orchestrator.data.databases.new_table import check_new_table
from orchestrator.data.databases.sqlite_table import sqlite_table
from orchestrator.data.databases.stored_column import StoredColumn
from orchestrator.data.sources import open_source

ROOT = Path(__file__).resolve().parents[3]
COLUMNS = [StoredColumn("a", "TEXT", pa.string())]
KILLED = """
import os, sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("PRAGMA cache_size = 1")
connection.execute("BEGIN IMMEDIATE")
connection.execute("CREATE TABLE half (a TEXT)")
connection.executemany("INSERT INTO half VALUES (?)", [("x" * 1000,)] * 2000)
os._exit(9)
"""
FULL = """
import resource, signal, sys
from pathlib import Path
from orchestrator.core.errors import OutputError
from tests.data.places.test_broken_off_sqlite import COLUMNS, ROWS, address, sqlite_table
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (2**20, 2**20))
try:
    sqlite_table(address(Path(sys.argv[1])), COLUMNS, lambda: ROWS)
except OutputError:
    sys.exit(7)
"""
ROWS = [[["x" * 1000] * 10_000]]


def address(path: Path) -> DataAddress:
    made = location(f"sqlite:///{path}?table=t")
    assert isinstance(made, DataAddress)
    return made


def tables(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as connection:
        return [name for (name,) in connection.execute("SELECT name FROM sqlite_master ORDER BY name")]


@pytest.fixture(params=["new", "older"])
def half(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A file that a process was killed at while it wrote a table; an older one has another table."""
    path = tmp_path / "data.db"
    if request.param == "older":
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("CREATE TABLE kept (a TEXT)")
            connection.commit()
    subprocess.run([sys.executable, "-c", KILLED, str(path)], check=False)
    assert Path(f"{path}-journal").stat().st_size
    return path


def test_the_next_writer_takes_away_what_a_killed_one_has_begun(half: Path) -> None:
    """It was told that the file may only be read, and was to ask its owner: the user."""
    check_new_table(address(half))
    sqlite_table(address(half), COLUMNS, lambda: [[["whole"]]])
    assert not Path(f"{half}-journal").exists()
    assert [name for name in tables(half) if name != "kept"] == ["t"]


def test_a_reader_leaves_it_as_it_is_and_says_what_it_is(half: Path) -> None:
    """It was told that its query would change something."""
    before = half.read_bytes(), Path(f"{half}-journal").read_bytes()
    with pytest.raises(DataError, match="as a program left it that was ended while it wrote"):
        open_source(f"sqlite:///{half}?query=SELECT 1 AS a").rows  # noqa: B018 - opening need not read
    assert (half.read_bytes(), Path(f"{half}-journal").read_bytes()) == before


@pytest.mark.parametrize("older", [False, True])
def test_a_full_disk_leaves_nothing_behind(tmp_path: Path, *, older: bool) -> None:
    """Half a table and its journal stayed, and kept the disk full. Negative control: with more room it is written."""
    path = tmp_path / "data.db"
    if older:
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("CREATE TABLE kept (a TEXT)")
            connection.commit()
    full = subprocess.run([sys.executable, "-c", FULL, str(path)], cwd=ROOT, check=False)
    assert full.returncode == 7
    assert [one.name for one in tmp_path.iterdir()] == (["data.db"] if older else [])
    assert not older or tables(path) == ["kept"]
    sqlite_table(address(path), COLUMNS, lambda: ROWS)
    assert "t" in tables(path)


def test_a_pipe_is_no_place_for_a_table(tmp_path: Path) -> None:
    """SQLite waited for its other end, and no signal ended that."""
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OutputError, match="not a regular file"):
        check_new_table(address(tmp_path / "pipe"))


@pytest.mark.parametrize("there", [False, True])
def test_no_table_is_made_behind_a_link(tmp_path: Path, *, there: bool) -> None:
    """As for files: whoever sent the folder with the link would choose where is written."""
    victim = tmp_path / "victim.db"
    if there:
        sqlite3.connect(victim).close()
    (tmp_path / "link.db").symlink_to(victim)
    with pytest.raises(OutputError, match="is a link"):
        check_new_table(address(tmp_path / "link.db"))
    assert victim.exists() is there
