"""Texts that become lists and objects: what they said, and what a witness shows of their items."""

from typing import Any

import pytest

from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.emptied import lists_emptied
from orchestrator.gate.information.suspicions import suspicions

SCORES = [(f"{n}:{n % 3}", {"home": n, "away": n % 3}) for n in range(9)]
METERS = [(f"1.8.0({n}.5*kWh)", {"code": "1.8.0", "value": n + 0.5, "unit": "kWh"}) for n in range(9)]


def kinds(changed: Change, *others: Change, shown: tuple[Change, ...] = ()) -> set[str]:
    return {one.kind for one in suspicions([changed, *others], shown)}


@pytest.mark.parametrize(
    ("before", "after", "others"),
    [
        ("4:3 pen.", {"home": 4, "away": 3}, SCORES),
        ("abandoned 1:0", {"home": 1, "away": 0}, SCORES),
        ("id=007&q=mug", {"id": ["7"], "q": ["mug"]}, []),
        ("96.1.0(00622065)", {"code": "96.1.0", "value": 622065.0}, METERS),
        ("1-0:21.7.0(-09.39*kW)", {"code": "1-0:21.7.0", "value": 9.39, "unit": "kW"}, METERS),
        ("King, Ada; Hopper, Grace", [{"family": "Hopper", "given": "Grace"}, {"family": "King", "given": "Ada"}], []),
    ],
)
def test_what_a_text_says_is_in_its_parts(before: str, after: Any, others: list[Change]) -> None:
    """A word that some of the texts have, zeros of a code, a minus, the order of the items."""
    assert kinds((before, after), *others)


@pytest.mark.parametrize(
    ("before", "after", "others"),
    [
        ("4:3", {"home": 4, "away": 3}, SCORES),
        ("id=007&q=new%20mug&flag", {"id": ["007"], "q": ["new mug"], "flag": [""]}, []),
        ("1-0:21.7.0(-09.39*kW)", {"code": "1-0:21.7.0", "value": -9.39, "unit": "kW"}, METERS),
        ("King, Ada; Hopper, Grace", [{"family": "King", "given": "Ada"}, {"family": "Hopper", "given": "Grace"}], []),
    ],
)
def test_a_text_that_is_all_in_its_parts_is_believed(before: str, after: Any, others: list[Change]) -> None:
    """The names of an object are words of the text, too, and what stands in per cent signs is what they stand for."""
    assert not kinds((before, after), *others)


def test_a_witness_of_a_list_speaks_for_each_of_its_items() -> None:
    shown = (("A, C, G", ["gluten", "eggs", "milk"]),)
    assert not kinds(("C / G", ["eggs", "milk"]), shown=shown)
    assert kinds(("C / G", ["milk", "eggs"]), shown=shown)
    assert kinds(("C / H", ["eggs", "nuts"]), shown=shown)


def test_a_witness_of_a_range_speaks_for_another_dash() -> None:
    shown = (("A12-14", ["A12", "A13", "A14"]),)
    assert not kinds(("F2 – 4", ["F2", "F3", "F4"]), shown=shown)


def test_a_list_that_a_witness_shows_empty_is_so_as_text_and_as_number() -> None:
    assert lists_emptied(["0"], [[]], []) == [0]
    assert lists_emptied(["0"], [[]], [(0, [])]) == []
