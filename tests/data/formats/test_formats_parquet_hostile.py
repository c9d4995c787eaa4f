"""Parquet files that lie or that are built to break their reader: a sentence, and bounded memory in this process."""

import io
import random
import struct
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from orchestrator.core.errors import DataError
from orchestrator.data.formats import open_dataset, open_writer
from orchestrator.data.formats.parquet import parquet_dataset

NESTED = {
    "a list": lambda text: pa.array([[text] * 1000] * 20),
    "a struct": lambda text: pa.array([{"inner": [text] * 1000}] * 20),
    "a map": lambda text: pa.array([[("key", text)] * 1000] * 20, pa.map_(pa.string(), pa.string())),
}


def rss() -> int:
    """Bytes that this process has held at most."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(status.split("VmHWM:")[1].split()[0]) * 1024


def stored(path: Path, column: Any) -> Path:
    pq.write_table(pa.table({"id": range(len(column)), "value": column}), path, compression="zstd")
    return path


@pytest.mark.parametrize("kind", NESTED)
def test_text_repeated_in_nested_values_is_refused(kind: str, tmp_path: Path) -> None:
    """Twenty rows of a gigabyte each in a few kilobytes: refused by column and row, and nothing of it held here."""
    small = stored(tmp_path / "small.parquet", NESTED[kind]("x" * 1_000))
    column = pa.concat_arrays([NESTED[kind]("x" * 20_000)])
    path = stored(tmp_path / "bomb.parquet", column)
    assert path.stat().st_size < 200_000
    assert sum(table.num_rows for table in open_dataset(small).batches()) == 20  # the control: smaller ones are read
    before = rss()
    with pytest.raises(DataError, match=r"bomb\.parquet, column 'value', row 1: a nested value would take"):
        list(open_dataset(path).read())
    assert rss() - before < 64 * 2**20


def test_numbers_repeated_in_a_list_are_refused(tmp_path: Path) -> None:
    """A list of thirty million equal numbers is a few kilobytes; as a value it is too large."""
    numbers = pa.ListArray.from_arrays([0, 30_000_000], pa.array(np.full(30_000_000, 7)))
    path = stored(tmp_path / "bomb.parquet", numbers)
    assert path.stat().st_size < 200_000
    before = rss()
    with pytest.raises(DataError, match="a nested value would take 240,000,000 bytes"):
        list(open_dataset(path).read())
    assert rss() - before < 64 * 2**20


@pytest.mark.parametrize("kind", [pa.string_view(), pa.binary_view()])
def test_views_are_read_as_text_and_bounded_like_text(kind: pa.DataType, tmp_path: Path) -> None:
    """A column of views comes back as plain text and is written as it was; a bomb in one is refused."""
    value = "x" if kind == pa.string_view() else b"x"
    path = stored(tmp_path / "views.parquet", pa.array([value, None, value], kind))
    dataset = open_dataset(path)
    (table,) = dataset.batches()
    assert table.column("value").to_pylist() == [value, None, value]
    with open_writer(tmp_path / "out.parquet", like=dataset, schema=table.schema) as writer:
        writer.write(table)
    assert pq.read_schema(tmp_path / "out.parquet").field("value").type == kind
    bomb = stored(tmp_path / "bomb.parquet", pa.array([value * 9_000_000] * 20, kind))
    with pytest.raises(DataError, match="a text would take 9,000,000 bytes"):
        list(open_dataset(bomb).read())


@pytest.mark.parametrize(
    "column",
    [
        pa.array([[{"a": "x", "b": [1, None]}], None, []]),
        pa.array([[("k", "v")], None, []], pa.map_(pa.string(), pa.string())),
        pa.array([["a", "b"], None, ["c", None]], pa.list_(pa.string(), 2)),
        pa.array(["a", "b", "a"]).dictionary_encode(),
        pa.array([b"ab", None, b"cd"], pa.binary(2)),
        pa.array(["{}", None, "[1]"], pa.json_(pa.string())),
        pa.array([b"0" * 16, None, b"1" * 16], pa.uuid()),
    ],
    ids=["nested", "map", "fixed list", "dictionary", "fixed bytes", "json", "uuid"],
)
def test_every_stored_type_survives(column: pa.Array, tmp_path: Path) -> None:
    """Read and written again, the file holds the same values of the same types, with its metadata."""
    path, out = tmp_path / "in.parquet", tmp_path / "out.parquet"
    schema = pa.schema([pa.field("value", column.type, metadata={b"unit": b"m"})], metadata={b"made by": b"a test"})
    pq.write_table(pa.table([column], schema=schema), path)
    dataset = open_dataset(path)
    tables = list(dataset.batches())
    with open_writer(out, like=dataset, schema=dataset.schema) as writer:
        for table in tables:
            writer.write(table)
    before, after = pq.read_table(path), pq.read_table(out)
    assert after.equals(before)
    assert after.schema.metadata == {b"made by": b"a test"}
    assert after.schema.field("value").type == before.schema.field("value").type


def test_dictionaries_in_lists_are_read_as_text(tmp_path: Path) -> None:
    """The file's own schema may have dictionaries inside of nested types; rows have plain values."""
    words = pa.DictionaryArray.from_arrays(pa.array([0, 1, 0], pa.int32()), pa.array(["a", "b"]))
    path = stored(tmp_path / "in.parquet", pa.ListArray.from_arrays(pa.array([0, 2, 3], pa.int32()), words))
    (table,) = open_dataset(path).batches()
    assert table.column("value").to_pylist() == [["a", "b"], ["a"]]
    assert table.schema.field("value").type.value_type == pa.string()


def _thrift_lie(data: bytes, rows: int, claimed: int) -> bytes:
    """The same file whose footer says another number of rows, where it says it as a whole."""
    (size,) = struct.unpack_from("<I", data, len(data) - 8)
    footer = data[-8 - size : -8]
    old, new = bytes([0x16, 2 * rows]), bytes([0x16, 2 * claimed])  # field of an i64, zigzag
    assert old in footer
    return data[: -8 - size] + footer.replace(old, new, 1) + data[-8:]


def test_a_footer_that_lies_is_refused(tmp_path: Path) -> None:
    """Another number of rows than the row groups say: one sentence."""
    sink = io.BytesIO()
    pq.write_table(pa.table({"a": list(range(50))}), sink)
    path = tmp_path / "lie.parquet"
    path.write_bytes(sink.getvalue())
    assert sum(table.num_rows for table in open_dataset(path).batches()) == 50
    path.write_bytes(_thrift_lie(sink.getvalue(), 50, 60))
    with pytest.raises(DataError, match=r"60 rows, and its row groups say 50|claims"):
        list(open_dataset(path).batches())


def test_damaged_files_end_in_a_sentence(tmp_path: Path) -> None:
    """Any bytes changed anywhere: the rows, or DataError; never a crash of this process."""
    draw = random.Random(5)  # noqa: S311 - a test must do the same every time
    sink = io.BytesIO()
    columns = {"text": ["a", "bb", None] * 40, "list": [[1, 2], None, []] * 40, "number": [1.5, None, 2.0] * 40}
    pq.write_table(pa.table(columns), sink, compression="zstd")
    refused = 0
    for _ in range(40):
        damaged = bytearray(sink.getvalue())
        for _ in range(draw.randint(1, 8)):
            damaged[draw.randrange(4, len(damaged) - 8)] ^= 1 << draw.randrange(8)
        path = tmp_path / "damaged.parquet"
        path.write_bytes(damaged)
        with suppress(DataError):
            refused += 1
            list(open_dataset(path).batches())
            refused -= 1
    assert refused > 10


def test_a_reader_that_was_taken_over_is_not_believed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables of other types, other numbers of rows, words that are no table: DataError, with the text made safe."""
    path = stored(tmp_path / "file.parquet", pa.array(["a"]))
    said = open_dataset(path)
    for part in (b"", b"T", b"Tgarbage", b"F[]", b'F["\\u001b[31mred", 7]', b"X"):
        monkeypatch.setattr(said, "_asked", lambda *_, part=part: iter([part]))
        with pytest.raises(DataError) as caught:
            list(said.batches())
        assert "\x1b" not in caught.value.message
    for answer in (b"", b"[]", b"{}", b'{"schema": {}, "groups": [-1], "compression": "x"}', b'{"fault": 3}'):
        monkeypatch.setattr(parquet_dataset.ParquetDataset, "_asked", lambda *_, answer=answer: iter([answer]))
        with pytest.raises(DataError):
            open_dataset(path)
