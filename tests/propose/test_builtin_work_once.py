"""The built-in proposer asks a question about a text or a column once, however many columns and rules there are."""

from collections import Counter
from typing import Any

import pytest

from orchestrator.core.conventions import ColumnConvention
from orchestrator.propose.builtin.rules import booleans, dates, named_units, number_parts, replaced_characters
from orchestrator.propose.builtin.rules.forms import joined_numbers
from orchestrator.propose.builtin.working_rows import TextColumn, WorkingRows
from tests.propose.builtin_help import ask, column

COLUMNS = 30


class Calls(Counter[Any]):
    """Counts the calls of a function by their first argument, in place of the function."""

    def __init__(self, patch: pytest.MonkeyPatch, module: Any, name: str) -> None:
        super().__init__()
        self.function = getattr(module, name)
        patch.setattr(module, name, self)

    def __call__(self, first: Any, *more: Any, **named: Any) -> Any:
        self[first] += 1
        return self.function(first, *more, **named)


def test_which_columns_hold_units_is_not_asked_again_for_each_column_of_numbers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    amounts = {f"amount {place}": ["1 kg", "2 kg", "3 kg", "4", "5", "6"] * 5 for place in range(COLUMNS)}
    calls = Calls(monkeypatch, named_units, "words_of")
    ask(column(["kg", "g"] * 15, "unit", **amounts))
    assert calls["unit"] == 1
    assert max(calls.values()) <= 4  # and what the column's own name says


def test_whether_a_text_is_a_date_or_a_number_is_found_out_once(monkeypatch: pytest.MonkeyPatch) -> None:
    dates._is_read_as_date.cache_clear()
    number_parts._is_number.cache_clear()
    shaped, split = Calls(monkeypatch, dates, "_read_date"), Calls(monkeypatch, number_parts, "parts_of")
    days, sizes = ([f"{kind}{place:02}" for place in range(10, 28)] for kind in ("2024-02-", "36."))
    ask(column(days, "day", other=days, size=sizes))
    assert shaped["2024-02-11"] < 6  # by the rule of dates itself, with what it has learnt
    assert split["36.11"] == 2  # once more with what the name of the column says


def test_long_texts_are_not_remembered() -> None:
    dates._is_read_as_date.cache_clear()
    number_parts._is_number.cache_clear()
    assert not dates.looks_like_date("2024-02-11" + " " * 40)
    assert not number_parts.looks_numeric("1" * 41)
    assert dates._is_read_as_date.cache_info().currsize == number_parts._is_number.cache_info().currsize == 0


def test_texts_as_long_as_no_frequent_one_are_not_looked_through_for_marks(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = Calls(monkeypatch, replaced_characters, "_filled_in")
    ask(column(["hospital"] * 8 + ["hxspital", "an x in a text of another length"], "kind"))
    assert calls["hxspital"] > 0
    assert calls["an x in a text of another length"] == 0


def test_other_signs_between_numbers_are_not_looked_for_where_too_few_cells_have_any(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    calls = Calls(monkeypatch, joined_numbers, "_same_joint")
    ask(column([f"{place}00 rooms" for place in range(1, 40)], "size"))
    assert calls["100 rooms"] == 3  # once for each kind of signs


def test_the_case_of_texts_is_folded_once_for_all_vocabularies_of_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    folded, asked = booleans._folded, Counter[str]()

    def count(column: TextColumn) -> Counter[str]:
        asked[column.name] += 1
        return folded(column)

    monkeypatch.setattr(booleans, "_folded", count)
    for name, texts in (("answer", ["yes", "Yes", "no", "y"] * 5), ("word", ["a", "b", "c"])):
        one = TextColumn(name, [*texts])
        found = booleans._look(one, ColumnConvention(), WorkingRows((one,), len(texts)))
        assert (found is not None) == (name == "answer")
    assert asked == {"answer": 1, "word": 1}
