"""Codes that are divided, padded or lettered otherwise, times that cannot be, and what witnesses show of such cells."""

from typing import Any

import pytest

from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.nested import Leaf, by_place
from orchestrator.gate.information.row_evidence.measures import same_measure
from orchestrator.gate.information.suspicions import suspicions

CAS = [(f"{n}{n + 7}-{n % 9}{n % 7}-{n % 10}",) * 2 for n in range(10, 30)]
AMERICAN = [(f"{n % 12 + 1}/{n}/2020", f"2020-{n % 12 + 1:02}-{n}") for n in range(13, 28)] + [
    ("3/4/2020", "2020-03-04"),
    ("11/2/2020", "2020-11-02"),
]
OFFSETS = [("2021-03-04T10:00:00-05:00", "2021-03-04T15:00:00Z"), ("2021-03-04T10:00:00+05:30", "2021-03-04T04:30:00Z")]
GRADES = [("A+", "A+"), ("B-", "B-"), ("F", "F")]


def kinds(*cells: Change, shown: tuple[Change, ...] = ()) -> set[str]:
    return {one.kind for one in suspicions(cells, shown)}


@pytest.mark.parametrize(
    ("right", "wrong", "others"),
    [
        (("64175", "64-17-5"), ("58-08-2", "5-80-82"), CAS),
        (("2:06-cv-4387", "2:06-cv-04387"), ("2:06-cv-4387", "2:6-cv-04387"), []),
        (("8403393x", "8403-393X"), ("8403393", "8403-393X"), [("0317-8471", "0317-8471")]),
        (("33°15'00\"N", "33.25"), ("33°75'00\"N", "34.25"), []),
        (("1:12", "72"), ("1:72", "132"), []),
        (("[1957]", "1957"), ("[1957?]", "1957"), [("1998", "1998")]),
        (("4/22/2020", "2020-04-22"), ("22/4/2020", "2020-04-22"), AMERICAN),
        (("See Roe, 490 U. S. 565", "See Roe, 490 U.S. 565"), ("See Roe, 490 U. S. 565", "See Roe, 565 U.S. 490"), []),
        (("42 USC 15; 121 U.S 49", "42 USC 15; 121 U.S. 49"), ("42 USC 15; 121 U.S 49", "42 USC 15; 49 U.S. 121"), []),
        (OFFSETS[0], ("2021-03-04T10:00:00", "2021-03-04T10:00:00Z"), OFFSETS),
        (("A +", "A+"), ("A minus", "A"), [("B plus", "B"), *GRADES]),
    ],
)
def test_the_wrong_one_of_two_changes_is_suspected(right: Change, wrong: Change, others: list[Change]) -> None:
    """Each beside a right one that looks nearly the same."""
    assert kinds(wrong, *others)
    assert not kinds(right, *(one for one in others if one != ("B plus", "B")))


def test_one_zone_of_all_times_may_be_written_everywhere() -> None:
    """Only where the others have several, or none has one, does nobody know which it is."""
    zoned = [(f"2021-03-0{n}T10:00:00Z",) * 2 for n in range(1, 9)]
    assert not kinds(("2021-03-09T10:00:00", "2021-03-09T10:00:00Z"), *zoned)


@pytest.mark.parametrize(
    ("change", "shown"),
    [
        (("ВОР-0685: ВОР и РОТ", "BOP-0685: ВОР и РОТ"), ("Заказ АВ-1234", "Заказ AB-1234")),
        (
            ("BOX(-62 -45, -44 -3)", {"w": -62.0, "s": -45.0, "e": -44.0, "n": -3.0}),
            ("BOX(9.5 -1)", {"w": 9.5, "s": -1}),
        ),
        (("4 adults, 3 children", {"adults": 4, "children": 3}), ("2+1", {"adults": 2, "children": 1})),
        (("69,87", "1:09.87"), ("62.34", "1:02.34")),
    ],
    ids=str,
)
def test_a_witness_of_the_same_form_settles_it(change: Change, shown: Change) -> None:
    """Letters that look the same, whole numbers, names of keys that the text says, a decimal comma."""
    assert not kinds(change, shown=(shown,))


def test_a_word_that_no_witness_leaves_out_of_the_parts_is_missed() -> None:
    """Negative control: `BOX` may go, `SOUTH` may not."""
    shown = (("BOX(9.5 -1)", {"w": 9.5, "s": -1}),)
    cells = [(f"BOX({n} -1)", {"w": n, "s": -1}) for n in range(9)]
    assert not kinds(*cells, shown=shown)
    assert "words-lost" in kinds(*cells, ("BOX(3 1) SOUTH", {"w": 3, "s": 1}), shown=shown)


def test_keys_with_each_other_s_numbers_are_suspected() -> None:
    assert kinds(("4 adults, 3 children", {"adults": 3, "children": 4}))


@pytest.mark.parametrize(
    ("before", "after", "same"),
    [
        ({"value": "<0.5"}, {"value": 0.5, "op": "<"}, True),
        ({"value": ">= 1,5"}, {"value": 1.5, "op": ">="}, True),
        ({"value": "<0.5"}, {"value": 0.5, "op": ">"}, False),
        ({"value": ">=247"}, {"value": 247.0, "op": ">"}, False),
        ({"value": "<0.5"}, {"value": 5.0, "op": "<"}, False),
    ],
)
def test_a_bound_may_be_said_by_two_keys(before: dict[str, Any], after: dict[str, Any], *, same: bool) -> None:
    """Its sign in one, and its number in the other."""
    assert bool(same_measure(before, after)) is same
    assert (by_place([before], [after])[".value"] == [Leaf(before["value"], before["value"], 0)]) is same


def test_codes_with_as_many_signs_and_fewer_parts_are_compared() -> None:
    """A sign at an end leaves one part less; comparing the two raised."""
    codes = [(f"{n}{n + 1}-",) * 2 for n in range(10, 20)]
    assert isinstance(kinds(("12-34", "1-234"), *codes), set)
    assert isinstance(kinds(("1234", "1234-"), *codes, *((f"-{n}",) * 2 for n in range(20, 40))), set)
