"""An instruction for a column that is not there is followed nowhere, and said; one for all columns is followed."""

import pytest

from tests.propose.builtin_help import ask, column, settle

FRAME = column(["Riga", "Hull"] * 15, "port").assign(name=["Ann Lee", "Bo Ray"] * 15, remark=["left, Tom", "ok"] * 15)


def changed(instruction: str) -> set[str]:
    """The columns that are changed."""
    cleaned, _ = settle(FRAME, instruction)
    return {str(name) for name in FRAME if list(cleaned[name]) != list(FRAME[name])}


@pytest.mark.parametrize(
    ("instruction", "columns"),
    [
        ("upper case", {"port", "name", "remark"}),
        ("Please write all texts in upper case.", {"port", "name", "remark"}),
        ("Everything in upper case, since SAP wants it.", {"port", "name", "remark"}),
        ("upper case for the ports", {"port"}),
        ("names in upper case", {"name"}),
        ("upper case for port in this report", {"port"}),
        ("Clean this dataset: fix typos, trim whitespace, and standardize the texts to upper case", set(FRAME)),
        ("The port should be in upper case, as Lloyd's writes it", {"port"}),
        ("leave remark alone; upper case", {"port", "name"}),
        ("upper case for port and name", {"port", "name"}),
    ],
)
def test_a_wish_is_followed_where_it_is_clear(instruction: str, columns: set[str]) -> None:
    assert changed(instruction) == columns
    assert not [note for note in ask(FRAME, instruction).notes if "names no column" in note]


@pytest.mark.parametrize(
    ("instruction", "columns", "said"),
    [
        (
            "upper case for prot",
            set(),
            "'prot' names no column (did you mean 'port'?): 'upper case for prot' was",
        ),
        (
            "title case for customers",
            set(),
            "'customers' names no column: 'title case for customers' was not followed.",
        ),
        ("upper case for port and nmae", {"port"}, "'nmae' names no column (did you mean 'name'?)"),
        (
            "leave remrk alone; upper case",
            set(),
            "'leave remrk alone' was not followed, nor what is asked of all columns.",
        ),
        ("leave remrk alone; upper case for port", {"port"}, "'remrk' names no column (did you mean 'remark'?)"),
        ("null word late for remrk", set(), "'remrk' names no column (did you mean 'remark'?)"),
        (
            "whole numbers for qty",
            set(),
            "'qty' names no column: 'whole numbers for qty' was not followed.",
        ),
    ],
)
def test_a_wish_for_a_column_that_is_not_there_is_not_followed(instruction: str, columns: set[str], said: str) -> None:
    """A misspelt name would put every column in capitals, or change the very one that is to be left alone."""
    assert changed(instruction) == columns
    [note] = [note for note in ask(FRAME, instruction).notes if "names no column" in note]
    assert said in note


def test_words_that_name_nothing_do_not_matter_where_nothing_is_understood_of_them() -> None:
    """What only a language model can do is said in a sentence of its own."""
    [note] = ask(FRAME, "Translate the remrk.").notes[:1]
    assert note.startswith("Nothing of the instruction was understood.")


def test_dates_are_asked_of_the_other_columns_where_one_is_left_alone() -> None:
    """Nobody said that a name should hold a date."""
    frame = column(["2024-05-04", "05.05.2024"] * 15, "day", who=["Ann Lee", "Bo Ray"] * 15, price=["1", "2"] * 15)
    assert not [note for note in ask(frame, "leave price alone, ISO dates").notes if "should hold dates" in note]


def test_words_for_what_cells_are_name_no_column() -> None:
    """ISO dates are asked of all dates, also where one column is called `date`."""
    days = ["04.05.2024", "25.05.2024"] * 15
    frame = column(days, "date").assign(born=days)
    cleaned, _ = settle(frame, "ISO dates, day first")
    assert list(cleaned["born"][:2]) == list(cleaned["date"][:2]) == ["2024-05-04", "2024-05-25"]
    cleaned, _ = settle(frame, "date as ISO date, day first")
    assert list(cleaned["born"]) == days
