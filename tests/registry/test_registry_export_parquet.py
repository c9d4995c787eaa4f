"""The exported reader of Parquet files: views are read, and a file that stands for gigabytes is refused first."""

import io
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from orchestrator.registry.export import standalone_parquet
from orchestrator.registry.export.standalone_files import Source
from tests.run.apply.test_apply_arrow_types import every_type as all_types
from tests.run.apply.test_apply_arrow_types import printed

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


def every_type(path: Path) -> pa.Table:
    """What Parquet keeps of every type, and of a map to numbers."""
    numbers = pa.array([[("a", 1)], None, [("b", 2), ("c", None)]], pa.map_(pa.string(), pa.int64()))
    pq.write_table(all_types().append_column("to numbers", numbers), path)
    return pq.read_table(path)


@pytest.mark.parametrize("rows", [(0, 1, 2), (0, 2)])
def test_what_nobody_touches_comes_back_bit_for_bit(rows: tuple[int, ...], tmp_path: Path) -> None:
    """Every type, alone, in lists, structs and maps, as `cleanroom apply` writes it, also where rows are dropped."""
    table, made = every_type(tmp_path / "in.parquet"), io.BytesIO()

    def clean(frame: pd.DataFrame) -> pd.DataFrame:
        return frame.copy().iloc[list(rows)].assign(city="new")

    standalone_parquet.clean_parquet(Source(tmp_path / "in.parquet"), "parquet", clean, made)
    result = pq.read_table(pa.BufferReader(made.getvalue()))
    assert result.column("city").to_pylist() == ["new"] * len(rows)
    for name in table.schema.names[1:]:
        wanted = pa.concat_tables([table.select([name]).slice(row, 1) for row in rows]).column(name)
        assert printed(result.column(name)) == printed(wanted), name
        assert result.schema.field(name) == table.schema.field(name)


def test_a_list_that_is_changed_in_its_place_is_written(tmp_path: Path) -> None:
    """A copy of a frame shares its lists with it."""
    kind = pa.map_(pa.string(), pa.int64())
    path, made = tmp_path / "in.parquet", io.BytesIO()
    pq.write_table(pa.table({"a": [["x"], None], "b": pa.array([[("k", 1)], []], kind)}), path)

    def clean(frame: pd.DataFrame) -> pd.DataFrame:
        frame = frame.copy()
        frame["a"].iloc[0].append("y")
        return frame.assign(b=pd.Series([[("k", 2)], []], dtype=object))

    standalone_parquet.clean_parquet(Source(path), "parquet", clean, made)
    result = pq.read_table(pa.BufferReader(made.getvalue()))
    assert result.column("a").to_pylist() == [["x", "y"], None]
    assert result.column("b").to_pylist() == [[("k", 2)], []]
    assert result.schema.field("b").type == kind


def test_nested_text_is_counted(tmp_path: Path) -> None:
    """Every text in a list, struct or map counts as if it was stored by itself."""
    column = pa.array([[{"a": "xxx"}, {"a": "yy"}], None, [{"a": None}]])
    path = tmp_path / "nested.parquet"
    pq.write_table(pa.table({"a": column}), path)
    with pq.ParquetFile(path, read_dictionary=["a.list.element.a"]) as file:
        (batch,) = file.iter_batches()
    assert standalone_parquet._text_bytes(batch.column(0)) == 5
