"""The built-in proposer asks a question about a text or a column once, however many columns and rules there are."""

from collections import Counter
from typing import Any

import pytest

from orchestrator.propose.builtin.rules import named_units
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
