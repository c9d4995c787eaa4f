"""The three forms of examples: JSON, one table with dirty and clean columns, two tables side by side."""

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from orchestrator.core.errors import DataError
from orchestrator.data.user_files.example_files import read_examples

ROW = {"input": {"city": " Bonn", "n": "1"}, "output": {"city": "Bonn", "n": "1"}}


def _read(*paths: Path) -> list[dict[str, object]]:
    return [example.model_dump() for example in read_examples(*paths)]


def _write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def test_json_and_json_lines(tmp_path: Path) -> None:
    """A list, or one object per line; several files are read one after the other."""
    as_list = _write(tmp_path / "a.json", json.dumps([ROW, ROW]))
    lines = _write(tmp_path / "b.jsonl", json.dumps(ROW) + "\n\n")
    assert _read(as_list, lines) == [ROW, ROW, ROW]


def test_one_table_with_dirty_and_clean_columns(tmp_path: Path) -> None:
    """A column without either ending goes in as it is; a clean one alone is wanted, though nothing goes in."""
    table = _write(tmp_path / "g.csv", "city__dirty,city__clean,n,country__clean\n Bonn,Bonn,1,DE\n")
    assert _read(table) == [{"input": {"city": " Bonn", "n": "1"}, "output": {"city": "Bonn", "country": "DE"}}]


def test_two_tables_with_the_same_rows(tmp_path: Path) -> None:
    """The first is what goes in, the second what is wanted, in the columns that it has."""
    dirty = _write(tmp_path / "dirty.csv", "city,n\n Bonn,1\nKiel,2\n")
    clean = _write(tmp_path / "clean.csv", "city\nBonn\nKiel\n")
    assert _read(dirty, clean) == [
        {"input": {"city": " Bonn", "n": "1"}, "output": {"city": "Bonn"}},
        {"input": {"city": "Kiel", "n": "2"}, "output": {"city": "Kiel"}},
    ]


def test_json_lines_of_data_are_a_table(tmp_path: Path) -> None:
    """Rows that are no pairs of input and output are rows."""
    dirty = _write(tmp_path / "dirty.jsonl", '{"city": " Bonn"}\n')
    clean = _write(tmp_path / "clean.jsonl", '{"city": "Bonn"}\n')
    assert _read(dirty, clean) == [{"input": {"city": " Bonn"}, "output": {"city": "Bonn"}}]


def test_parquet_keeps_its_types_and_missing_numbers_are_missing(tmp_path: Path) -> None:
    """A NaN is no number that anything could be equal to."""
    table = pa.table({"n__dirty": [1.5, float("nan")], "n__clean": [2, None]})
    pq.write_table(table, tmp_path / "g.parquet")
    assert _read(tmp_path / "g.parquet") == [
        {"input": {"n": 1.5}, "output": {"n": 2}},
        {"input": {"n": None}, "output": {"n": None}},
    ]


@pytest.mark.parametrize(
    ("files", "word"),
    [
        ({"a.csv": "city,n\nBonn,1\n"}, "ends in __clean"),
        ({"a.csv": "city,city__dirty,city__clean\na,b,c\n"}, "twice"),
        ({"a.csv": "city\nBonn\n", "b.csv": "city\nBonn\nKiel\n"}, "has 1 row and"),
        ({"a.csv": "city\nBonn\n", "b.csv": "town\nBonn\n"}, "no column in common"),
        ({"a.csv": "city\nBonn\n", "b.json": json.dumps([ROW])}, "ends in __clean"),
        ({"a.csv": "city__dirty,city__clean\n" + "a,b\n" * 2001}, "more than 2,000"),
        ({"a.jsonl": ""}, "no examples"),
        ({"a.json": json.dumps([{"input": "x" * 2**22, "output": ""}])}, "4 MiB"),
    ],
)
def test_what_cannot_be_paired_is_said(tmp_path: Path, files: dict[str, str], word: str) -> None:
    """One sentence that names the file and what is wrong with it."""
    with pytest.raises(DataError, match=word) as caught:
        read_examples(*(_write(tmp_path / name, text) for name, text in files.items()))
    assert "a." in caught.value.message


def test_examples_that_contradict_each_other_are_refused(tmp_path: Path) -> None:
    """Nothing can fulfil both, so it is said before anything is asked; the same twice, or other columns, are fine."""
    path = tmp_path / "examples.jsonl"
    first = '{"input": {"a": " x"}, "output": {"a": "x"}}\n'
    path.write_text(first + '{"input": {"a": " x"}, "output": {"a": "X"}}\n', encoding="utf-8")
    with pytest.raises(DataError, match="contradict each other") as refused:
        read_examples(path)
    assert '{"a": "X"}' in str(refused.value)
    path.write_text(first + first + '{"input": {"a": " x"}, "output": {"b": 1}}\n', encoding="utf-8")
    assert len(read_examples(path)) == 3


@pytest.mark.parametrize("name", ["e.json", "e.jsonl", "e.txt"])
def test_a_file_that_no_examples_fill_is_not_parsed(tmp_path: Path, name: str) -> None:
    """57 MiB of empty lists took 1.5 GB in the process that reads them: in a service, that of everybody's jobs."""
    path = tmp_path / name
    with path.open("wb") as file:
        file.truncate(16 * 2**20 + 1)
    with pytest.raises(DataError, match="are larger than 16 MiB"):
        read_examples(path)
    blanks = " " * (16 * 2**20 - 1_000)
    assert len(_read(_write(path, json.dumps([ROW])[:-1] + blanks + "]"))) == 1, "the control: one below is read"


def test_a_text_of_an_example_may_hold_other_signs_for_a_line_end(tmp_path: Path) -> None:
    """JSON takes U+2028 and U+0085 as they are; such a file was called neither JSON nor JSONL."""
    file = tmp_path / "a.jsonl"
    file.write_text(
        '{"input": {"a": "x\u2028y\x85"}, "output": {"a": "x y"}}\r\n{"input": {"a": "z"}, "output": {"a": ""}}\n'
    )
    assert [example.input for example in read_examples(file)] == [{"a": "x\u2028y\x85"}, {"a": "z"}]


def test_one_example_may_take_several_lines(tmp_path: Path) -> None:
    """It is JSON, and was said to be none."""
    file = tmp_path / "a.json"
    file.write_text(json.dumps({"input": {"a": "x"}, "output": {"a": "y"}}, indent=2))
    assert [example.output for example in read_examples(file)] == [{"a": "y"}]


@pytest.mark.parametrize(
    ("output", "part"),
    [
        ('{"a": "y", "a": "z"}', "the key 'a' twice"),
        ('{"a": NaN}', "NaN, which is no JSON"),
        (r'{"a": "\ud800"}', "half of a surrogate pair"),
    ],
)
def test_an_example_that_says_nothing_clear_is_refused(tmp_path: Path, output: str, part: str) -> None:
    """Of a key that stands there twice the second counted; the others contradicted themselves, or were a traceback."""
    file = tmp_path / "a.jsonl"
    file.write_text('{"input": {"a": "x"}, "output": ' + output + "}\n")
    with pytest.raises(DataError, match=part):
        read_examples(file)
