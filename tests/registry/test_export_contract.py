"""An exported file holds its functions to what they declare, as the sandboxed apply does: else it writes nothing."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from orchestrator.core.candidate import Candidate, Contract, Shape
from orchestrator.core.promoted import Evidence
from orchestrator.registry.export.export import export_functions
from orchestrator.registry.memory_registry import MemoryRegistry

Export = Callable[..., dict[str, Any]]
STRIP = "df.assign(city=df['city'].str.strip())"


@pytest.fixture
def export(candidate: Callable[..., Candidate], evidence: Callable[..., Evidence]) -> Export:
    """The names of the exported file of one function."""

    def made(body: str, **declared: Any) -> dict[str, Any]:
        argument = "row" if declared.get("shape") in (Shape.RECORD, Shape.TEXT) else "df"
        source = f"import pandas as pd\ndef f({argument}):\n    return {body}\n"
        contract = Contract(**({"modifies": ("city",)} | declared))
        one = candidate("f", source=source).model_copy(update={"contract": contract})
        registry = MemoryRegistry()
        registry.promote(one, evidence(one))
        space = {"__name__": "cleaning_functions", "__file__": "cleaning_functions.py"}
        exec(export_functions(registry.functions()), space)  # noqa: S102 - it is what is tested
        return space

    return made


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (f"{STRIP}[df['n'] != '7']", "20 rows went in and 19 came out"),
        (f"{STRIP}.assign(n=df['n'].where(df['n'] != '7', '8'))", "the column 'n' changed, which it does not declare"),
        (f"{STRIP}.sort_values('n')", "rows were moved or lost"),
        (f"{STRIP}.assign(x='1')", "the column 'x' appeared"),
        (f"{STRIP}[['city']]", "the column 'n' is gone"),
        (f"{STRIP}[['n', 'city']]", "the columns came back in another order"),
        ("df.assign(city=df['n'].astype(int))", "the column 'city' was str and came back as int64"),
    ],
)
def test_what_is_not_declared_is_not_written(export: Export, tmp_path: Path, body: str, said: str) -> None:
    """One row of many is enough, and the message says which function it was. Positive control: where it is declared."""
    (tmp_path / "in.csv").write_text("city,n\n" + "".join(f" Rome,{row}\n" for row in range(20)))
    with pytest.raises(ValueError, match=said) as refused:
        export(body)["clean_file"](tmp_path / "in.csv", tmp_path / "out.csv")
    assert "function f, rows 1 to 20 of in.csv" in str(refused.value)
    assert not (tmp_path / "out.csv").exists()
    export(STRIP)["clean_file"](tmp_path / "in.csv", tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_text().startswith("city,n\nRome,0\nRome,1\n")


@pytest.mark.parametrize(
    ("body", "declared"),
    [
        (f"{STRIP}[df['n'] != '7']", {"drops_rows": True}),
        (f"{STRIP}.assign(n='8')", {"modifies": None}),
        (f"{STRIP}.assign(x='1')", {"adds": ("x",)}),
        (f"{STRIP}[['city']]", {"drops": ("n",)}),
        (f"{STRIP}.assign(n=df['n'].astype(object))", {}),
    ],
)
def test_what_is_declared_is_written(export: Export, body: str, declared: dict[str, Any]) -> None:
    """And another type of the same values is no change."""
    frame = pd.DataFrame({"city": [" Rome"] * 9, "n": [str(row) for row in range(9)]})
    assert {*export(body, **declared)["clean"](frame)["city"]} == {"Rome"}


def test_an_added_column_stands_at_the_end(export: Export) -> None:
    """As the sandboxed apply writes it, wherever the function puts it."""
    made = export("df.assign(x='1')[['x', 'city', 'n']]", adds=("x",))["clean"](pd.DataFrame({"city": ["a"], "n": [1]}))
    assert [*made.columns] == ["city", "n", "x"]


def test_a_list_that_is_changed_in_its_place_shows(export: Export, tmp_path: Path) -> None:
    """Also where the function changes the frame that it was given. Positive control: where nothing is changed."""
    pq.write_table(pa.table({"city": ["a", "b"], "tags": [["x"], ["y", None]]}), tmp_path / "in.parquet")
    with pytest.raises(ValueError, match="the column 'tags' changed"):
        export("[tag.__setitem__(0, 'z') for tag in df['tags']] and df")["clean_file"](
            tmp_path / "in.parquet", tmp_path / "out.parquet"
        )
    export("[tag[0] for tag in df['tags']] and df")["clean_file"](tmp_path / "in.parquet", tmp_path / "out.parquet")
    assert pq.read_table(tmp_path / "out.parquet").column("tags").to_pylist() == [["x"], ["y", None]]


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("row | {'n': 8}", "the key 'n' changed"),
        ("row | {'n': True}", "the key 'n' changed"),
        ("row | {'x': 1}", "the key 'x' appeared"),
        ("{'city': row['city']}", "the key 'n' changed"),
        ("row['tags'].append(1) or row", "the key 'tags' changed"),
        ("[row]", "returned a list instead of a dict"),
        ("row | {'city': (1, 2)}", "the value of 'city' is or holds something that JSON does not have"),
        ("row | {'city': [{1: 2}]}", "the value of 'city' is or holds something that JSON does not have"),
        ("row | {'city': float('nan')}", "the value of 'city' is or holds something that JSON does not have"),
    ],
)
def test_records_are_held_to_it_as_well(export: Export, tmp_path: Path, body: str, said: str) -> None:
    """By key, and to values that JSON has. Positive control: the key that is declared."""
    (tmp_path / "in.jsonl").write_text('{"city":" Rome","n":1,"tags":[]}\n')
    given = tmp_path / "in.jsonl"
    with pytest.raises(ValueError, match=said):
        export(body, shape=Shape.RECORD)["clean_file"](given, tmp_path / "out.jsonl")
    export("row | {'city': row['city'].strip()}", shape=Shape.RECORD)["clean_file"](given, tmp_path / "out.jsonl")
    assert json.loads((tmp_path / "out.jsonl").read_text()) == {"city": "Rome", "n": 1, "tags": []}


@pytest.mark.parametrize("body", ["None", "5", "row.encode()"])
def test_a_function_of_texts_returns_texts(export: Export, tmp_path: Path, body: str) -> None:
    """Nothing else is written. Positive control: a text."""
    (tmp_path / "in.csv").write_text("city,n\n Rome,1\n")
    with pytest.raises(ValueError, match="instead of a str"):
        export(body, shape=Shape.TEXT)["clean_file"](tmp_path / "in.csv", tmp_path / "out.csv")
    assert not (tmp_path / "out.csv").exists()
    export("row.strip()", shape=Shape.TEXT)["clean_file"](tmp_path / "in.csv", tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_text() == "city,n\nRome,1\n"


def test_columns_go_where_that_is_declared_and_not_else(export: Export, tmp_path: Path) -> None:
    """Whether records have the key or not: a column is there in each row of a table."""
    (tmp_path / "in.csv").write_text("city,n\nRome,1\n")
    for body, declared, left in (
        ("{'n': row['n']}", {}, "city,n\n,1\n"),
        ("{'n': row['n']}", {"drops": ("city",)}, "n\n1\n"),
        ("row", {"drops": ("city",)}, "n\n1\n"),
    ):
        export(body, shape=Shape.RECORD, **declared)["clean_file"](tmp_path / "in.csv", tmp_path / "out.csv")
        assert (tmp_path / "out.csv").read_text() == left
