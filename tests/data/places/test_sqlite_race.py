"""Two processes that write tables into the same new SQLite file: what one has written, the other does not remove."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from orchestrator.core.errors import OutputError
from orchestrator.data.data_address import DataAddress, location
from orchestrator.data.databases import sqlite_table as module
from orchestrator.data.databases.sqlite_rows import sqlite_connection
from orchestrator.data.databases.stored_column import StoredColumn

COLUMNS = [StoredColumn("a", "TEXT", pa.string())]


def address(path: Path) -> DataAddress:
    made = location(f"sqlite:///{path}?table=t")
    assert isinstance(made, DataAddress)
    return made


def write(path: Path) -> None:
    module.sqlite_table(address(path), COLUMNS, lambda: [[["ours"]]])


def test_a_table_that_another_process_has_made_meanwhile_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file was not there when it was looked at, so it was removed with the rows of the other process in it."""
    path = tmp_path / "new.db"

    def other() -> None:
        with closing(sqlite3.connect(path)) as theirs:
            theirs.execute("CREATE TABLE t (a TEXT)")
            theirs.execute("INSERT INTO t VALUES ('theirs')")
            theirs.commit()

    real = sqlite_connection

    @contextmanager
    def late(*arguments: Any, **options: Any) -> Iterator[Any]:
        other()
        with real(*arguments, **options) as made:
            yield made

    monkeypatch.setattr(module, "sqlite_connection", late)
    with pytest.raises(OutputError):
        write(path)
    with closing(sqlite3.connect(path)) as found:
        assert found.execute("SELECT a FROM t").fetchall() == [("theirs",)]


def test_a_file_that_another_process_has_removed_is_no_result(tmp_path: Path) -> None:
    """What is written into a file without a name is lost: it was said to be there."""
    path = tmp_path / "new.db"

    def removed() -> Iterator[Any]:
        path.unlink()
        yield [["ours"]]

    with pytest.raises(OutputError):
        module.sqlite_table(address(path), COLUMNS, removed)


def test_what_failed_leaves_no_empty_file(tmp_path: Path) -> None:
    """Nobody else has written: the file goes."""

    def fails() -> list[Any]:
        raise OutputError("far enough")

    with pytest.raises(OutputError, match="far enough"):
        module.sqlite_table(address(tmp_path / "new.db"), COLUMNS, fails)
    assert not list(tmp_path.iterdir())
    write(tmp_path / "new.db")
    assert (tmp_path / "new.db").stat().st_size
