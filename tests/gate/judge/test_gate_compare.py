"""When two cells are the same."""

import datetime as dt
import decimal

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from orchestrator.core.verdict import Counterexample
from orchestrator.gate.judge.compare import (
    MAX_CELL,
    MAX_SHOWN_COLUMNS,
    difference,
    differing,
    narrowed,
    plain,
    shown_rows,
)

NAN = float("nan")


def same(one: pa.Array, other: pa.Array) -> bool:
    return not differing(pa.chunked_array([one]), pa.chunked_array([other])).any()


@pytest.mark.parametrize(
    ("one", "other", "equal"),
    [
        (pa.array(["a", None]), pa.array(["a", None]), True),
        (pa.array(["a", None]), pa.array(["a", ""]), False),
        (pa.array(["a"]), pa.array(["a"], pa.large_string()), True),
        (pa.array(["e\u0301"]), pa.array(["\u00e9"]), False),
        (pa.array([1.0, NAN]), pa.array([1.0, NAN]), True),
        (pa.array([NAN]), pa.array([None], pa.float64()), True),
        (pa.array([0.0]), pa.array([-0.0]), False),
        (pa.array([0.0], pa.float32()), pa.array([-0.0], pa.float32()), False),
        (pa.array([0.1 + 0.2]), pa.array([0.3]), False),
        (pa.array([1]), pa.array([1.0]), False),
        (pa.array([1]), pa.array(["1"]), False),
        (pa.array([2**63 - 1]), pa.array([2**63 - 2]), False),
        (pa.array([True, None]), pa.array([True, False]), False),
        (pa.array([[1.0, NAN]]), pa.array([[1.0, NAN]]), True),
        (pa.array([{"a": 0.0}]), pa.array([{"a": -0.0}]), False),
        (pa.array([dt.date(2020, 1, 1)]), pa.array([dt.date(2020, 1, 2)]), False),
        (pa.array([decimal.Decimal("1.10")]), pa.array([decimal.Decimal("1.10")]), True),
        (pa.nulls(2), pa.nulls(2), True),
        (pa.array([], pa.string()), pa.array([], pa.string()), True),
    ],
)
def test_cells(one: pa.Array, other: pa.Array, equal: bool) -> None:
    """Type and value both count; NaN is NaN, a null is a missing float, minus zero is not zero."""
    assert same(one, other) is equal
    assert same(other, one) is equal


CELLS = st.one_of(
    st.lists(st.one_of(st.none(), st.text(max_size=5)), min_size=1, max_size=8).map(lambda v: pa.array(v, pa.string())),
    st.lists(st.one_of(st.none(), st.floats()), min_size=1, max_size=8).map(lambda v: pa.array(v, pa.float64())),
    st.lists(st.one_of(st.none(), st.booleans()), min_size=1, max_size=8).map(lambda v: pa.array(v, pa.bool_())),
)


@settings(max_examples=60, deadline=None)
@given(CELLS)
def test_every_column_is_the_same_as_itself(column: pa.Array) -> None:
    """The comparison is reflexive, however the column is chunked."""
    halves = pa.chunked_array([column.slice(0, 1), column.slice(1)])
    assert not differing(pa.chunked_array([column]), halves).any()


def test_difference_names_row_and_columns() -> None:
    """The first differing row and its columns are named; a table is not different from itself."""
    one = pa.table({"a": ["x", "y", "z"], "b": [1, 2, 3]})
    other = pa.table({"a": ["x", "Y", "Z"], "b": [1, 2, 4]})
    assert difference(one, one) == ("", None, [])
    detail, row, columns = difference(one, other)
    assert row == 1
    assert columns == ["a"]
    assert "2 of 3 rows" in detail
    assert "1 rows instead of 3" in difference(one, one.slice(0, 1))[0]
    assert "columns" in difference(one, one.select(["b", "a"]))[0]


def test_shown_cells_are_short_plain_json() -> None:
    """Long text is cut, what JSON lacks becomes text, wide tables show the columns that matter."""
    assert len(plain("x" * 10_000)) == MAX_CELL
    assert plain(NAN) == "nan"
    assert plain(2**70) == str(2**70)
    assert plain(dt.date(2020, 1, 2)) == "2020-01-02"
    assert plain([{"a": b"x"}]) == '[{"a": "b\'x\'"}]'
    wide = pa.table({f"c{n}": [n] for n in range(50)})
    assert shown_rows(wide, [0], ["c40"]) == ({"c40": 40},)


def test_the_column_that_it_is_about_is_shown_however_many_differ() -> None:
    before, after = ({f"c{n}": text for n in range(50)} for text in ("a", "b"))
    shown = narrowed(Counterexample(input=(before,), output=(after,)), ["c40"])
    assert shown is not None
    assert len(shown.input[0]) == len(shown.output[0]) == MAX_SHOWN_COLUMNS
    assert (shown.input[0]["c40"], shown.output[0]["c40"]) == ("a", "b")


def test_another_type_is_said() -> None:
    """Months that are whole numbers, or floats where a day is missing, looked the same and differed in every row."""
    whole, gaps = pa.table({"month": pa.array([3, 4], pa.int32())}), pa.table({"month": [3.0, None]})
    detail, _, _ = difference(whole, gaps)
    assert detail.endswith("rows differ, in 'month' (float64 instead of int32 in 'month')")
    assert "(" not in difference(whole, pa.table({"month": pa.array([3, 5], pa.int32())}))[0]
    texts, large = pa.table({"a": ["x"]}), pa.table({"a": pa.array(["y"], pa.large_string())})
    assert "(" not in difference(texts, large)[0]
