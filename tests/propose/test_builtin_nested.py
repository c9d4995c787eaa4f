"""The built-in rules look at what stands inside of lists and objects as at cells."""

import json

import pandas as pd
import pytest

from orchestrator.propose.builtin.nested_places import _inside, nested_tables
from orchestrator.propose.builtin.working_rows import TextColumn
from tests.propose.builtin_help import ask, settle

ROWS = 60


def orders() -> pd.DataFrame:
    """Orders with what programs write: numbers as texts, dates in two forms, blanks, marks of HTML."""
    made = [
        {
            "city": "Köln " if n % 10 == 1 else "KÃ¶ln" if n % 10 == 2 else ("Köln", "Bonn", "Essen")[n % 3],
            "since": f"{n % 28 + 1:02}.03.2024" if n % 9 == 0 else f"2024-03-{n % 28 + 1:02}",
            "note": "say &quot;hi&quot;" if n % 8 == 0 else f'say "{n}"',
            "rate": 1.5,
            "lines": [{"price": f"1,{n + 100}.50" if n % 7 == 0 else f"{n}.25"}, {"price": f"{n + 3}.75"}],
        }
        for n in range(ROWS)
    ]
    cells = [json.dumps(one, ensure_ascii=False).replace("1.5,", "1.50,") for one in made]
    return pd.DataFrame({"id": [str(n) for n in range(ROWS)], "order": cells}, dtype="string").astype(object)


def test_texts_inside_of_objects_and_lists_are_cleaned_and_all_else_stays() -> None:
    """What cells of a column of their own would become; a number that nobody changed keeps its digits."""
    cleaned, emitted = settle(orders())
    made = [json.loads(cell) for cell in cleaned["order"]]
    assert {one["city"] for one in made} == {"Köln", "Bonn", "Essen"}
    assert all(one["since"].startswith("2024-03-") for one in made)
    assert [one["note"] for one in made[7:9]] == ['say "7"', 'say "hi"']
    assert made[7]["lines"] == [{"price": "1107.50"}, {"price": "10.75"}]
    assert all('"rate": 1.50' in cell for cell in cleaned["order"])
    assert all(one.candidate.contract.modifies == ("order",) for one in emitted)


def test_the_issue_says_where_inside_of_the_column_it_is() -> None:
    """By the column, or the list in it, and the place."""
    issues = [issue.description for issue in ask(orders()).issues]
    assert "Inside of order: Stray blanks stand around the texts of city." in issues
    assert any(issue.startswith("Inside of order.lines[]: Numbers in price") for issue in issues)


def test_a_column_that_is_left_alone_is_left_alone_inside() -> None:
    """What the instruction says of the column holds for all that stands in it."""
    assert ask(orders(), "Leave order alone.").source is None


@pytest.mark.parametrize(
    ("cell", "after"),
    [
        ('{"a": " x", "b": {"a": " x"}, "c": 1.50}', '{"a": "x", "b": {"a": " x"}, "c": 1.50}'),
        ('{"a":" say \\"hi\\" {,} [ "}', '{"a":"say \\"hi\\" {,} ["}'),
        ('{"l": [" x", ["y "], {"k": " z"}, null, true], "a": "\\ud800 "}', None),
        ('{" a": " x", "a": " 5"}', '{" a": " x", "a": 5}'),
        ('{"a": " 007"}', '{"a": "007"}'),
        ('{"a": " x"', '{"a": " x"'),
        ("[" * 100_000, "[" * 100_000),
        ('{"a": " x", "n": ' + "9" * 5000 + "}", '{"a": "x", "n": ' + "9" * 5000 + "}"),
        ('" a"', '" a"'),
        ("", ""),
    ],
)
def test_only_texts_at_the_places_change(cell: str, after: str | None) -> None:
    """All else stays to the byte, also what is no JSON."""
    wanted = '{"l": ["x", ["y "], {"k": " z"}, null, true], "a": "\\ud800"}' if after is None else after
    assert _inside(cell, {".a": str.strip, ".l[]": str.strip}, [".a"]) == wanted


def test_a_text_among_numbers_becomes_a_number_where_others_are() -> None:
    """Not where the place has codes with a zero in front."""
    cells: list[str | None] = [f'{{"n": {n}, "zip": {n}, "t": "{n}"}}' for n in range(9)]
    (table,) = nested_tables(TextColumn("at", [*cells, '{"n": "9", "zip": "07"}']))
    assert table.names == {".n": "n", ".zip": "zip", ".t": "t"}
    assert table.bare == {".n"}


def test_an_object_with_very_many_keys_is_no_row_of_columns() -> None:
    """Its keys are the entries of a table: nothing is learnt from one alone."""
    things = [{f"k{n}_{key}": "x " for key in range(20)} for n in range(9)]
    cells: list[str | None] = [json.dumps(one) for one in things]
    assert nested_tables(TextColumn("at", cells)) == []
    beside: list[str | None] = [json.dumps({"city": "Oslo ", "of": one}) for one in things]
    assert [table.names for table in nested_tables(TextColumn("at", beside))] == [{".city": "city"}]
