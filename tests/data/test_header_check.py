"""Whether names of columns look like data is asked of every table before anything else: it must not take long."""

from collections import Counter

import pyarrow as pa
import pytest

from orchestrator.data.profile import header_check
from orchestrator.data.profile.header_check import data_in_header

CELLS = ["a12", "b7", "c9"] * 20


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often the form of each text was looked for."""
    calls, form = Counter[str](), header_check._form

    def count(text: str) -> str:
        calls[text] += 1
        return form(text)

    monkeypatch.setattr(header_check, "_form", count)
    return calls


def test_usual_names_are_names_whatever_is_below(asked: Counter[str]) -> None:
    assert data_in_header(pa.table({"order_date": CELLS, "k4": CELLS})) == ()
    assert not asked


def test_names_above_numbers_are_names_whatever_other_columns_hold(asked: Counter[str]) -> None:
    assert data_in_header(pa.table({"k4": CELLS, "foo": ["12", "13"] * 30, "bar": ["12", "13"] * 30})) == ()
    assert not asked


def test_the_form_of_a_text_is_looked_for_once_and_only_where_it_begins_as_the_name_does(asked: Counter[str]) -> None:
    """The name has the form of a fifth of the cells, and so it may be one of them."""
    rows = pa.table({"k4": [*CELLS, *["1999", "A and B"] * 20], "m5": CELLS + ["(x)"] * 40})
    assert data_in_header(rows) == ("k4", "m5")
    assert asked["a12"] == 2  # in two columns
    assert asked["1999"] == asked["A and B"] == asked["(x)"] == 0
