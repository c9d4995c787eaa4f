"""How the cells that stay are written says what a changed cell must look like: widths, decimals, the order of names."""

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.suspicions import suspicions

QUICK = settings(max_examples=80, deadline=None)
DAYS = [(text, text) for text in ("2023-05-15", "1992-11-28", "1985-08-14", "2009-04-04")]
ISSNS = [(text, text) for text in ("6834-691X", "1117-447X", "3116-791X", "7774-823X")]
DEGREES = [(text, text) for text in ("39.1 C", "36.9 C", "37.8 C", "38.2 C")]
NAMES = [(text, text) for text in ("Hopper, Grace", "Turing, Alan", "King, Ada", "Knuth, Donald")]
STRAIGHT = [(text, text) for text in ("Grace Hopper", "Alan Turing", "Ada King", "Donald Knuth")]
TURNED = ["Alan Hopper", "Ada Knuth", "Grace Turing", "Alan King"]
texts = st.text(st.sampled_from("ab,; .-19\n(é"), max_size=9)


def kinds(cells: Sequence[Change], witnesses: Sequence[Change] = ()) -> set[str]:
    return {one.kind for one in suspicions(cells, witnesses)}


def inverted(text: str) -> str:
    given, family = text.rsplit(" ", 1)
    return f"{family}, {given}"


@pytest.mark.parametrize(
    ("kind", "cells"),
    [
        ("figures-lost", [*DAYS, ("March 2, 2016", "16-03-02")]),
        ("figures-lost", [*ISSNS, ("0531978X", "531-978X")]),
        ("precision-lost", [*DEGREES, ("98.8 F", "37 C"), ("102.9 F", "39 C")]),
        ("words-joined", [("shelf; chair", "shelfchair"), ("lamp", "lamp")]),
        ("words-joined", [("vase | lamp ", "vaselamp")]),
        ("order-changed", [*NAMES, *((text, text.replace(" ", ", ")) for text in TURNED)]),
        ("order-changed", [*STRAIGHT, *((inverted(text), inverted(text).replace(",", "")) for text in TURNED)]),
    ],
)
def test_a_form_that_is_missed_is_suspected(kind: str, cells: list[Change]) -> None:
    """A year or code cut short, decimals that all others have, joined items, names in the order of no other cell."""
    assert kind in kinds(cells)


@pytest.mark.parametrize(
    "cells",
    [
        [*DAYS, ("March 2, 2016", "2016-03-02")],
        [*ISSNS, ("0531978X", "0531-978X")],
        [*DEGREES, ("98.6 F", "37.0 C"), ("102.2 F", "39.0 C")],
        [*DEGREES[:3], ("37 C", "37 C"), ("98.6 F", "37 C")],
        [("shelf; chair", "shelf|chair"), ("mug; ", "mug"), ("A/C", "AC")],
        [*NAMES, *((text, inverted(text)) for text in TURNED)],
        [*STRAIGHT, *((inverted(text), text) for text in TURNED)],
        [("57.190, -10.556", "57.19, -10.556"), ("51.100;-10.2", "51.1; -10.2")],
        [("(1,145.80)", "-1145.80"), ("(381)", "-381"), ("200", "200")],
        [(f"{n},000+", f"{n}000+") for n in range(1, 6)] + [(f"{n}21", f"{n}21") for n in range(1, 6)],
    ],
)
def test_a_form_that_is_met_is_believed(cells: list[Change]) -> None:
    """The same changes where they end in the form of the cells that stay."""
    assert not kinds(cells)


def test_the_order_of_names_needs_names_that_say_so() -> None:
    """Names that were turned are believed only where those that stay know them; one that they contradict is not."""
    strangers = [("Tim Lee", "Lee, Tim"), ("Ken Roe", "Roe, Ken"), ("Zoe Fox", "Fox, Zoe")]
    assert "order-changed" in kinds([*NAMES, *strangers])
    mixed = [*((text, inverted(text)) for text in TURNED), ("Grace Knuth", "Grace, Knuth")]
    assert "order-changed" in kinds([*NAMES, *mixed])


def test_a_bound_that_a_witness_shows_is_no_other_scale() -> None:
    """`1,000+` as 1000 beside smaller numbers, where a user shows it, is settled."""
    cells = [(f"{n},000,000+", f"{n}000000") for n in range(1, 6)] + [(f"{n}21", f"{n}21") for n in range(1, 6)]
    assert "sign-changed" in kinds(cells)
    assert not kinds(cells, [("1,000+", "1000")])


def test_brackets_without_an_amount_are_no_minus() -> None:
    """A number in brackets becomes negative only where the column shows amounts in brackets."""
    assert kinds([("(381)", "-381"), ("(7)", "-7"), ("200", "200")])


@QUICK
@given(st.lists(st.tuples(texts, texts), max_size=8))
def test_odd_cells_do_no_harm(cells: list[Change]) -> None:
    """Whatever stands in the cells, the suspicions come to an end."""
    assert isinstance(kinds(cells), set)
