"""A file that goes, or becomes another one, while it is read: that is said, and nothing else is blamed for it."""

import errno
import gzip
import os
import time
from collections.abc import Callable
from pathlib import Path

import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from orchestrator.core.errors import DataError
from orchestrator.data.files import atomic_file
from orchestrator.data.formats import Dataset, open_dataset, open_writer, packed
from orchestrator.data.formats.excel import excel_dataset
from orchestrator.data.raw_file import RawFile

CHANGED = r"has changed while cleanroom worked on it"
ROWS = 40


def _workbook(path: Path) -> None:
    book = openpyxl.Workbook()
    for row in [["a", "b"], *([str(i), "x"] for i in range(ROWS))]:
        book.active.append(row)
    book.save(path)


MAKE: dict[str, Callable[[Path], object]] = {
    "in.csv": lambda path: path.write_text("a,b\n" + "1,x\n" * ROWS),
    "in.jsonl": lambda path: path.write_text('{"a": 1, "b": "x"}\n' * ROWS),
    "in.json": lambda path: path.write_text("[" + ",\n".join(['{"a": 1, "b": "x"}'] * ROWS) + "]"),
    "in.md": lambda path: path.write_text("A letter.\n\n" * ROWS),
    "in.parquet": lambda path: pq.write_table(pa.table({"a": list(range(ROWS))}), path, row_group_size=10),
    "in.xlsx": _workbook,
}
DISTURB: dict[str, Callable[[Path], object]] = {
    "goes": Path.unlink,
    "is cut": lambda path: os.truncate(path, path.stat().st_size // 2 + 1),
    "is replaced": lambda path: (
        path.with_name("new").write_bytes(b"\xff\0{" * 9),
        path.with_name("new").replace(path),
    ),
}


def _copy(dataset: Dataset, target: Path, disturb: Callable[[], object]) -> None:
    """As `apply` does: the first rows are written, then something happens to the file, then the others are."""
    with open_writer(target, like=dataset, schema=dataset.schema) as writer:
        _ = dataset.sha256
        disturb()
        for batch in dataset.read(7):
            writer.write(batch.table, batch)
        dataset.check_unchanged()


@pytest.mark.parametrize("how", DISTURB)
@pytest.mark.parametrize("name", MAKE)
def test_what_happens_to_a_file_before_it_is_read_again_is_said(tmp_path: Path, name: str, how: str) -> None:
    """Every format reads its file more than once; the output is not blamed, and is not there."""
    MAKE[name](tmp_path / name)
    dataset = open_dataset(tmp_path / name)
    with pytest.raises(DataError, match=rf"{name} {CHANGED}"):
        _copy(dataset, tmp_path / f"out{Path(name).suffix}", lambda: DISTURB[how](tmp_path / name))
    assert not list(tmp_path.glob("*out*"))


@pytest.mark.parametrize("how", DISTURB)
@pytest.mark.parametrize("name", MAKE)
def test_what_happens_to_a_file_between_two_batches_is_said(tmp_path: Path, name: str, how: str) -> None:
    """What is open may be read to its end: then the look at the end says it. No row is blamed for it."""
    MAKE[name](tmp_path / name)
    dataset = open_dataset(tmp_path / name)
    _ = dataset.sha256
    batches = dataset.read(7)
    next(batches)
    DISTURB[how](tmp_path / name)

    def go_on() -> None:
        list(batches)
        dataset.check_unchanged()

    with pytest.raises(DataError, match=rf"{name} {CHANGED}"):
        go_on()


def test_a_workbook_that_is_replaced_before_its_first_look_is_over_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The process that reads workbooks complains of what it was given; the file is looked at first."""
    _workbook(tmp_path / "in.xlsx")
    known = excel_dataset.asked

    def meanwhile(dataset: Dataset, *request: object) -> object:
        os.truncate(dataset.path, 100)
        return known(dataset, *request)  # type: ignore[arg-type]

    monkeypatch.setattr(excel_dataset, "asked", meanwhile)
    with pytest.raises(DataError, match=rf"in.xlsx {CHANGED}"):
        open_dataset(tmp_path / "in.xlsx")


@pytest.mark.parametrize("how", ["goes", "is cut"])
def test_a_packed_file_that_changes_before_it_is_unpacked_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    """Neither the packing nor the folder for temporary files is blamed."""
    path = tmp_path / "in.csv.gz"
    path.write_bytes(gzip.compress(b"a,b\n" + b"1,x\n" * ROWS))
    known = packed._parts  # between the hash and the content

    def meanwhile(*where: object) -> object:
        DISTURB[how](path)
        return known(*where)  # type: ignore[arg-type]

    monkeypatch.setattr(packed, "_parts", meanwhile)
    with pytest.raises(DataError, match=rf"in.csv.gz {CHANGED}"):
        open_dataset(path)


def test_a_file_that_was_bad_from_the_start_is_blamed(tmp_path: Path) -> None:
    """The negative control: nothing has happened to it."""
    (tmp_path / "in.jsonl").write_text('{"a": 1}\n{"a": \n')
    with pytest.raises(DataError, match="line 2: not a JSON object"):
        open_dataset(tmp_path / "in.jsonl")


def test_only_the_writing_of_an_output_is_blamed_on_it(tmp_path: Path) -> None:
    """What is raised of another file while one is written stays what it is."""

    def read_another() -> None:
        with atomic_file(tmp_path / "out.csv"):
            raise OSError(errno.EIO, "Input/output error", "in.csv")

    with pytest.raises(OSError, match=r"in\.csv"):
        read_another()


@pytest.mark.parametrize("name", MAKE)
def test_a_file_that_is_written_over_and_put_back_is_not_what_was_read(tmp_path: Path, name: str) -> None:
    """Its hash was right before and after, and rows in between were somebody else's; its time was put back as well."""
    path = tmp_path / name
    MAKE[name](path)
    dataset = open_dataset(path)
    raw = RawFile(path, path)
    _ = dataset.sha256, raw.sha256
    dataset.check_unchanged()
    raw.check_unchanged()
    before, status = path.read_bytes(), path.stat()
    time.sleep(0.02)  # the clock of a file system has ticks
    with path.open("r+b") as file:
        file.write(before[::-1])
    path.write_bytes(before)
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    for one in (dataset, raw):
        with pytest.raises(DataError, match=CHANGED):
            one.check_unchanged()
