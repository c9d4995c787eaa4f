"""Laws of the CSV reader and writer, tried on tables that nobody would think of, in blocks of a few bytes."""

import csv
import io
from pathlib import Path
from tempfile import TemporaryDirectory

import pyarrow as pa
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from orchestrator.data.formats import open_dataset, open_writer
from orchestrator.data.formats.csv import csv_read

CELLS = st.text(st.sampled_from('ab,;"\n\r é\t\x01'), max_size=6)
TABLES = st.integers(2, 4).flatmap(
    lambda width: st.lists(st.lists(CELLS, min_size=width, max_size=width), min_size=1, max_size=12)
)


@pytest.fixture(autouse=True)
def _small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(csv_read, "_BLOCK", 7)


def _text(rows: list[list[str]], quoting: int, line_end: str) -> str:
    """The table as the standard library writes it; its header has plain names."""
    out = io.StringIO()
    # Python leaves a lone "\r" unquoted in some versions; quoting everything then is what any exporter does.
    strange = quoting == csv.QUOTE_MINIMAL and any("\r" in cell for row in rows for cell in row)
    writer = csv.writer(out, quoting=csv.QUOTE_ALL if strange else quoting, lineterminator=line_end)  # type: ignore[arg-type] # one of the module's constants
    writer.writerow([f"c{i}" for i in range(len(rows[0]))])
    writer.writerows(rows)
    return out.getvalue()


@given(TABLES, st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]), st.sampled_from(["\n", "\r\n"]))
@example([['"', "\n"], ["", '""\r\n,']], csv.QUOTE_MINIMAL, "\n")
@settings(deadline=None, max_examples=150)
def test_reads_what_the_standard_library_writes(rows: list[list[str]], quoting: int, line_end: str) -> None:
    """Every cell comes out as it went in, wherever the blocks end."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "data.csv"
        path.write_bytes(_text(rows, quoting, line_end).encode())
        dataset = open_dataset(path)
        got = [list(row.values()) for table in dataset.batches(5) for row in table.to_pylist()]
        assert got == rows


@given(TABLES, TABLES)
@settings(deadline=None, max_examples=100)
def test_reads_what_it_writes(model: list[list[str]], rows: list[list[str]]) -> None:
    """Whatever the dialect of the model, new cells read back as they were given."""
    with TemporaryDirectory() as folder:
        source, target = Path(folder) / "model.csv", Path(folder) / "out.csv"
        source.write_bytes(_text(model, csv.QUOTE_MINIMAL, "\n").encode())
        dataset = open_dataset(source)
        columns = {f"n{i}": [row[i] for row in rows] for i in range(len(rows[0]))}
        table = pa.table({name: pa.array(cells, pa.string()) for name, cells in columns.items()})
        with open_writer(target, like=dataset, schema=table.schema) as writer:
            writer.write(table)
        got = [list(row.values()) for part in open_dataset(target).batches() for row in part.to_pylist()]
        assert got == rows


@pytest.mark.parametrize("block", [2, 3, 7, 2**20])
def test_a_line_end_of_two_characters_makes_no_row_below_a_header_that_ends_with_one(
    block: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(csv_read, "_BLOCK", block)
    path = tmp_path / "rows.csv"
    path.write_bytes(b"name\rAnn\r\nBob\rCy\r\n")

    assert [name for table in open_dataset(path).batches() for name in table["name"].to_pylist()] == [
        "Ann",
        "Bob",
        "Cy",
    ]
