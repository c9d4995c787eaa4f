"""What has no letters and is content all the same: what parts numbers, names and items, ends, and a sign in front."""

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.suspicions import suspicions

QUICK = settings(max_examples=60, deadline=None)
TOWNS = ["New York", "San Francisco", "Los Angeles", "Bad Homburg"]
AUTHORS = ["Hopper, Grace; King, Ada", "Turing, Alan; Wei, Li", "Knuth, Donald; Lamport, Leslie"]
names = st.from_regex(r"[A-Z][a-z]{2,7}", fullmatch=True)


def kinds(cells: Sequence[Change], witnesses: Sequence[Change] = ()) -> set[str]:
    return {one.kind for one in suspicions(cells, witnesses)}


@pytest.mark.parametrize(
    ("kind", "cells"),
    [
        ("figures-joined", [("555-0123 x12", "555-012312")]),
        ("figures-joined", [("4/5", "45")]),
        ("figures-joined", [("it is 5’11” long", "it is 511” long")]),
        ("figures-joined", [("52.52, 13.40", "52521340")]),
        ("sign-changed", [("> 5", "<5")]),
        ("sign-changed", [("was it bad???", "was it bad.")]),
        ("sign-changed", [("in the shade: -3 degrees", "in the shade: - 3 degrees")]),
        ("sign-changed", [("12 kg", "-12 kg")]),
        ("separator-moved", [("M1 1AA", "M11A A"), ("SW1A 1AA", "SW1A 1AA")]),
        ("separator-moved", [("QA76.9 .P38 2001", "QA76 9 P38 2001")]),
        ("separator-moved", [(text, text.replace(", ", " | ").replace("; ", " | ")) for text in AUTHORS]),
        ("words-joined", [(town, town.replace(" ", "")) for town in TOWNS]),
        ("words-joined", [("<ul><li>red lamp</li><li>vase</li></ul>", "red lampvase")]),
        ("order-changed", [("Ada King", "King Ada"), ("Hopper, Grace", "Grace Hopper")]),
        ("order-changed", [("van Dyk, Ada", "Ada Dyk")]),
        ("order-changed", [("Ada King\n12 Elm Street\nBonn", "12 Elm Street, Ada King, Bonn")]),
        ("text-cut", [("4 : 1", "4:")]),
        ("text-cut", [("(415) 555-0101", "415) 555-0101")]),
        ("letters-lost", [("Turing, Alan", "Alan Turin")]),
    ],
)
def test_what_parts_or_ends_a_text_is_content(kind: str, cells: list[Change]) -> None:
    """Each is suspected as it is, and settled by a witness that shows it."""
    found = kinds(cells)
    assert kind in found or (kind == "words-joined" and found)
    changed = [cell for cell in cells if cell[0] != cell[1]]
    assert kind not in kinds(cells, changed)


@pytest.mark.parametrize(
    "cells",
    [
        [("+1 (415) 555-0101", "+14155550101")],
        [("AB-1001", "AB1001"), ("AB-1002", "AB1002")],
        [("1'234'567", "1234567")],
        [("030/1234567", "0301234567")],
        [("Hopper, Grace", "Grace Hopper")],
        [(text, text.replace("; ", " | ")) for text in AUTHORS],
        [("<p>A <b>red</b> lamp</p><p>and</p>", "A red lamp\nand")],
        [("Hauptstrasse 4", "Hauptstraße 4")],
        [("5 below zero", "-5")],
        [("33.87 S", "-33.87"), ("48.85 N", "48.85")],
        [("(12.50)", "-12.50")],
        [("Hamburgg", "Hamburg"), ("Hamburg", "Hamburg"), ("Bonn", "Bonn")],
        [("Cork (County)", "County Cork"), ("Cork", "Cork")],
        [("1/2 cup milk", "½ cup milk"), ("a cup of tea", "a cup of tea")],
        [("7697+/-76 BP", "7697 ± 76 BP")],
        [("192 / 60 R 15", "192/60R15"), *[(f"185/65R15 {letter}", f"185/65R15 {letter}") for letter in "HTV"]],
    ],
)
def test_what_only_writes_it_otherwise_needs_no_witness(cells: list[Change]) -> None:
    """Marks within one number, a comma that says which name stood first, and signs in place of words."""
    assert kinds(cells) == set()


@QUICK
@given(st.lists(st.tuples(names, names), min_size=3, max_size=8, unique=True))
def test_names_may_be_turned_at_their_comma_only(people: list[tuple[str, str]]) -> None:
    """A surname in front is put behind by its comma; without one nobody knows which of the two it is."""
    assert not kinds([(f"{last}, {first}", f"{first} {last}") for first, last in people]) & {"order-changed"}
    turned = [(f"{first} {last}", f"{last} {first}") for first, last in people if first.casefold() != last.casefold()]
    assert not turned or "order-changed" in kinds(turned)


@QUICK
@given(st.lists(st.integers(1, 999), min_size=2, max_size=6))
def test_no_quantity_gets_a_minus(numbers: list[int]) -> None:
    """Whatever the unit becomes, a quantity stays on its side of zero."""
    assert not kinds([(f"{number} kg", f"{number * 1000} g") for number in numbers])
    assert kinds([(f"{number} kg", f"-{number * 1000} g") for number in numbers])
