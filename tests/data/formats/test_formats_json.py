"""JSON documents: the objects of one list are rows, and everything else stays as it was."""

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from orchestrator.core.errors import DataError, UsageError
from orchestrator.data.formats import open_dataset, open_writer
from orchestrator.data.formats.json.json_members import renewed

DOCUMENT = """{
  "meta": {"version": 1.10, "tags": [1, 2]},
  "rows": [
    {
      "id": 12345678901234567890123,
      "price": 1.10,
      "city": " Rome",
      "nested": {"a": [1.50, "x"]}
    },
    {
      "id": 2,
      "price": 2.00,
      "city": "Bonn "
    }
  ],
  "total": 1e400
}
"""


def write(folder: Path, text: str, name: str = "data.json") -> Path:
    path = folder / name
    path.write_bytes(text.encode())
    return path


def copied(source: Path, target: Path, *, trim: str = "", drop: str = "", add: str = "", **options: Any) -> str:
    """What is written: with a column trimmed, one dropped, one added."""
    dataset = open_dataset(source, **options)
    fields = [field for field in dataset.schema if field.name != drop]
    schema = pa.schema([*fields, *([pa.field(add, pa.string())] if add else [])])
    rows = 0
    with open_writer(target, like=dataset, schema=schema) as writer:
        for batch in dataset.read(1):
            table = batch.table
            if trim:
                place = table.column_names.index(trim)
                table = table.set_column(place, trim, pc.utf8_trim_whitespace(table.column(trim)))
            table = table.drop_columns([drop]) if drop else table
            table = table.append_column(add, pa.array(["new"] * table.num_rows)) if add else table
            writer.write(table, batch)
            rows += table.num_rows
    assert rows == dataset.rows
    return target.read_bytes().decode()


@pytest.mark.parametrize(
    "text",
    [
        DOCUMENT,
        DOCUMENT.replace("\n", "\r\n"),
        '[{"a":1},{"a":2}]',
        '\ufeff[ {"a" : 1.10} ]\n\n',
        '[{"a": "x"}\n,{"a": 2}\n,{"b": []}\n]',
        '{"z": null, "r": [{"a": "é"}, {"a": "\\u00e9"}], "after": [[1], {"r": [{"a": 1}]}]}',
    ],
)
def test_a_copy_is_identical(tmp_path: Path, text: str) -> None:
    """Reading and writing without a change gives the same bytes, around the rows as well."""
    assert copied(write(tmp_path, text), tmp_path / "out.json") == text


def test_only_the_changed_value_is_written_anew(tmp_path: Path) -> None:
    """Numbers beside it keep their digits, 64 bits or more, and lines their indentation."""
    made = copied(write(tmp_path, DOCUMENT), tmp_path / "out.json", trim="city")
    assert made == DOCUMENT.replace('" Rome"', '"Rome"').replace('"Bonn "', '"Bonn"')


def test_columns_come_and_go_in_the_style_of_the_row(tmp_path: Path) -> None:
    """The last member leaves no comma behind, and a new one has a line of its own."""
    made = copied(write(tmp_path, DOCUMENT), tmp_path / "out.json", drop="city", add="new")
    assert '      "price": 2.00,\n      "new": "new"\n    }' in made
    assert "city" not in made


def test_rows_of_several_lines_are_one_line_in_json_lines(tmp_path: Path) -> None:
    """Written as another format: one object a line, with the same numbers."""
    lines = copied(write(tmp_path, DOCUMENT), tmp_path / "out.jsonl").splitlines()
    assert lines[1] == '{"id": 2,"price": 2.00,"city": "Bonn "}'
    assert copied(tmp_path / "out.jsonl", tmp_path / "back.json") == f"[\n{lines[0]},\n{lines[1]}\n]\n"


def test_large_numbers_and_the_chosen_list_are_said(tmp_path: Path) -> None:
    """What a person would otherwise find out too late."""
    assert open_dataset(write(tmp_path, DOCUMENT)).notes == (
        "the rows are those of 'rows'",
        "column 'id': whole numbers beyond 64 bits are read as text",
    )


def test_of_several_lists_one_must_be_named(tmp_path: Path) -> None:
    """Nothing is guessed; every list is offered, at any depth of objects."""
    source = write(tmp_path, '{"a": [{"x": 1}], "b": {"c": [{"x": " y "}, {"x": "z"}]}}')
    with pytest.raises(UsageError, match="holds 2 lists of objects") as refused:
        open_dataset(source)
    assert refused.value.advice == "Say --path a or --path b.c."
    made = copied(source, tmp_path / "out.json", trim="x", array="b.c")
    assert made == '{"a": [{"x": 1}], "b": {"c": [{"x": "y"}, {"x": "z"}]}}'
    with pytest.raises(UsageError, match="no list with rows at 'c'"):
        open_dataset(source, array="c")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[]", "holds no rows"),
        ('{"a": {"rows": []}}', "holds no rows: it has no list with any"),
        ('{"a": [1, 2]}', "holds no list of objects"),
        ('{"a": 1}\n{"a": 2}\n', "line 2: there is more after the end of the document"),
        ('[{"a": 1}', "line 1: the document ends too early"),
        ('[{"a": 1},\n{"a": ', "line 2, character 7: the document ends in the middle of a value"),
        ('[{"a": 1},\n{"a": "x', "line 2, character 7: the document ends in the middle of a value"),
        ('[{"a": 1},\n]', "line 2, character 1: not JSON"),
        ('[{"a": 1},\n{"a": 1, "a": 2}]', "line 2: the key 'a' occurs twice"),
        ('{"a": 1,\n"a": [{"b": 1}]}', "line 2: the key 'a' occurs twice"),
        ('[{"a": 1},\n{"a": NaN}]', "line 2: in the value that begins here is NaN"),
        ('[{"a": 1},\n3]', "line 2: element 2 of the rows is a number and not an object"),
        ("[" * 100_000, "nested too deeply"),
        ('{"a":' * 1000, "nested more than 50 deep"),
        ("name,city\n", "is no JSON: it begins as a table does"),
    ],
)
def test_what_is_no_table_is_said_with_its_place(tmp_path: Path, text: str, message: str) -> None:
    """One sentence with file and line."""
    with pytest.raises(UsageError, match=r"data\.json") as refused:
        open_dataset(write(tmp_path, text))
    assert message in refused.value.message


@pytest.mark.parametrize(
    ("text", "advice"),
    [
        ('{"id":{"0":1,"1":2},"city":{"0":" Rome","1":"Oslo"}}', 'by default: df.to_json(FILE, orient="records")'),
        ('{"columns":["id"],"index":[0],"data":[[1]]}', 'df.to_json(FILE, orient="records") writes rows.'),
        ('{"0":{"id":1},"1":{"id":2}}', "jq '[to_entries[]"),  # a row under each key
        ('{"a":{"id":1},"b":{"id":2}}', "jq '[to_entries[]"),
    ],
)
def test_columns_of_pandas_are_said_with_how_to_get_rows(tmp_path: Path, text: str, advice: str) -> None:
    """What `df.to_json(FILE)` writes was said to hold a row under each key: as that, columns would become rows."""
    (tmp_path / "a.json").write_text(text)
    with pytest.raises(DataError, match="no rows") as refused:
        open_dataset(tmp_path / "a.json")
    assert advice in refused.value.advice


def test_a_document_is_read_across_the_borders_of_blocks(tmp_path: Path) -> None:
    """Three megabytes, with letters of several bytes: every row comes, and the copy is the same."""
    text = "[" + ",\n".join(f'{{"n": {i}, "t": "{"äß€" * (i % 700)}"}}' for i in range(3000)) + "]"
    assert copied(write(tmp_path, text), tmp_path / "out.json") == text


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=60)
@given(values, values, st.sampled_from([None, 1]))
def test_a_renewed_text_says_the_new_value(before: Any, after: Any, indent: int | None) -> None:
    """Whatever stands there and whatever comes, the text is JSON of the new value; of the same value, the same text."""
    text = json.dumps(before, indent=indent)
    assert json.dumps(json.loads(renewed(text, before, after, json.dumps)), sort_keys=True) == json.dumps(
        after, sort_keys=True
    )
    assert renewed(text, before, json.loads(text), json.dumps) == text
