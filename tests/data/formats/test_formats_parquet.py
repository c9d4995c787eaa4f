"""Parquet: the stored schema survives, and what is no Parquet is said to be none."""

import io
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from orchestrator.core.errors import DataError
from orchestrator.data.formats import open_dataset, open_writer
from orchestrator.registry.export.standalone_files import Source
from orchestrator.registry.export.standalone_parquet import clean_parquet


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
    """Text and a cut file are refused with a sentence."""
    path = tmp_path / "data.parquet"
    path.write_bytes(b"a,b\n1,2\n")
    with pytest.raises(DataError, match="not a readable Parquet file"):
        open_dataset(path)
    pq.write_table(pa.table({"a": range(1000)}), path)
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(DataError, match="not a readable Parquet file"):
        open_dataset(path)


def test_columns_of_one_name_are_read_under_names_of_their_own(tmp_path: Path) -> None:
    """As in CSV: said, changed each for itself, and written back under the names that they had."""
    path, out = tmp_path / "data.parquet", tmp_path / "out.parquet"
    kinds = pa.schema([("a", pa.int16()), ("", pa.string()), ("a", pa.dictionary(pa.int8(), pa.string()))])
    pq.write_table(pa.table([[1], ["x"], pa.array(["y"]).dictionary_encode().cast(kinds.types[2])], schema=kinds), path)
    dataset = open_dataset(path)
    assert dataset.columns == ("a", "Unnamed: 1", "a.1")
    assert dataset.notes[0].startswith("column 2 has no name and is read as 'Unnamed: 1', column 3 is a second 'a'")
    with open_writer(out, like=dataset, schema=dataset.schema) as writer:
        for table in dataset.batches():
            writer.write(table.set_column(2, "a.1", pa.array(["z"])))
    with pq.ParquetFile(out) as file:
        got = file.read()
    assert got.schema.equals(kinds)
    assert [column.to_pylist() for column in got.columns] == [[1], ["x"], ["z"]]
    made = io.BytesIO()
    clean_parquet(Source(path), "parquet", lambda frame: frame.assign(**{"a.1": frame["a.1"] + "!"}), made)
    with pq.ParquetFile(pa.BufferReader(made.getvalue())) as file:
        again = file.read()
    assert again.schema.equals(kinds)
    assert [column.to_pylist() for column in again.columns] == [[1], ["x"], ["y!"]]


@pytest.mark.parametrize("kind", ["csv", "tsv", "jsonl", "json"])
def test_bytes_are_written_as_base64_in_a_format_of_texts(tmp_path: Path, kind: str) -> None:
    """All alike, whether they happen to be text or not, and inside of lists and objects, too: never Python's b'...'."""
    columns = {"raw": pa.array([b"\xff", None]), "same": pa.array([b"ab", b"cd"], pa.binary(2)), "in": [[b"x"], None]}
    pq.write_table(pa.table(columns), tmp_path / "in.parquet")
    dataset = open_dataset(tmp_path / "in.parquet")
    with open_writer(tmp_path / f"out.{kind}", like=dataset, schema=dataset.schema) as writer:
        for batch in dataset.read():
            writer.write(batch.table, batch)
    first = next(open_dataset(tmp_path / f"out.{kind}").batches()).to_pylist()[0]
    assert first == {"raw": "/w==", "same": "YWI=", "in": '["eA=="]'}
