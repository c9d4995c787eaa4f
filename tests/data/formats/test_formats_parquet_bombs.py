"""A small Parquet file that stands for gigabytes is refused before the memory is taken."""

import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from orchestrator.core.errors import DataError
from orchestrator.data.formats import open_dataset

_READ = """
import pathlib, sys, pyarrow.parquet, orchestrator.data.formats as formats
from orchestrator.core.errors import DataError

def peak():
    text = pathlib.Path("/proc/self/status").read_text()
    return int(text.split("VmHWM:")[1].split()[0]) // 1024

dataset = formats.open_dataset(pathlib.Path(sys.argv[1]))
before = peak()
if sys.argv[2] == "dense":  # what reading it without care costs
    dataset.stored.field(0)
    pyarrow.parquet.ParquetFile(dataset.path).read().column(0).cast("string")
else:
    try:
        for _ in dataset.read():
            pass
    except DataError as error:
        print(error.message)
print(peak() - before)
"""


def bomb(path: Path, *, rows: int, size: int, kind: pa.DataType) -> Path:
    """A file with one text, which all rows repeat."""
    text = pa.array(["x" * size]).cast(kind)
    column = pa.DictionaryArray.from_arrays(pa.array([0] * rows, pa.int32()), text)
    table = pa.table({"id": range(rows), "note": column}).replace_schema_metadata(None)
    pq.write_table(table, path, compression="zstd", store_schema=kind != pa.string())
    return path


def read_in_a_process(path: Path, how: str) -> list[str]:
    done = subprocess.run([sys.executable, "-c", _READ, path, how], capture_output=True, text=True, check=True)
    return done.stdout.split("\n")[:-1]


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), pa.binary()])
def test_a_bomb_is_refused_within_64_mib(tmp_path: Path, kind: pa.DataType) -> None:
    """Six gigabytes in a few kilobytes: the sentence names file, column and row."""
    path = bomb(tmp_path / "bomb.parquet", rows=3_000, size=2_000_000, kind=kind)
    assert path.stat().st_size < 16_000
    message, peak = read_in_a_process(path, "bounded")
    assert "bomb.parquet, column 'note', row 1074: " in message
    assert int(peak) < 64


def test_the_measurement_sees_a_small_bomb_go_off(tmp_path: Path) -> None:
    """Positive control: read carelessly, 300 megabytes of repeated text take that much memory."""
    path = bomb(tmp_path / "small.parquet", rows=150, size=2_000_000, kind=pa.string())
    assert int(read_in_a_process(path, "dense")[-1]) > 250


def test_a_text_that_no_other_format_would_take_is_refused(tmp_path: Path) -> None:
    """One cell has the bound that a row has in CSV and JSON Lines."""
    path = bomb(tmp_path / "cell.parquet", rows=2, size=9 * 2**20, kind=pa.string())
    with pytest.raises(DataError, match=r"column 'note', row 1: a text would take 9,437,184 bytes"):
        list(open_dataset(path).read())


def test_long_texts_within_the_bounds_are_read_in_parts(tmp_path: Path) -> None:
    """Repeated texts of 256 MiB together come out whole and in order, a bounded part at a time."""
    path = bomb(tmp_path / "long.parquet", rows=256, size=2**20, kind=pa.string())
    batches = [batch.table for batch in open_dataset(path).read()]
    assert [row for table in batches for row in table.column("id").to_pylist()] == list(range(256))
    assert {len(cell) for table in batches for cell in table.column("note").to_pylist()} == {2**20}
    assert max(table.nbytes for table in batches) < 2 * 32 * 2**20 + 2**20


def test_reading_imports_nothing_late(tmp_path: Path) -> None:
    """A helper of another user cannot enter a folder that is its owner's alone, as where this project may lie."""
    path = bomb(tmp_path / "long.parquet", rows=64, size=2**20, kind=pa.string())
    script = (
        "import json, os, sys; from orchestrator.data.formats.parquet import parquet_reader as reader; reader.warm();"
        "known = set(sys.modules); os.dup2(os.open(sys.argv[1], os.O_RDONLY), 4);"
        "asked = {'path': 'a.parquet', 'group': 0, 'rows': 64, 'first_row': 0};"
        "parts = list(reader.rows(json.dumps(asked).encode())); print(len(parts), sorted(set(sys.modules) - known))"
    )
    done = subprocess.run([sys.executable, "-c", script, str(path)], capture_output=True, text=True, check=True)
    parts, imported = done.stdout.split(maxsplit=1)
    assert int(parts) > 1
    assert imported.strip() == "[]"
