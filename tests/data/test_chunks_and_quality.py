"""Which rows a run looks at, and what the quality figures mean."""

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from orchestrator.core.errors import UsageError
from orchestrator.core.ports import Sample
from orchestrator.data.chunks import Chunk, chunks
from orchestrator.data.formats import Dataset, open_dataset
from orchestrator.data.profile import quality
from orchestrator.data.profile.patterns import pattern_counts, patterns
from orchestrator.data.profile.quality import QualityMeter
from orchestrator.run.loop.stopping import untidy


def dataset(folder: Path, cells: list[str]) -> Dataset:
    path = folder / "data.csv"
    path.write_text("a,b\n" + "".join(f"{cell},x\n" for cell in cells), encoding="utf-8")
    return open_dataset(path)


def numbered(folder: Path, rows: int) -> Dataset:
    return dataset(folder, [str(i) for i in range(rows)])


def all_rows(made: list[Chunk]) -> list[int]:
    return [row for chunk in made for row in (*chunk.working_rows, *chunk.holdout_rows)]


@pytest.mark.parametrize("sampling", ["sequential", "random", "diverse"])
def test_chunks_divide_the_rows(tmp_path: Path, sampling: str) -> None:
    """Every row is in one chunk once, chunks are of about equal size, and a row's number is its place in the file."""
    made = list(chunks(numbered(tmp_path, 1000), chunk_rows=300, max_chunks=8, sampling=sampling))
    assert [chunk.index for chunk in made] == [0, 1, 2, 3]
    assert sorted(all_rows(made)) == list(range(1000))
    for chunk in made:
        assert chunk.working.num_rows + chunk.holdout.num_rows == 250
        assert chunk.holdout.num_rows in (62, 63)
        assert chunk.working.column("a").to_pylist() == [str(row) for row in chunk.working_rows]
        assert chunk.holdout.column("a").to_pylist() == [str(row) for row in chunk.holdout_rows]
        assert list(chunk.working_rows) == sorted(chunk.working_rows)


@pytest.mark.parametrize("sampling", ["sequential", "random", "diverse"])
def test_at_most_the_wanted_rows(tmp_path: Path, sampling: str) -> None:
    """A large file gives as many chunks as wanted and no more, all of them full."""
    made = list(chunks(numbered(tmp_path, 5000), chunk_rows=100, max_chunks=3, sampling=sampling))
    assert len(made) == 3
    assert len(set(all_rows(made))) == 300
    if sampling == "sequential":
        assert sorted(all_rows(made)) == list(range(300))
    else:
        assert max(all_rows(made)) > 3000


@pytest.mark.parametrize("sampling", ["random", "diverse"])
def test_the_seed_decides(tmp_path: Path, sampling: str) -> None:
    """The same seed gives the same chunks, another seed others."""
    data = numbered(tmp_path, 2000)

    def rows(seed: int) -> list[int]:
        return all_rows(list(chunks(data, chunk_rows=50, max_chunks=2, sampling=sampling, seed=seed)))

    assert rows(1) == rows(1)
    assert rows(1) != rows(2)


def test_diverse_finds_the_odd_rows(tmp_path: Path) -> None:
    """Three odd rows among five thousand are in the first chunk; a random sample would miss them."""
    cells = [f"{i % 10:02d}.05.2024" for i in range(5000)]
    cells[1234], cells[2345], cells[4567] = "May 5", "n/a", "2024-05-05"
    first = next(chunks(dataset(tmp_path, cells), chunk_rows=40, max_chunks=2, sampling="diverse"))
    assert {1234, 2345, 4567} <= set(all_rows([first]))


def test_small_data(tmp_path: Path) -> None:
    """One row is worked on; of two, one is held out; an unknown way of sampling is a usage error."""
    (only,) = chunks(numbered(tmp_path, 1), chunk_rows=10, max_chunks=1)
    assert (only.working.num_rows, only.holdout.num_rows) == (1, 0)
    (two,) = chunks(numbered(tmp_path, 2), chunk_rows=10, max_chunks=1)
    assert (two.working.num_rows, two.holdout.num_rows) == (1, 1)
    with pytest.raises(UsageError, match="'best' is not a sampling method"):
        next(chunks(numbered(tmp_path, 2), chunk_rows=10, max_chunks=1, sampling="best"))


def test_patterns() -> None:
    """Classes of characters collapse; all else stays; ASCII and other text agree."""
    cells = ["Dr. Ann-Lee 12", "", None, "ÄÖü 12", "  x\t", "x" * 500 + "1", "A1b2", "日本 ３"]
    wanted = ["Aa. Aa-Aa 9", "", None, "Aa 9", " a ", "a", "A9a9", "a 9"]
    assert patterns(pa.array(cells)).to_pylist() == wanted
    assert [patterns(pa.array([cell])).to_pylist()[0] for cell in cells if cell] == [w for w in wanted if w]
    assert patterns(pa.array(cells).slice(1, 3)).to_pylist() == wanted[1:4]
    assert pattern_counts(pa.chunked_array([["a1", "b2"], ["C", None]])) == {"a9": 2, "A": 1}
    assert pattern_counts(pa.array([12, None, -3])) == {"9": 1, "-9": 1}


def test_quality_counts_cells() -> None:
    """Each figure counts cells of the tables that were fed, over all of them."""
    meter = QualityMeter()
    meter.add(pa.table({"a": ["Ann", " Bob", "N/A", "", None, "  ", "x  y", "null"]}))
    meter.add(pa.table({"a": ["Cid"] * 92}))
    (column,) = meter.result()
    assert (column.cells, column.missing, column.null_tokens, column.untrimmed) == (100, 3, 2, 2)
    assert column.distinct == 6
    assert column.patterns == 5
    assert column.off_pattern == 4
    assert not column.capped


def test_line_breaks_inside_of_a_cell_are_no_stray_blanks(tmp_path: Path) -> None:
    """Such a run ended `finished` where nothing was left to clean: for CR and LF in a cell, and for an empty line."""
    kept = ["Main St 1\r\nOslo", "one\n\ntwo", "one\r\n\r\ntwo", "Größe\r\n\r\n3", "a\n\n\nb", "a\rb", None]
    stray = ["a\n \nb", "a \r\nb", "a\n\n b", "a  b\n\nc", "a\n\n", "\r\nb", "Größe \n\nb"]
    path = tmp_path / "data.csv"
    path.write_bytes("".join(f'"{cell}",x\n' for cell in ["a", *filter(None, kept)]).encode())
    read = pa.concat_tables(open_dataset(path).batches())
    assert read.column("a").to_pylist() == kept[:-1]
    assert not untidy(Sample(read, pa.table({"a": kept})))
    for cell in stray:
        assert untidy(Sample(pa.table({"a": [cell, "x\r\ny"]}), read.slice(0, 0))) == {"a": 1}, cell


def test_the_layout_of_markdown_and_code_is_no_stray_blanks() -> None:
    """Nested lists, line breaks, tables and code were called untidy, and a model was asked to mend what is right."""
    layout = [
        "- a\n  - b\n    - c",
        "def f(x):\n\treturn x",
        "first line  \nsecond line",
        "| a   | b |\n|-----|---|\n| 1   | c |",
        "```\nprint(x,  1)\n```\nso it goes",
    ]
    stray = ["- a\n  - b  c", "a   \nb", "a\n \nb", "| a  | b\nx", "```\nx\n```\na  b", "a\n  b ", "Größe\n  3  4"]
    for cells, left in ((layout, 0), (stray, len(stray)), ([*layout, *stray, "ß\nß"], len(stray))):
        table = pa.table({"text": cells})
        assert untidy(Sample(table, table.slice(0, 0))) == ({"text": left} if left else {})


@pytest.mark.parametrize(
    ("cells", "left"),
    [
        ([[" x", "fine"], ["N/A", " y"], None], 3),
        ([{"city": " Bonn", "zip": "n/a"}, {"city": "Bonn", "zip": "1"}], 2),
        ([{"a": [["x ", None]], "n": 1.5, "yes": True}], 1),
        ([["x", "y z"], []], 0),
    ],
)
@pytest.mark.parametrize("kind", ["jsonl", "parquet"])
def test_what_is_untidy_in_lists_and_objects_is_left_too(
    tmp_path: Path, kind: str, cells: list[Any], left: int
) -> None:
    """A run of tables of JSON rows ended `clean`, whatever was left inside; each text counts once."""
    path = tmp_path / f"data.{kind}"
    if kind == "jsonl":
        path.write_text("".join(f"{json.dumps({'a': cell, 'b': 'x'})}\n" for cell in cells))
    else:
        pq.write_table(pa.table({"a": cells, "b": ["x"] * len(cells)}), path)
    read = pa.concat_tables(open_dataset(path).batches())
    assert untidy(Sample(read, read.slice(0, 0))) == ({"a": left} if left else {})


@pytest.mark.parametrize("cells", [[[" x", "N/A"], ["y"]], ['[" x", "N/A"]', '["y"]']])
def test_quality_counts_texts_in_lists_and_objects(cells: list[Any]) -> None:
    """A report of records said 0 stray blanks before and after, whatever was trimmed inside; cells are still cells."""
    meter = QualityMeter()
    meter.add(pa.table({"tags": cells}))
    (column,) = meter.result()
    assert (column.cells, column.null_tokens, column.untrimmed, column.distinct) == (2, 1, 1, 2)


def test_brackets_of_a_text_are_no_list() -> None:
    """What only looks like JSON is a text; a text that is JSON is looked at inside."""
    cells = ["[see note] ", "{x}", "[a  b]", '["a  b", "N/A"]', "[" * 100_000 + "]" * 100_000]
    table = pa.table({"a": cells})
    assert untidy(Sample(table, table.slice(0, 0))) == {"a": 4}


def test_quality_is_the_same_by_tables_or_as_a_whole() -> None:
    """How the data is cut into tables does not change a figure."""
    cells = [f"{i % 7} x{'  ' * (i % 3)}" for i in range(1000)]
    whole, parts = QualityMeter(), QualityMeter()
    whole.add(pa.table({"a": cells}))
    for start in range(0, 1000, 130):
        table = pa.table({"a": cells[start : start + 130]})
        parts.add(table)
    assert whole.result() == parts.result()


def test_quality_of_other_types() -> None:
    """Numbers, dates, lists and columns of nothing are measured, too."""
    meter = QualityMeter()
    nothing = pa.nulls(3)
    meter.add(
        pa.table({"n": [1, None, 3], "l": [["x"], None, []], "z": nothing, "d": pa.array([1, 2, 3], pa.date32())})
    )
    assert [(c.name, c.missing, c.distinct) for c in meter.result()] == [
        ("n", 1, 2),
        ("l", 1, 2),
        ("z", 3, 0),
        ("d", 0, 3),
    ]


def test_caps_are_admitted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond the caps the counts are lower bounds and say so."""
    monkeypatch.setattr(quality, "MAX_DISTINCT", 10)
    monkeypatch.setattr(quality, "MAX_PATTERNS", 3)
    meter = QualityMeter()
    for start in range(4):
        meter.add(pa.table({"a": ["-" * (start * 5 + i + 1) for i in range(5)]}))
    (column,) = meter.result()
    assert column.capped
    assert column.distinct >= 10
    assert column.patterns == 3
    assert column.off_pattern == 17
