"""The exported reader of Parquet files: views are read, and a file that stands for gigabytes is refused first."""

import io
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from orchestrator.registry.export import standalone_parquet
from orchestrator.registry.export.standalone_files import Source

BOMBS = {
    "text": pa.DictionaryArray.from_arrays(pa.array([0] * 5_000, pa.int32()), pa.array(["x" * 1_000_000])),
    "list": pa.ListArray.from_arrays(
        pa.array(range(0, 5_001, 100), pa.int32()),
        pa.DictionaryArray.from_arrays(pa.array([0] * 5_000, pa.int32()), pa.array(["x" * 1_000_000])),
    ),
}


def same(frame: pd.DataFrame) -> pd.DataFrame:
    return frame


def cleaned_bytes(path: Path) -> bytes:
    made = io.BytesIO()
    standalone_parquet.clean_parquet(Source(path), "parquet", same, made)
    return made.getvalue()


def cleaned(column: pa.Array, path: Path) -> pa.Table:
    pq.write_table(pa.table({"a": column}).replace_schema_metadata(None), path, compression="zstd")
    path.write_bytes(cleaned_bytes(path))
    return pq.read_table(path)


@pytest.mark.parametrize("kind", ["text", "list"])
def test_a_bomb_is_refused(kind: str, tmp_path: Path) -> None:
    """Five gigabytes in a few kilobytes: one sentence, before the memory is taken."""
    with pytest.raises(ValueError, match="more than 4,294,967,296 bytes"):
        cleaned(BOMBS[kind], tmp_path / "bomb.parquet")


@pytest.mark.parametrize("kind", [pa.string_view(), pa.binary_view()])
def test_views_come_out_as_views(kind: pa.DataType, tmp_path: Path) -> None:
    """The control: what is small enough is read and written as it was stored."""
    column = pa.array(["x", None, "y"]).cast(pa.binary()).cast(kind) if kind == pa.binary_view() else ["x", None, "y"]
    table = cleaned(pa.array(column, kind), tmp_path / "view.parquet")
    assert table.schema.field("a").type == kind
    assert [v.decode() if isinstance(v, bytes) else v for v in table.column("a").to_pylist()] == ["x", None, "y"]


def test_nested_text_is_counted(tmp_path: Path) -> None:
    """Every text in a list, struct or map counts as if it was stored by itself."""
    column = pa.array([[{"a": "xxx"}, {"a": "yy"}], None, [{"a": None}]])
    path = tmp_path / "nested.parquet"
    pq.write_table(pa.table({"a": column}), path)
    with pq.ParquetFile(path, read_dictionary=["a.list.element.a"]) as file:
        (batch,) = file.iter_batches()
    assert standalone_parquet._text_bytes(batch.column(0)) == 5
