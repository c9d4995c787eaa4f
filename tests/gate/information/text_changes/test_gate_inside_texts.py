"""What changes inside texts, records and rows of several columns: signs, levels of writing, values that others deny."""

import random
from collections.abc import Sequence

import pytest

from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.nested_losses import nested_losses
from orchestrator.gate.information.row_evidence.filled import made_up
from orchestrator.gate.information.suspicions import suspicions

PATIENT = "Patient, 54 y/o, BP 120/80, no fever.  Temp. 38.2 °C"
NOTE = "The lamp broke. Please write to Ada in Leeds. It was new."
NAMES = ["Ada Lovelace", "Alan Turing", "Grace Hopper", "Ken Thompson", "Tim Lee", "Linus Kay", "Radia Perlman"]
NAMES += ["Edsger Dijkstra", "Barbara Liskov"]
TOWNS = {"Berlin": "DE", "Paris": "FR", "Rome": "IT", "Madrid": "ES", "Lisbon": "PT"}


def kinds(*cells: Change) -> set[str]:
    return {one.kind for one in suspicions(cells)}


@pytest.mark.parametrize(
    ("kind", "cells"),
    [
        ("words-lost", [(PATIENT, PATIENT.replace("no ", ""))]),
        ("mark-lost", [(PATIENT, PATIENT.replace(" °C", ""))]),
        ("mark-lost", [("It was $15.99 at the door", "It was 15.99 at the door")]),
        ("quantity-changed", [("It was $15.99 at the door", "It was €15.99 at the door")]),
        ("number-changed", [("15", "0.015"), ("27", "0.027"), ("300", "300")]),
        ("case-changed", [(NOTE, NOTE.lower())]),
        ("case-changed", [(name, name.capitalize()) for name in NAMES]),
        ("words-lost", [("23a Oak Rd, Bath", "23 Oak Rd, Bath"), ("7 Elm St, York", "7 Elm St, York")]),
    ],
)
def test_it_is_suspected(kind: str, cells: Sequence[Change]) -> None:
    """Each is what a plain function did, and passed."""
    assert kind in kinds(*cells)


@pytest.mark.parametrize(
    "cells",
    [
        [(PATIENT, PATIENT.replace("  ", " "))],
        [("38.2 deg C", "38.2 °C"), ("100.4 °F", "38 °C"), ("37 °C", "37 °C")],
        [("about 100.4 °F", "about 38 °C"), ("37 °C", "37 °C")],
        [("0.015", "0.015"), ("1.500", "1500"), ("2.700", "2700"), ("12.345.678", "12345678")],
        [("It was $ 15.99 at the door", "It was $15.99 at the door")],
        [("It was $15.99 at the door", "It was USD 15.99 at the door")],
        [("ada KING", "Ada King"), ("HOME DECOR", "Home decor"), ("Garden Tools", "Garden tools")],
        [(NOTE.upper(), NOTE)],
    ],
)
def test_it_says_the_same(cells: Sequence[Change]) -> None:
    """What is like it, and right."""
    assert kinds(*cells) == set()


def test_who_shows_one_name_in_small_letters_wants_all_so() -> None:
    """It takes many names to suspect it, and one witness to settle it."""
    cells = [(name, name.capitalize()) for name in NAMES]
    assert [one.kind for one in suspicions(cells)] == ["case-changed"]
    assert suspicions(cells, [("New York", "New york")]) == []


def test_objects_and_lists_keep_what_names_and_parts_their_values() -> None:
    """A place has a latitude and a longitude; a list has items."""
    place = {"geo": {"lat": "52.5", "lng": "13.4"}, "tags": ["new", "vip"]}
    assert [loss.kind for loss in nested_losses([place], [{**place, "geo": [13.4, 52.5]}])] == ["key-lost"]
    assert [loss.kind for loss in nested_losses([place], [{**place, "tags": "new,vip"}])] == ["type-changed"]
    assert nested_losses([place], [{**place, "geo": {"lat": 52.5, "lng": 13.4}}]) == []


def _rows(count: int = 60) -> tuple[list[Change], list[str]]:
    draw = random.Random(3)  # noqa: S311 - data for a test
    towns = [draw.choice(list(TOWNS)) for _ in range(count)]
    return [(TOWNS[town], TOWNS[town]) for town in towns], towns


def test_a_fill_that_the_other_rows_deny_is_made_up() -> None:
    """BE is a part of Berlin, and all other rows of Berlin say DE."""
    cells, towns = _rows()
    assert made_up([*cells, ("", "BE")], [60], [[*towns, "Berlin"]]) == [60]
    assert made_up([*cells, ("", "DE")], [60], [[*towns, "Berlin"]]) == []


def test_a_number_of_another_column_is_no_fill_where_the_two_are_apart() -> None:
    """A price is no total; a billed amount that is the total in other rows is one."""
    totals = [(float(n * 3), float(n * 3)) for n in range(1, 31)]
    prices, billed = [float(n) for n in range(1, 31)], [one for one, _ in totals]
    assert made_up([*totals, (None, 7.5)], [30], [[*prices, 7.5]]) == [30]
    assert made_up([*totals, (None, 7.5)], [30], [[*billed, 7.5]]) == []
