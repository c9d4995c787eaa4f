"""Record tables: nothing is lost between JSON and the table, and hostile lines are refused."""

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from orchestrator.core.errors import DataError
from orchestrator.data.formats import open_dataset
from orchestrator.data.hostile.hostile_output import HostileOutput
from orchestrator.data.record_rows import RecordDataset, aligned, as_rows
from orchestrator.data.record_tables import (
    MARK,
    LinesReader,
    cell_of,
    from_table,
    is_records,
    kind_of,
    lines_of,
    records_of,
    row_of,
    table_of,
)

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=5) | st.just(MARK) | st.just(f"{MARK}1")
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)
RECORDS = st.lists(st.dictionaries(TEXTS, VALUES, max_size=4), max_size=5)


def table(records: list[dict[str, Any]]) -> pa.Table:
    return table_of([row_of(record) for record in records], dict.fromkeys(key for record in records for key in record))


def exact(value: Any) -> str:
    """A text in which 1, 1.0, True and "1" differ, and so do 0.0 and -0.0; top-level keys in no order."""
    return repr(sorted(value.items())) if isinstance(value, dict) else repr(value)


@given(RECORDS.filter(any))
def test_records_come_back_as_they_were(records: list[dict[str, Any]]) -> None:
    """Through the table, through JSON Lines, and through the reader of hostile lines: the very same values."""
    made = table(records)
    assert list(map(exact, records_of(made))) == list(map(exact, records))
    lines = lines_of(made)
    assert [exact(json.loads(line)) for line in lines.decode().split("\n")] == list(map(exact, records))
    reader = LinesReader()
    assert table_of(reader.rows(lines, len(records)), made.column_names).equals(made)


def test_values_that_python_takes_for_equal_have_different_cells() -> None:
    """One as integer, float, text and True, a null, a missing key and a marked text are seven different cells."""
    values: list[dict[str, Any]] = [{"a": 1}, {"a": 1.0}, {"a": "1"}, {"a": True}, {"a": None}, {}, {"a": f"{MARK}1"}]
    cells = table([{"a": 0}, *values])["a"].to_pylist()[1:]
    assert len(set(cells)) == 7
    assert [kind_of(cell) for cell in cells] == ["int", "float", "text", "bool", "null", "absent", "text"]


@pytest.mark.parametrize(
    "line",
    [
        b"[]",
        b'"text"',
        b'{"a": NaN}',
        b'{"a": 1e999}',
        b'{"a": 1, "a": 2}',
        b'{"a": {"b": 1, "b": 2}}',
        b'{"a": "\\ud800"}',
        b'{"\\ud800": 1}',
        b'{"a": "\xff"}',
        b'{"a": ' + b"[" * 200 + b"]" * 200 + b"}",
        b'{"a": ' + b"[" * 100_000,
        b'{"a": ' + b"9" * 5000 + b"}",
        b"{",
        b'{"a": 1} {"b": 2}',
        b"{" + b",".join(b'"%d":1' % n for n in range(3000)) + b"}",
    ],
)
def test_hostile_lines_are_refused(line: bytes) -> None:
    """Whatever a JSON writer of ours would not write is hostile output, not a record and not a crash."""
    with pytest.raises(HostileOutput):
        LinesReader().rows(line, 1)


def test_another_number_of_records_is_refused() -> None:
    """As many records must come out as went in."""
    with pytest.raises(HostileOutput, match="2 records went in and 1 came out"):
        LinesReader().rows(b"{}", 2)


def test_tables_become_records() -> None:
    """Cells of a table become the values that JSON has for them; dates and NaN, which it has not, are refused."""
    made = from_table(pa.table({"s": ["a", None], "n": [1, 2], "f": [1.0, None], "l": [[1], None]}))
    assert is_records(made)
    assert records_of(made) == [{"s": "a", "n": 1, "f": 1.0, "l": [1]}, {"s": None, "n": 2, "f": None, "l": None}]
    with pytest.raises(ValueError, match="NaN"):
        from_table(pa.table({"f": [float("nan")]}))
    with pytest.raises(ValueError, match="date32"):
        from_table(pa.table({"d": pa.array([0], pa.date32())}))


def test_a_json_lines_file_is_read_as_it_stands(tmp_path: Path) -> None:
    """Lists, objects, missing keys and kinds of numbers of a file are those of its records."""
    file = tmp_path / "a.jsonl"
    items: list[dict[str, Any]] = [{"a": 1, "b": [1, {"c": None}]}, {"a": 1.0}, {"a": "1", "b": "[1]"}, {"b": None}]
    file.write_text("".join(json.dumps(item) + "\n" for item in items))
    read = [record for part in RecordDataset(open_dataset(file)).batches() for record in records_of(part)]
    assert list(map(exact, read)) == list(map(exact, items))


def test_values_that_no_json_has_are_a_data_error(tmp_path: Path) -> None:
    """A number beyond floats in a file is one sentence about the file."""
    file = tmp_path / "a.jsonl"
    file.write_text('{"a": 1e999}\n')
    with pytest.raises(DataError, match=r"a\.jsonl"):
        list(RecordDataset(open_dataset(file)).batches())


def test_cleaned_records_become_rows_again() -> None:
    """Only changed cells are touched; a new key is a new column of its own type."""
    source = pa.table({"s": [" a", "b"], "n": pa.array([1, None], pa.int32())})
    before = from_table(source)
    after = aligned(table([{"s": "a", "n": 1, "new": 2}, {"s": "b", "n": None}]), ["s", "n", "new"])
    made = as_rows(before, after, source)
    assert made.to_pylist() == [{"s": "a", "n": 1, "new": 2}, {"s": "b", "n": None, "new": None}]
    assert made.schema.types == [pa.string(), pa.int32(), pa.int64()]


@pytest.mark.parametrize("number", ["1e400", "NaN", "-Infinity"])
def test_what_is_no_number_of_json_is_said_in_words(number: str) -> None:
    """Also deep inside: Python reads such numbers, and JSON has none."""
    with pytest.raises(ValueError, match="it holds NaN, or a number beyond"):
        cell_of([{"a": json.loads(number)}])
