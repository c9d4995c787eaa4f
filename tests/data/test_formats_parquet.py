"""Parquet: the stored schema survives, and what is no Parquet is said to be none."""

from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from orchestrator.core.errors import DataError
from orchestrator.data.formats import open_dataset, open_writer


def test_schema_and_values_survive(tmp_path: Path) -> None:
    """Every type that a Parquet file can hold comes out as it went in, with the file's own metadata."""
    table = pa.table(
        {
            "small": pa.array([1, None], pa.int16()),
            "money": pa.array([Decimal("1.10"), Decimal("99999999.99")], pa.decimal128(10, 2)),
            "at": pa.array([datetime(2024, 1, 1, tzinfo=UTC), None], pa.timestamp("us", "UTC")),
            "kind": pa.array(["a", "b"]).dictionary_encode(),
            "large": pa.array(["x", None], pa.large_string()),
            "tags": [["x"], None],
            "deep": [{"a": 1}, {"a": None}],
            "raw": pa.array([b"\x00", b""], pa.binary()),
        }
    ).replace_schema_metadata({"owner": "me"})
    pq.write_table(table, tmp_path / "in.parquet")
    dataset = open_dataset(tmp_path / "in.parquet")
    assert dataset.rows == 2
    assert not any(pa.types.is_dictionary(field.type) for field in dataset.schema)
    with open_writer(tmp_path / "out.parquet", like=dataset, schema=dataset.schema) as writer:
        for batch in dataset.read(1):
            writer.write(batch.table, batch)
    got = pq.read_table(tmp_path / "out.parquet")
    assert got.schema.equals(pq.read_schema(tmp_path / "in.parquet"), check_metadata=True)
    assert got.schema.names == table.schema.names
    assert got.to_pydict() == table.to_pydict()


def test_row_groups_are_gathered(tmp_path: Path) -> None:
    """Small batches do not become small row groups."""
    pq.write_table(pa.table({"a": range(10_000)}), tmp_path / "in.parquet", row_group_size=4_000)
    dataset = open_dataset(tmp_path / "in.parquet")
    with open_writer(tmp_path / "out.parquet", like=dataset, schema=dataset.schema) as writer:
        for table in dataset.batches(700):
            writer.write(table)
    stored = pq.ParquetFile(tmp_path / "out.parquet").metadata
    assert [stored.row_group(i).num_rows for i in range(stored.num_row_groups)] == [4_000, 4_000, 2_000]
    assert pq.read_table(tmp_path / "out.parquet").column("a").to_pylist() == list(range(10_000))


def test_pandas_metadata_goes_when_columns_do(tmp_path: Path) -> None:
    """Metadata that describes columns which are no longer there would break readers."""
    table = pa.table({"a": [1], "b": [2]}).replace_schema_metadata({"pandas": "{}", "owner": "me"})
    pq.write_table(table, tmp_path / "in.parquet")
    dataset = open_dataset(tmp_path / "in.parquet")
    with open_writer(tmp_path / "out.parquet", like=dataset, schema=pa.schema([("a", pa.int64())])) as writer:
        writer.write(pa.table({"a": [1]}))
    assert pq.read_schema(tmp_path / "out.parquet").metadata == {b"owner": b"me"}


def test_wrong_files(tmp_path: Path) -> None:
    """Text, a cut file and two columns of one name are refused with a sentence."""
    path = tmp_path / "data.parquet"
    path.write_bytes(b"a,b\n1,2\n")
    with pytest.raises(DataError, match="not a readable Parquet file"):
        open_dataset(path)
    pq.write_table(pa.table({"a": range(1000)}), path)
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(DataError, match="not a readable Parquet file"):
        open_dataset(path)
    pq.write_table(pa.table([pa.array([1]), pa.array([2])], names=["a", "a"]), path)
    with pytest.raises(DataError, match="two columns are called 'a'"):
        open_dataset(path)
