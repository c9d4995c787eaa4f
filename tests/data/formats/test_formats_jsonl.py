"""JSON Lines: typed cells, untouched lines, and a sentence for each line that is none."""

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

from orchestrator.core.errors import DataError, OutputError
from orchestrator.data.formats import open_dataset, open_writer


def write(folder: Path, text: str) -> Path:
    path = folder / "data.jsonl"
    path.write_bytes(text.encode())
    return path


def change(source: Path, target: Path, **columns: Any) -> str:
    """Copy with some columns replaced by what a function of the column makes."""
    dataset = open_dataset(source)
    with open_writer(target, like=dataset, schema=dataset.schema) as writer:
        for batch in dataset.read():
            table = batch.table
            for name, make in columns.items():
                table = table.set_column(table.column_names.index(name), name, make(table.column(name)))
            writer.write(table, batch)
    return target.read_bytes().decode()


@pytest.mark.parametrize(
    "text",
    [
        '{"a": 1, "b": "x"}\n{"b": null, "a": 2}\n{"c": 1.50}\n',
        '{"a":1}\n{"a":"1"}\n{"a":[1,{"b":null}]}\n{"a":true}',
        '{"a": 1e5}\r\n{"a": 12345678901234567890123}\r\n',
        '{"a": "\\u00e9"}\n{"a": "é"}\n',
        '{"a": 9007199254740993}\n{"a": 1.5}\n',
        '{"a": "2024-01-01"}\n{"a": "12:30"}\n',
        '\ufeff{"a": "mark"}\n',
        '{"a": "'+ "x" * 100_000 + '"}\n',
    ],
)  # fmt: skip
def test_copy_is_identical(tmp_path: Path, text: str) -> None:
    """Reading and writing without a change gives the same bytes, whatever kinds of values meet."""
    assert change(write(tmp_path, text), tmp_path / "out.jsonl") == text


def test_columns_are_typed(tmp_path: Path) -> None:
    """Types are found over the whole file; dates stay text; nested and mixed values appear as JSON text."""
    text = '{"i":1,"s":"01","m":1,"n":[1]}\n{"i":2,"f":1,"m":"x","big":9007199254740993}\n{"f":1.5,"b":true,"z":null}\n'
    dataset = open_dataset(write(tmp_path, text))
    assert {f.name: str(f.type) for f in dataset.schema} == {
        "i": "int64", "s": "string", "m": "string", "n": "string", "f": "double", "big": "int64", "b": "bool",
        "z": "string",
    }  # fmt: skip
    (table,) = dataset.batches()
    assert table.column("m").to_pylist() == ["1", "x", None]
    assert table.column("n").to_pylist() == ["[1]", None, None]
    assert table.column("big").to_pylist() == [None, 9007199254740993, None]
    assert dataset.rows == 3


def test_only_changed_cells_are_written_anew(tmp_path: Path) -> None:
    """A changed row keeps its key order, its other values and its style; missing keys stay missing."""
    text = '{"b":" x ","a":1.0,"t":["é"]}\n{"a":2,"b":"y"}\n{"a":3}\n'
    got = change(write(tmp_path, text), tmp_path / "out.jsonl", b=pc.utf8_trim_whitespace)
    assert got == '{"b":"x","a":1.0,"t":["é"]}\n{"a":2,"b":"y"}\n{"a":3}\n'
    assert got.splitlines()[1:] == text.splitlines()[1:]


def test_changed_cells_keep_their_kind(tmp_path: Path) -> None:
    """Integers stay integers, lists stay lists, and text that replaces a number is text."""
    text = '{"i": 1, "m": 5, "n": [1, 2]}\n{"i": 2, "m": "x", "n": null}\n'
    got = change(
        write(tmp_path, text),
        tmp_path / "out.jsonl",
        i=lambda c: pc.add(c, 1),
        m=lambda c: pa.chunked_array([["6", "six"]]),
        n=lambda c: pa.chunked_array([["[3]", None]]),
    )
    assert [json.loads(line) for line in got.splitlines()] == [
        {"i": 2, "m": 6, "n": [3]},
        {"i": 3, "m": "six", "n": None},
    ]


def test_a_number_among_texts_stays_a_number(tmp_path: Path) -> None:
    """Also where its decimals go or come: 1.0 among texts became the text "1"."""
    text = '{"m": 1.0}\n{"m": 2}\n{"m": "3"}\n{"m": 1.5}\n{"m": 4.0}\n{"m": true}\n'
    new = pa.chunked_array([["1", "2.5", "3", "none", "4", "1"]])
    got = change(write(tmp_path, text), tmp_path / "out.jsonl", m=lambda _: new)
    assert got == '{"m": 1}\n{"m": 2.5}\n{"m": "3"}\n{"m": "none"}\n{"m": 4}\n{"m": "1"}\n'


@pytest.mark.parametrize(
    ("values", "made"),
    [
        (["4", "5.50", '"549 kg"', '"6.50 kg"', "7"], ["4", "5.50", "549", "6.5", "7"]),
        (["4", "5", '"-3 kg"', "null", "7"], ["4", "5", "-3", "null", "7"]),
        (["4", '"5 kg"', '"6 kg"', "7"], ["4", '"5"', '"6"', "7"]),
        (["4", "5", '"007"', '"6 kg"', "7", "8"], ["4", "5", '"007"', '"6"', "7", "8"]),
        (["4", "5", '"06 kg"', '"-0 kg"', "7", "8"], ["4", "5", '"06"', '"-0"', "7", "8"]),
        (["4", "5", '"1234567890123456 kg"'], ["4", "5", '"1234567890123456"']),
        (["4", "5", '"0.1234567890123456 kg"'], ["4", "5", '"0.1234567890123456"']),
        (["4", "5", '"1e5 kg"', '"few kg"', '"9"'], ["4", "5", '"1e5"', '"few"', '"9"']),
        (["true", "false", '"5 kg"'], ["true", "false", '"5"']),
        (["4", "5", '" kg"', '""', "7"], ["4", "5", "null", '""', "7"]),  # a text that is blank afterwards
        (["4", '" kg"', '"n"'], ["4", '""', '"n"']),  # no key of numbers
    ],
)
@pytest.mark.parametrize("kind", ["jsonl", "json"])
def test_a_text_becomes_a_number_among_numbers_only(
    tmp_path: Path, kind: str, values: list[str], made: list[str]
) -> None:
    """As in spreadsheets; codes, long numbers and texts that nobody changed stay texts."""

    def text(cells: list[str]) -> str:
        rows = [f'{{"a": {cell}}}' for cell in cells]
        return "\n".join(rows) + "\n" if kind == "jsonl" else "[" + ",\n".join(rows) + "]"

    source, target = tmp_path / f"in.{kind}", tmp_path / f"out.{kind}"
    source.write_text(text(values))
    assert change(source, target, a=lambda cells: pc.replace_substring(cells, " kg", "")) == text(made)


@pytest.mark.parametrize(
    ("values", "made"),
    [
        (["true", "false", '"yes"', '"no"', "true"], ["true", "false", "true", "false", "true"]),
        (["true", "null", '"yes"'], ["true", "null", '"true"']),  # as many texts as truth values
        (["true", "1", '"yes"', "2"], ["true", "1", '"true"', "2"]),
        (["true", "false", '"true"', '"Yes"', "true"], ["true", "false", '"true"', '"Yes"', "true"]),
        (["1", "2", '"yes"'], ["1", "2", '"true"']),
    ],
)
@pytest.mark.parametrize("kind", ["jsonl", "json"])
def test_a_text_becomes_a_truth_value_among_truth_values_only(
    tmp_path: Path, kind: str, values: list[str], made: list[str]
) -> None:
    """A repaired `yes` was written as the text "true", which is true in most languages, and so is "false"."""

    def text(cells: list[str]) -> str:
        rows = [f'{{"a": {cell}}}' for cell in cells]
        return "\n".join(rows) + "\n" if kind == "jsonl" else "[" + ",\n".join(rows) + "]"

    def repaired(cells: pa.ChunkedArray) -> pa.ChunkedArray:
        known = {"yes": "true", "no": "false"}
        return pa.chunked_array([[known.get(cell, cell) for cell in cells.to_pylist()]])

    source, target = tmp_path / f"in.{kind}", tmp_path / f"out.{kind}"
    source.write_text(text(values))
    assert change(source, target, a=repaired) == text(made)


def test_a_gap_among_mixed_numbers_gets_a_number(tmp_path: Path) -> None:
    """What fills it is as the others are."""
    source = write(tmp_path, '{"a": 4}\n{"a": "5 kg"}\n{"a": 6}\n{"b": 1}\n')
    done = change(source, tmp_path / "out.jsonl", a=lambda cells: pc.fill_null(cells, "8"))
    assert done == '{"a": 4}\n{"a": "5 kg"}\n{"a": 6}\n{"b": 1, "a": 8}\n'


def test_columns_come_and_go(tmp_path: Path) -> None:
    """A dropped column leaves every row; an added one is written where it has a value."""
    dataset = open_dataset(write(tmp_path, '{"a": 1, "b": 2}\n{"a": 3}\n'))
    schema = pa.schema([("b", pa.int64()), ("c", pa.string())])
    with open_writer(tmp_path / "out.jsonl", like=dataset, schema=schema) as writer:
        for batch in dataset.read():
            writer.write(pa.table({"b": batch.table.column("b"), "c": [None, "new"]}), batch)
    assert (tmp_path / "out.jsonl").read_text() == '{"b": 2}\n{"c": "new"}\n'


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("\n\n", "holds no rows"),
        ('{"a": 1}\n{"a": }\n', "line 2: not a JSON object: Expecting value at column 7"),
        ('{"a": 1}\n\n[1]\n', "line 3: a list instead of an object"),
        ("7\n", "line 1: a number instead of an object"),
        ("null\n", "line 1: null instead of an object"),
        ('[{"a": 1},\n', "line 1: not a JSON object"),
        ('{"a": 1} {"b": 2}\n', "line 1: not a JSON object: Extra data"),
        ('{"a": 1, "a": 2}\n', "line 1: the key 'a' occurs twice"),
        ('{"x": [{"a": 1, "a": 2}]}\n', "line 1: the key 'a' occurs twice"),
        ('{"a": 1}\n{"a": [-Infinity]}\n', "line 2: not a JSON object: it holds -Infinity, which is not JSON"),
        ('{"a": NaN}\n', "line 1: not a JSON object: it holds NaN, which is not JSON; write null, or a text"),
        ('{"a": ' + "[" * 100_000 + "]" * 100_000 + "}\n", "line 1: not a JSON object: it is nested too deeply"),
        ('{"a": ' + "9" * 5_000 + "}\n", "line 1: not a JSON object: a number in it has thousands of digits"),
        ('{"": 1}\n', "line 1: a key is empty"),
        ('{"a": "\\ud800"}\n', r"line 1: a text holds '\\ud800'"),
        ("[" * 100_000 + "\n", "line 1: not a JSON object"),
        ('{"a": ' + "9" * 5000 + "}\n", "line 1: not a JSON object"),
        ('{"a": "' + "x" * (9 * 2**20) + '"}\n', "line 1: the line is longer than 8 MiB"),
        ("".join(f'{{"k{i}": 1}}\n' for i in range(2001)), "line 2001: at most 2,000 keys"),
    ],
)
def test_wrong_lines(tmp_path: Path, text: str, says: str) -> None:
    """A line that is no object is named, before anything else happens."""
    with pytest.raises(DataError, match=says):
        open_dataset(write(tmp_path, text))


@pytest.mark.parametrize("text", ['[{"a": 1}]\n', '[\n{"a": 1}\n]\n', '{\n"rows": [{"a": 1}]\n}\n'])
def test_a_json_document_under_this_name_is_told_by_its_beginning(tmp_path: Path, text: str) -> None:
    """Many programs call a JSON document .jsonl; the way out is one option."""
    path = write(tmp_path, text)
    for set_aside in (False, True):
        with pytest.raises(DataError, match="line 1:") as refused:
            open_dataset(path, set_aside=set_aside)
        assert refused.value.advice == "It looks like one JSON document: say --format json."
    assert open_dataset(path, format="json").columns == ("a",)


def test_a_number_beyond_floats_keeps_its_digits(tmp_path: Path) -> None:
    """Functions see it as infinite, or among texts as a text; while nobody changes it, it is written as it was."""
    text = '{"f": 1e999, "m": -1e999, "s": " a"}\n{"f": 1.5, "m": "x", "s": "NaN, Infinity"}\n'
    dataset = open_dataset(write(tmp_path, text))
    (table,) = dataset.batches()
    assert table.column("f").to_pylist() == [float("inf"), 1.5]
    assert table.column("m").to_pylist() == ["-Infinity", "x"]
    assert change(dataset.path, tmp_path / "out.jsonl", s=pc.utf8_trim_whitespace) == text.replace(" a", "a")


@pytest.mark.parametrize("made", [float("inf"), float("nan")])
def test_no_number_is_written_that_json_does_not_have(tmp_path: Path, made: float) -> None:
    """Neither into a row of JSON Lines nor into a new file; nothing is left behind."""
    source = write(tmp_path, '{"f": 1.5}\n')
    with pytest.raises(OutputError, match=r"A row of the result holds (Infinity|NaN), which JSON has no number for"):
        change(source, tmp_path / "out.jsonl", f=lambda c: pa.chunked_array([[made]]))
    table = pa.table({"f": [made]})
    dataset = open_dataset(source)
    with (
        pytest.raises(OutputError, match="which JSON has no number for"),
        open_writer(tmp_path / "new.json", like=dataset, schema=table.schema) as writer,
    ):
        writer.write(table)
    assert sorted(path.name for path in tmp_path.iterdir()) == [source.name]


def test_the_word_for_no_number_stays_a_text(tmp_path: Path) -> None:
    """In a column of several kinds a function may write it where a number was."""
    source = write(tmp_path, '{"m": 1.5}\n{"m": "x"}\n')
    got = change(source, tmp_path / "out.jsonl", m=lambda c: pa.chunked_array([["NaN", "x"]]))
    assert got == '{"m": "NaN"}\n{"m": "x"}\n'


@pytest.mark.parametrize("name", ["a.jsonl", "a.json"])
def test_another_encoding_is_read_and_said(tmp_path: Path, name: str) -> None:
    """JSON is UTF-8: what came in UTF-16, as some shells write it, is written so, and a note says it."""
    path, out = tmp_path / name, tmp_path / f"out-{name}"
    text = '{"a": "é"}\n' if name == "a.jsonl" else '[{"a": "é"}]'
    path.write_bytes(text.encode("utf-16"))
    dataset = open_dataset(path)
    assert dataset.notes == ("it is stored in utf-16-le; what is written is UTF-8, as JSON is",)
    with open_writer(out, like=dataset, schema=dataset.schema) as writer:
        for batch in dataset.read():
            writer.write(batch.table, batch)
    assert out.read_text(encoding="utf-8") == text
    path.write_bytes(text.encode("utf-8-sig"))
    assert open_dataset(path).notes == ()


@pytest.mark.parametrize("name", ["out.jsonl", "out.json"])
def test_times_that_python_has_not_are_written_as_texts(name: str, tmp_path: Path) -> None:
    """A moment or a day beyond the year 9999 is no internal error, and no nanosecond of a time of day is lost."""
    table = pa.table(
        {
            "day": pa.array([2**31 - 1, 0], pa.date32()),
            "at": pa.array([10**15, None], pa.timestamp("s")),
            "time": pa.array([1_234_567_891, 5_000], pa.time64("ns")),
        }
    )
    pq.write_table(table, tmp_path / "in.parquet")
    dataset = open_dataset(tmp_path / "in.parquet")
    with open_writer(tmp_path / name, like=dataset, schema=dataset.schema) as writer:
        for batch in dataset.read():
            writer.write(batch.table, batch)
    text = (tmp_path / name).read_text()
    first, second = json.loads(text) if name.endswith("json") else map(json.loads, text.splitlines())
    assert (first["time"], second["time"]) == ("00:00:01.234567891", "00:00:00.000005000")
    assert (second["day"], second["at"]) == ("1970-01-01", None)
    assert str(2**31 - 1) in first["day"]
    assert "\n" not in first["day"] + first["at"]


@pytest.mark.parametrize("ends", [("\r\n", "\n"), ("\n", "\r\n")])
def test_lines_that_end_in_several_ways_are_told(tmp_path: Path, ends: tuple[str, str]) -> None:
    """They are written with the end of the first one; where all end alike there is nothing to tell."""
    source = write(tmp_path, f'{{"a": " x"}}{ends[0]}{{"a": "y"}}{ends[1]}')
    note = "its lines do not all end alike: in what is written they end as the first one does"
    assert open_dataset(source).notes == (note,)
    change(source, tmp_path / "out.jsonl", a=pc.utf8_trim_whitespace)
    assert (tmp_path / "out.jsonl").read_bytes() == f'{{"a": "x"}}{ends[0]}{{"a": "y"}}{ends[0]}'.encode()
    assert open_dataset(tmp_path / "out.jsonl").notes == ()


@pytest.mark.parametrize(("name", "text"), [("rows.jsonl", "{}\n{}\n"), ("rows.json", "[{}, {}]")])
def test_objects_without_any_key_are_no_table(name: str, text: str, tmp_path: Path) -> None:
    """They were read as no rows at all, and lost where a function could do without its column."""
    (tmp_path / name).write_text(text)
    with pytest.raises(DataError, match="no object has a key"):
        open_dataset(tmp_path / name)
    (tmp_path / name).write_text(text.replace("{}", '{"city": "Rome"}', 1))
    assert open_dataset(tmp_path / name).rows == 2, "the control: one key is enough"
