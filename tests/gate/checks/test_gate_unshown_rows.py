"""What an example shows of an added column does not speak for rows of another form, or made in another way."""

from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa
import pytest

from orchestrator.core.candidate import Example
from orchestrator.core.ports import Sample, VerifyRequest
from orchestrator.core.verdict import Verdict
from orchestrator.gate.information.beyond_shown.words_of_rows import words_unshown
from orchestrator.gate.information.row_evidence.added_parts import cut_elsewhere
from orchestrator.gate.information.row_evidence.shown_forms import forms_unshown
from orchestrator.gate.information.row_evidence.shown_relations import otherwise_made
from orchestrator.gate.verifier import Verifier

TOTAL = '''
"""Orders need their total."""
import pandas as pd

CONTRACT = {"modifies": [], "adds": ["total"]}


def totals(df):
    """Pieces times price, less the discount."""
    pieces, price = pd.to_numeric(df["pieces"], errors="coerce"), pd.to_numeric(df["price"], errors="coerce")
    rate = pd.to_numeric(df["discount"].str.rstrip("%"), errors="coerce") / 100
    return df.assign(total=(pieces * price * (1 - rate)).round(2))
'''
NO_DISCOUNT = TOTAL.replace(" * (1 - rate)", " + 0 * rate")
ORDERS = pa.table(
    {
        "pieces": [str(1 + n % 7) for n in range(80)],
        "price": [f"{1.25 * n + 3:.2f}" for n in range(80)],
        "discount": [f"{5 * (n % 3)}%" for n in range(80)],
    }
)
SHOWN = Example(input={"pieces": "1", "price": "3.00", "discount": "0%"}, output={"total": 3.0})


def judged(gate: Verifier, source: str, *shown: Example) -> Verdict:
    sample = Sample(ORDERS.slice(0, 60), ORDERS.slice(60))
    return gate.verify(VerifyRequest(source, sample, quick=True, instruction="Add the column total.", examples=shown))


def test_an_example_without_a_discount_does_not_free_the_rows_with_one(gate: Verifier) -> None:
    """The person is asked about such a row, and the right function passes with the answer."""
    wrong, right = judged(gate, NO_DISCOUNT, SHOWN), judged(gate, TOTAL, SHOWN)
    assert {one.kind for one in wrong.concerns} == {"form-unshown", "made-otherwise"}
    assert {one.input["discount"] for one in wrong.questions if isinstance(one.input, dict)} & {"5%", "10%"}
    assert right.held
    answers = [Example(input=one.input, output=one.output) for one in right.questions]
    assert judged(gate, TOTAL, SHOWN, *answers).passed


def years(born: str, day: str) -> int:
    return int(day[:4]) - int(born[:4]) - (day[5:] < born[5:])


BORN = [f"{1950 + n}-{1 + n % 12:02}-11" for n in range(40)]
JOINED = [f"2020-{1 + 5 * n % 12:02}-0{1 + n % 9}" for n in range(40)]
DATES = {"born": BORN, "joined": JOINED}
AGES = [years(*dates) for dates in zip(BORN, JOINED, strict=True)]
NEAREST = [2020 - int(born[:4]) for born in BORN]
DAY_SHOWN = [({"born": "1950-01-11", "joined": "2020-03-20"}, 70)]
SIZES = {"size": ["10x20x30", "100x40x7"] * 20}
WEIGHTS = {"weight": ["3 kg", "1.53 kg", "870 g"] * 20}
SHOWN_WEIGHTS = [({"weight": "3 kg"}, 3000), ({"weight": "500 g"}, 500)]
PARTS: dict[str, list[str | None]] = {
    "pieces": [None, *map(str, range(1, 40))],
    "price": [str(n) for n in range(3, 43)],
}
PRODUCTS = [3, *(n * (n + 3) for n in range(1, 40))]


@pytest.mark.parametrize(
    ("made", "columns", "shown", "found"),
    [
        pytest.param(AGES, DATES, DAY_SHOWN, False, id="whole years"),
        pytest.param(NEAREST, DATES, DAY_SHOWN, True, id="years that are not over"),
        pytest.param([10, 100] * 20, SIZES, [({"size": "5x6x7"}, 5)], False, id="the first number"),
        pytest.param([10, 7] * 20, SIZES, [({"size": "5x6x7"}, 5)], True, id="the smallest number"),
        pytest.param([3000, 1530, 870] * 20, WEIGHTS, SHOWN_WEIGHTS, False, id="a unit"),
        pytest.param([3000, 1000, 870] * 20, WEIGHTS, SHOWN_WEIGHTS, True, id="a unit without decimals"),
        pytest.param(PRODUCTS, PARTS, [({"pieces": "2", "price": "5"}, 10)], True, id="a product of one number"),
        pytest.param([None, *PRODUCTS[1:]], PARTS, [({"pieces": "2", "price": "5"}, 10)], False, id="a product"),
    ],
)
def test_what_the_examples_show_of_row_and_value_holds_for_the_others(
    made: Sequence[Any], columns: Mapping[str, Sequence[Any]], shown: Any, *, found: bool
) -> None:
    """A row that is made in another way is in doubt; nothing is said where the examples fit no known way."""
    assert (otherwise_made(made, columns, shown) is not None) is found
    assert otherwise_made(made, columns, [(row, "as usual") for row, _ in shown]) is None


def test_an_example_of_the_other_way_settles_it() -> None:
    """Then both ways are shown, and neither is the only one."""
    other = ({"born": "1950-05-11", "joined": "2020-03-20"}, 70)
    assert otherwise_made(NEAREST, DATES, [*DAY_SHOWN, other]) is None


def test_a_row_that_has_what_the_others_are_made_of_gets_it() -> None:
    """Nothing is doubted that would lie outside of all others, nor once an example shows a row with nothing."""
    shown = [({"pieces": "2", "price": "5"}, 10), ({"pieces": "4", "price": "8"}, 32)]
    inside, outside = ([None if at in (0, bare) else value for at, value in enumerate(PRODUCTS)] for bare in (20, 39))
    assert otherwise_made(inside, PARTS, shown) == 20
    assert otherwise_made(outside, PARTS, shown) is None
    assert otherwise_made(inside, PARTS, [*shown, ({"pieces": "3", "price": "1"}, None)]) is None


def test_a_word_of_another_column_may_decide_otherwise() -> None:
    """Where the examples have no row with it, nothing is known of such rows."""
    columns = {"price": [str(n) for n in range(1, 41)], "pieces": ["7", "8"] * 20, "state": ["sold", "gift"] * 20}
    made = [int(price) * 7 if state == "sold" else 0 for price, _, state in zip(*columns.values(), strict=True)]
    shown = [({"price": "3", "pieces": "7", "state": "sold"}, 21)]
    assert otherwise_made(made, columns, shown) is None
    assert otherwise_made(made, columns, [*shown, ({"price": "4", "pieces": "8", "state": "gift"}, 32)]) is not None


@pytest.mark.parametrize(
    ("cell", "shown", "found"),
    [
        ("400 ft", "400 m", True),
        ("9,50", "9.50", True),
        ("10%", "0%", True),
        ("1.53 kg", "3 kg", True),
        ("3 kg", "1.53 kg", False),
        ("0%", "10%", False),
        ("X12", "Y3", False),
        ("10:30", "9:00", False),
        (7.5, 3, False),
        (7.5, 0, True),
    ],
)
def test_numbers_are_covered_by_numbers_of_their_form(cell: object, shown: object, *, found: bool) -> None:
    """Units, decimals, the mark of decimals, and numbers that are nothing; codes and times have no such form."""
    assert bool(forms_unshown([shown, cell], [77, 78], [(shown, 77)])) is found


def test_a_number_that_stands_in_the_cell_needs_no_example_of_its_form() -> None:
    """It was read, and not computed; where the forms are too many, nothing is said either."""
    assert not forms_unshown(["4 ft"], [4], [("4 m", 4)])
    assert not forms_unshown([f"{'9 x ' * n}9" for n in range(1, 20)], [77] * 19, [("4 m", 4)])


COUNTS = '''
"""Books need the number of their authors."""
CONTRACT = {"modifies": [], "adds": ["number"]}


def number(df):
    """How many names are listed."""
    return df.assign(number=[MADE for v in df["authors"]])
'''


@pytest.mark.parametrize(
    ("made", "held"),
    [
        ("len(v.split(';')) if isinstance(v, str) else 0", False),
        ("7", False),
        ("len(v.split(';')) if isinstance(v, str) else 1", True),
    ],
)
def test_nothing_counted_is_zero(gate: Verifier, made: str, *, held: bool) -> None:
    """And a constant is made of nothing. Any other number of a row that holds nothing is made up."""
    cells = [None if n % 5 == 0 else ";".join("abc"[: 1 + n % 3]) for n in range(60)]
    rows = pa.table({"authors": pa.array(cells, pa.string())})
    shown = Example(input={"authors": "a;b;c"}, output={"number": 7 if made == "7" else 3})
    request = VerifyRequest(
        COUNTS.replace("MADE", made), Sample(rows, rows.slice(0, 0)), quick=True, instruction="number", examples=[shown]
    )
    verdict = gate.verify(request)
    assert not verdict.failures
    assert [one.kind for one in verdict.concerns] == (["made-otherwise"] if held else [])


GRADES = ["A", "A-", "B+", "B", "C", "F"]
POINTS = ["4", "3.7", "3.3", "3", "2", "0"]
TERMS: dict[str, list[Any]] = {"issued": ["2023-01-05", "2023-02-05", "2023-03-05"], "terms": ["7 days", None, "now"]}
DUE = [({"issued": "2023-01-05", "terms": "7 days"}, "2023-01-12")]


@pytest.mark.parametrize(
    ("made", "cells", "shown", "found"),
    [
        (POINTS, GRADES, [("A-", "3.7"), ("F", "0"), ("B", "3")], "looked up"),
        (POINTS, GRADES, list(zip(GRADES, POINTS, strict=True)), ""),
        (["2", "1"], ["tea;milk", "tea"], [("tea;milk", "2")], ""),
        (["2", "1"], ["tea;milk", "none"], [("tea;milk", "2")], "for nothing"),
        (["2", "0"], ["tea;milk", "none"], [("tea;milk", "2")], ""),
        (["2", "1"], ["tea;milk", "none"], [("none", "1")], ""),
        (["Jo Low", "Al Ray"], ["Jo /Low/", "Al /Ray/ Jr."], [("Jo /Low/", "Jo Low")], "loses a word"),
        (["Jo Low", "Al Ray Jr."], ["Jo /Low/", "Al /Ray/ Jr."], [("Jo /Low/", "Jo Low")], ""),
        (["Low", "Ray"], ["Jo /Low/", "Al /Ray/ Jr."], [("Jo /Low/", "Low")], ""),
        (["5", "1"], ["serves 5", "1 dozen"], [("serves 5", "5")], "how many times"),
        (["5", "12"], ["serves 5", "1 dozen"], [("serves 5", "5")], ""),
        (["GBP", "USD"], ["GBP 3", "99"], [("GBP 3", "GBP")], "number alone"),
        (["GBP", None], ["GBP 3", "99"], [("GBP 3", "GBP")], ""),
        (["yes", "no", "no"], ["bug", "type: bug", "docs"], [("bug", "yes"), ("docs", "no")], "says yes"),
        (["yes", "no", "no"], ["bug", "not a bug", "docs"], [("bug", "yes"), ("docs", "no")], ""),
        (["yes", "yes", "no"], ["bug", "type: bug", "docs"], [("bug", "yes"), ("docs", "no")], ""),
        ([True, False], ["Theft", "Auto"], [("Auto", False)], "answer that no example has"),
        ([True, False], ["Theft", "Auto"], [("Auto", False), ("Theft", True)], ""),
    ],
)
def test_a_word_of_the_row_wants_an_example(made: list[Any], cells: list[str], shown: Any, found: str) -> None:
    """One that is looked up, counted, left out or denied; a right value beside the same examples is not doubted."""
    rows = [({"cell": cell}, value) for cell, value in shown]
    reasons = [reason for _, _, reason in words_unshown(made, {"cell": cells}, rows)]
    assert bool(reasons) is bool(found)
    assert all(found in reason for reason in reasons)


@pytest.mark.parametrize(
    ("due", "found"),
    [
        (["2023-01-12", None, None], []),
        (["2023-01-12", "2023-02-05", None], []),
        (["2023-01-12", "2023-02-12", None], [1]),
        (["2023-01-12", None, "2023-03-06"], [2]),
    ],
)
def test_a_day_is_counted_from_nothing_and_from_a_word_only_where_an_example_does(due: list[Any], found: Any) -> None:
    """A day that stands in the row is not counted."""
    assert [row for _, row, _ in words_unshown(due, TERMS, DUE)] == found


def test_a_unit_is_not_read_as_it_is_where_another_one_is_converted() -> None:
    """5 g is 5000 mg, so 16 ug are not 16; where all numbers stay, the units may."""
    assert forms_unshown(["5 g", "16 ug"], [5000, 16], [("5 g", 5000)])
    assert not forms_unshown(["5 g", "16 ug"], [5, 16], [("5 g", 5)])


def test_the_last_figure_of_a_number_is_a_cut_where_the_examples_only_leave_zeros_out() -> None:
    """4 is all of 04, and 9 is not 19."""
    cells, shown = {"ward": ["04A", "19-B"]}, [({"ward": "04A"}, {"v": "4"})]
    assert cut_elsewhere(["4", "9"], cells, shown, "v") == (1, "ward")
    assert cut_elsewhere(["4", "19"], cells, shown, "v") is None
