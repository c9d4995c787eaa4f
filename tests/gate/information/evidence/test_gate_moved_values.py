"""Values that go to another column of their row, or repeat one there; and what the row says of an empty cell."""

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from orchestrator.core.candidate import Contract, Example, ExampleSource
from orchestrator.core.policy import GatePolicy
from orchestrator.gate.checks.keeps_information import check
from orchestrator.gate.information.null_tokens import says_nothing
from orchestrator.gate.information.row_evidence.copied import copied_from_another
from orchestrator.gate.information.row_evidence.exchanged import exchanged_rows
from orchestrator.gate.information.row_evidence.filled import made_up
from orchestrator.gate.information.row_evidence.measures import measured_rows, shared_rows
from orchestrator.gate.information.row_evidence.moved import appended_rows, copied_as_shown, moved_into, repeats
from orchestrator.gate.information.row_evidence.slips_beside import slips_beside
from orchestrator.gate.judge.observations import CaseObservation, Observations, OpResult
from tests.gate.information.test_gate_suspicions import anything
from tests.support.cpu_time import assert_growth

if TYPE_CHECKING:
    from orchestrator.gate.information.changes import Change

QUICK = settings(max_examples=60, deadline=None)
Columns = dict[str, list[Any]]


def concerns(before: Columns, after: Columns, *shown: tuple[dict[str, Any], dict[str, Any]]) -> str:
    """What the whole check says of a function that changes all these columns; "" when it is content."""
    changed = tuple(name for name in before if before[name] != after[name])
    tables = (pa.table({name: pa.array(cells, pa.string()) for name, cells in one.items()}) for one in (before, after))
    given, result = tables
    contract = Contract(modifies=changed)
    seen = {"f": OpResult("returned", table=result, index=np.arange(given.num_rows))}
    examples = [Example(input=one, output=other) for one, other in shown]
    view = Observations(
        contract,
        False,
        GatePolicy(),
        {"working": CaseObservation("working", given, contract, seen)},
        examples=examples,
        sources=[ExampleSource.USER] * len(examples),
    )
    judged = check(view)
    assert judged is not None
    return judged.detail


NOTES = ["fragile", "call first", "none left", "ring twice"]


def test_a_value_that_is_put_behind_another_one_is_not_lost() -> None:
    """A remark that moves to the end of its row's text; one that is lost, or another one, is."""
    texts = ["a red lamp", "an old mug", "a vase", "a desk"]
    joined = [f"{text}; {note}" for text, note in zip(texts, NOTES, strict=True)]
    before: Columns = {"text": texts, "note": list(NOTES)}
    assert concerns(before, {"text": joined, "note": [None] * 4}) == ""
    assert concerns(before, {"text": joined[1:] + joined[:1], "note": [None] * 4})
    assert concerns(before, {"text": [*joined[:3], texts[3]], "note": [None] * 4})


def test_a_value_that_other_rows_keep_moves_where_a_witness_moves_one() -> None:
    """`mill`, of which the other rows of its column say that it is at home there, goes to an empty cell beside it."""
    before: Columns = {
        "city": ["mill"] * 4 + ["rome", "oslo"],
        "street": [None, "a road", "a lane", "an alley", "x", "y"],
    }
    after: Columns = {"city": [None, *before["city"][1:]], "street": ["mill", *before["street"][1:]]}
    shown = ({"city": "bonn", "street": None}, {"city": None, "street": "bonn"})
    assert "become empty" in concerns(before, after)
    assert concerns(before, after, shown) == ""


def test_many_columns_cost_what_each_costs_alone() -> None:
    """Which empty cells of a row were filled is found once, and not for each other column: 500 took a minute."""

    def judge(columns: int) -> None:
        before = {f"c{n}": [f"text {row} " for row in range(40)] for n in range(columns)}
        assert concerns(before, {name: [cell.strip() for cell in cells] for name, cells in before.items()}) == ""

    assert_growth(partial(judge, 40), partial(judge, 240), below=12)


@pytest.mark.parametrize(
    ("cell", "beside", "believed"),
    [
        (("a lamp", "a lamp (fragile)"), ("fragile", None), True),
        (("a lamp", "a lamp, 7"), (7, None), True),
        (("a lamp", "a lamp, fragile"), ("fragile", "fragile"), False),
        (("a lamp", "a lamp, old"), ("fragile", None), False),
        (("a lamp", "lamp, fragile"), ("fragile", None), False),
        (("", "fragile"), ("fragile", None), False),
        ((None, "fragile"), ("fragile", None), False),
        ((7, "7, fragile"), ("fragile", None), False),
        (("a lamp", "a lamp"), (None, None), False),
        (("shelf 3", "shelf 3; 2 broken"), ("12 (2 broken)", "12"), True),
        (("12 (2 broken)", "12"), ("shelf 3", "shelf 3; 2 broken"), True),
        (("shelf 3", "shelf 3; 2 broken"), ("12 (3 broken)", "12"), False),
        (("shelf 3", "shelf 3; 2 broken"), ("12 (2 broken)", "13"), False),
        (("12 (2 broken)", "12"), ("shelf 3", "2 broken"), False),
    ],
)
def test_what_is_appended_is_what_the_other_column_gave_up(
    cell: tuple[Any, Any], beside: tuple[Any, Any], believed: bool
) -> None:
    """Nothing else is new, nothing of the text is gone; the other cell is empty now, or lost just that at its end."""
    assert appended_rows([cell], [beside], [0]) == ([0] if believed else [])


@pytest.mark.parametrize(
    ("value", "beside", "believed"),
    [
        ("fragile", ("a lamp", "a lamp (Fragile!)"), True),
        ("ada@a.org", (None, "ada@a.org"), True),
        ("5", ("3 May", "3 May, 5"), True),
        ("5", (None, "2025-05-03"), False),
        ("5", ("3 April 25", "2025-04-03"), False),
        ("fragile", ("a fragile lamp", "a lamp, fragile"), False),
        ("fragile", (None, None), False),
        ("??", (None, "a lamp"), False),
        (None, (None, "a lamp"), False),
        ([1], (None, {"a": 2}), False),
    ],
)
def test_a_value_has_moved_where_another_cell_holds_it_that_did_not(
    value: Any, beside: tuple[Any, Any], believed: bool
) -> None:
    """A short one as a word of its own, and no value that stood there anyway."""
    assert moved_into(value, [beside]) is believed
    assert not moved_into(value, [])


def test_cells_that_only_repeat_their_neighbour_may_be_emptied() -> None:
    """All of them, and no other: where one repetition stays, or another value goes, something else is meant."""
    bill = ["Elm St 1", "Oak St 2", "Main St 3", "Lake St 4", "Hill St 5"]
    ship = [*bill[:3], "Dock 9", None]
    assert concerns({"bill": bill, "ship": ship}, {"bill": bill, "ship": [None] * 3 + ["Dock 9", None]}) == ""
    assert concerns({"bill": bill, "ship": ship}, {"bill": bill, "ship": [None, None, *ship[2:]]})
    assert concerns({"bill": bill, "ship": ship}, {"bill": bill, "ship": [None] * 5})
    assert not repeats(["a", "b", "x"], ["a", "b", "y"], [0, 1])
    assert not repeats([], [], [])


NAMES: Columns = {"first": ["Ada", "LISKOV", "KNUTH", "DYK"], "last": ["King", "Barbara", "Barbara", "Barbara"]}
TURNED: Columns = {"first": ["Ada", "Barbara", "Barbara", "Barbara"], "last": ["King", "LISKOV", "KNUTH", "DYK"]}
SHOWN = ({"first": "HOPPER", "last": "Grace"}, {"first": "Grace", "last": "HOPPER"})


def test_values_are_exchanged_where_a_witness_shows_it() -> None:
    """Two may get one name if it stands beside both; not that of another row, nor where cells are written otherwise."""
    assert concerns(NAMES, TURNED)
    assert concerns(NAMES, TURNED, SHOWN) == ""
    assert concerns({**NAMES, "last": ["King", "Barbara", "Don", "Edsger"]}, TURNED, SHOWN)
    names = {"first": "HOPPER", "last": "Grace"}, {"first": "Grace", "last": "HOPPER"}
    turned = [("Ada", "King"), ("LISKOV", "Barbara"), ("KNUTH", "Don")]
    assert copied_as_shown("first", turned, {"last": ["King", "Barbara", "Donald"]}, [names]) == [1]


def test_a_copy_that_is_shown_empties_no_cell() -> None:
    """Where the other column has nothing, the value is gone, whatever the witness shows of other rows."""
    shown = [({"a": "x", "b": "y1"}, {"a": "y1", "b": "y1"})]
    cells = [("q", "z2"), ("w", None), ("Q", "z2")]
    assert copied_as_shown("a", cells, {"b": ["z2", None, "z2"]}, shown) == [0]
    assert copied_as_shown("a", cells, {"b": ["z2", None, "z2"]}, []) == []


AMOUNTS = [(text, text) for text in ("12.50", "7.00", "130.25", "9.99")]


def test_a_column_of_figures_gets_no_words() -> None:
    """A word of the row is no amount; a number of the row is, and among few cells nobody knows what they hold."""
    assert made_up([*AMOUNTS, (None, "refund")], [4], [["", "", "", "", "refund of 20"]]) == [4]
    assert made_up([*AMOUNTS, (None, "20")], [4], [["", "", "", "", "refund of 20"]]) == []
    assert made_up([*AMOUNTS[:2], (None, "refund")], [2], [["", "", "refund of 20"]]) == []


def test_the_end_of_a_number_is_not_said_by_its_row() -> None:
    """2138 is no postcode that `MA 02138` says; 02138 is, and 138 of A138."""
    assert made_up([(None, "2138")], [0], [["MA 02138"]]) == [0]
    assert made_up([(None, "02138")], [0], [["MA 02138"]]) == []
    assert made_up([(None, "138")], [0], [["A138"]]) == []


@pytest.mark.parametrize(
    ("value", "beside", "said"),
    [
        ("100", "/users/1001/orders", False),
        ("1001", "/users/1001/orders", True),
        (100.2, 10020.0, False),
        ("49.90", "£49.90", True),
        ("0171 150", "0171 150 mobile", True),
    ],
)
def test_number_that_is_a_part_of_another_one_is_not_said(value: object, beside: object, *, said: bool) -> None:
    """The figures of a number in another cell are not numbers that it says; a whole one is."""
    assert (made_up([(None, value)], [0], [[beside]]) == []) is said


@QUICK
@given(st.lists(st.tuples(anything, anything, anything, anything), max_size=6))
def test_rows_speak_for_changed_cells_only(rows: list[tuple[Any, Any, Any, Any]]) -> None:
    """Whatever the cells hold, only rows of the column are named, and of those only what they are about."""
    cells, beside = [row[:2] for row in rows], [row[2:] for row in rows]
    others = [one for one, _ in beside]
    shown = [({"a": before, "b": other}, {"a": other, "b": other}) for before, _, other, _ in rows]
    every = range(len(rows))
    assert all(str(cells[row][1]).startswith(str(cells[row][0])) for row in appended_rows(cells, beside, every))
    assert all(cells[row][1] == others[row] for row in copied_as_shown("a", cells, {"b": others}, shown))
    assert all(says_nothing(cells[row][0]) for row in made_up(cells, every, [others]))
    assert not any(moved_into(one, [(other, other)]) for one, other, *_ in rows)
    assert not repeats([one for one, _ in cells], others, [])
    for law in (measured_rows, shared_rows, exchanged_rows):
        assert set(law(cells, beside, every)) <= set(every)
    assert set(slips_beside(cells, every, [others])) <= set(every)


@pytest.mark.parametrize(
    ("depth", "unit", "believed"),
    [
        ((43.1, 13.14), ("feet", "m"), True),
        ((10.0, 18.29), ("fathoms", "m"), True),
        ((43.1, 13.0), ("feet", "m"), False),
        ((43.14, 13.1), ("feet", "m"), False),
        ((12.0, 4.0), ("ft", "m"), False),
        ((43.1, 13.24), ("feet", "m"), False),
        ((12, 12000), ("thousands", "units"), True),
        ((12, 12000), ("000s", "units"), True),
        ((12, 1200), ("000s", "units"), False),
    ],
)
def test_a_number_may_be_rounded_when_its_unit_changes(
    depth: tuple[float, float], unit: tuple[str, str], believed: bool
) -> None:
    """To no fewer decimals than it had, and not to none."""
    assert measured_rows([depth], [unit], [0]) == ({0} if believed else set())


def test_an_empty_list_fills_nothing() -> None:
    """`---` as a list without items says no more than it did; one with an item is made up."""
    cells: list[tuple[Any, Any]] = [("rw-", ["read", "write"]), ("---", []), ("---", ["read"])]
    assert made_up(cells, [1, 2], []) == [2]


def test_an_hour_may_get_its_zero_in_a_moment_that_is_put_together() -> None:
    """`7:23` in the row says 07:23, no other hour."""
    cells: list[tuple[Any, Any]] = [("2020-03-04 09:10", "2020-03-04 09:10"), (None, "2017-11-03 07:23")]
    row = [["2020-03-04", "2017-11-03"], ["9:10", "7:23"]]
    assert made_up(cells, [1], row) == []
    assert made_up([cells[0], (None, "2017-11-03 08:23")], [1], row) == [1]
    assert made_up(cells, [1], [row[0], ["9:10", "17:23"]]) == [1]


def test_a_value_that_stands_beside_the_same_one_by_chance_is_no_repetition() -> None:
    """A price of 2 beside a quantity of 2 is a price; a telephone number beside the same one is there twice."""
    quantity, price = [str(place % 5) for place in range(40)], [str(place % 3) for place in range(40)]
    phones = [f"555 01{place:02}" for place in range(40)]
    second = [*phones[:6], phones[0], *(f"555 77{place:02}" for place in range(33))]  # of two people of one house
    few, again = [f"555 01{place % 3}" for place in range(40)], [f"555 01{place % 5 % 3}" for place in range(40)]
    left = [None if one == other else other for one, other in zip(few, again, strict=True)]
    assert concerns({"phone": few, "phone_2": again}, {"phone": few, "phone_2": left}) == ""
    assert concerns({"phone": few, "fax": again}, {"phone": few, "fax": left})
    for one, other, meant in ((quantity, price, False), (phones, second, True)):
        same = [row for row in range(40) if one[row] == other[row]]
        left = [None if row in same else other[row] for row in range(40)]
        assert ("become empty" in concerns({"one": one, "other": other}, {"one": one, "other": left})) is not meant
        assert repeats(other, one, same) is meant
        assert repeats(other, one, same, by_chance=True) is True


def test_a_value_does_not_move_out_of_the_column_that_keeps_it_in_other_rows() -> None:
    """`English` is a language where the journal is empty, too; a remark may that no row keeps, or the other has."""
    journals = ["Gut", "Brain", "The Lancet", None, None]
    languages = ["English", "English", "English", "English", "German"]
    before: Columns = {"journal": [*journals], "language": [*languages]}
    moved: Columns = {"journal": [*journals[:3], "English", "German"], "language": [*languages[:3], None, None]}
    assert "become empty that" in concerns(before, moved)
    remarks: Columns = {"name": ["Ada", "Bo", "Cy", None, None], "remark": ["new", "old", "big", "Dee", "Eve"]}
    given: Columns = {"name": ["Ada", "Bo", "Cy", "Dee", "Eve"], "remark": ["new", "old", "big", None, None]}
    assert "empty" not in concerns(remarks, given)
    known: Columns = {"journal": [*journals, "English"], "language": [*languages, "English"]}
    assert "empty" not in concerns(
        known, {"journal": [*moved["journal"], "English"], "language": [*moved["language"], "English"]}
    )


@pytest.mark.parametrize(
    ("value", "beside", "believed"),
    [
        ("Dis", "Disorders of speech", False),
        ("A c", "A case of asthma", False),
        ("Disorders", "Disorders of speech", True),
        ("of speech", "Disorders of speech", True),
        ("DE", "DE123456789", True),
        ("York", "openYork 4", True),
        ("new york", "New York-City", True),
        ("rk", "New York", False),
    ],
)
def test_a_part_of_another_cell_is_one_of_whole_words(value: str, beside: str, believed: bool) -> None:
    """A text that is cut out of a word is made up, though all its letters stand there."""
    assert (made_up([(None, value)], [0], [[beside]]) == []) is believed


def test_what_another_column_holds_is_no_value_of_one_that_never_has_such() -> None:
    """The code of a language is no journal; a telephone number is one in either column, and what moves is none."""
    journals = [f"Journal {letter} of Surgery" for letter in "ABCDEFGHIJKLMNOPQRSTUVWXY"]
    codes = ["eng", "ger", "pol", "fre", "ita"] * 5
    before: Columns = {"journal": [*journals, None], "language": [*codes, "pol"]}
    filled: Columns = {"journal": [*journals, "pol"], "language": [*codes, "pol"]}
    assert "nothing in their row says" in concerns(before, filled)
    cells: list[Change] = [*((one, one) for one in journals), ("", "pol")]
    stays: list[Change] = [*((one, one) for one in codes), ("pol", "pol")]
    assert copied_from_another(cells, [25], [stays]) == [25]
    assert copied_from_another(cells, [25], [[*stays[:25], ("pol", None)]]) == []
    assert copied_from_another([*cells[:10], cells[25]], [10], [[*stays[:10], stays[25]]]) == []
    assert copied_from_another([*cells[:24], ("pol", "pol"), cells[25]], [25], [stays]) == []
    blanked: list[Change] = [*((one, one) for one in journals), ("NULL", "")]  # an empty cell beside an empty cell
    assert copied_from_another(blanked, [25], [[*stays[:25], ("", "")]]) == []
    numbers = [f"0{place}1 555 01{place:02}" for place in range(10, 35)]
    mobiles = [f"0{place}7 555 77{place:02}" for place in range(10, 35)]
    own: list[Change] = [*((one, one) for one in numbers), ("", "099 555 7799")]
    beside: list[Change] = [*((one, one) for one in mobiles), ("099 555 7799", "099 555 7799")]
    assert copied_from_another(own, [25], [beside]) == []


def test_a_price_is_no_total_though_one_piece_costs_the_same() -> None:
    """A number that another column holds too fills this one only where both mostly hold the same."""
    prices = [str(place % 5) for place in range(1, 26)]
    totals = [str(place % 5 * (place % 4 + 1)) for place in range(1, 26)]
    assert 2 < sum(map(str.__eq__, totals, prices)) < 13
    assert made_up([*((one, one) for one in totals), ("", "3")], [25], [[*prices, "3"]]) == [25]
    assert made_up([*((one, one) for one in prices), ("", "3")], [25], [[*prices, "3"]]) == []
