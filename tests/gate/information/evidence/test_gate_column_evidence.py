"""What only a column as a whole can say: for a change, and against it."""

from collections.abc import Sequence

import pytest

from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.column_evidence.lost_characters import LostCharacters
from orchestrator.gate.information.emptied import emptied_like_others
from orchestrator.gate.information.nested import Leaf, shown_beside
from orchestrator.gate.information.row_evidence.measures import measured_rows, same_measure
from orchestrator.gate.information.suspicions import suspicions

LEVELS = [(f"{n} - {word}", word) for n, word in enumerate(("Critical", "High", "Low"), 1)]


def kinds(cells: Sequence[Change], evidence: Sequence[Change] = ()) -> set[str]:
    return {one.kind for one in suspicions(cells, (), evidence)}


@pytest.mark.parametrize(
    "cells",
    [
        [*LEVELS, ("Sev 2", "High")],
        [("Met on 12.02.2021 with 3", "Met on 2021-02-12 with 3")],
        [("rgb(255, 136, 0)", "#ff8800"), ("#F80", "#ff8800")],
        [("1Q18", "2018-Q1"), ("Q3 2020", "2020-Q3")],
        [("-1C", "-1.0 °C"), ("68F", "20.0 °C")],
        [("third", "3"), ("DNF", "DNF"), ("12th", "12")],
        [("020 7946 0018", "+442079460018"), ("+44 20 7946 0019", "+442079460019")],
    ],
)
def test_what_the_column_says_needs_no_witness(cells: list[Change]) -> None:
    """Codes with their words beside them, parts of a text, forms that anybody can read."""
    assert kinds(cells) == set()


@pytest.mark.parametrize(
    "cells",
    [
        [*LEVELS, ("Sev 2", "Low")],
        [("From 25.12.2020 on", "From 2020-12-25 on"), ("Met on 12.02.2021 here", "Met on 2021-12-02 here")],
        [("rgb(255, 136, 0)", "#0088ff")],
        [("020 7946 0018", "+492079460018"), ("+44 20 7946 0019", "+442079460019")],
        [(f"AB-00{n}2", f"AB-{n}2") for n in range(1, 7)],
        [(f"00{n}12345", f"{n}12345") for n in range(1, 7)],
        [("xk-0042B", "XK-0042"), ("AB-1234", "AB-1234"), ("xk-0043", "XK-0043")],
        [("cafÃ©", "caf"), ("señor", "señor")],
        [("Bjo\u0308rk", "Bjork"), ("señor", "señor")],
        [("Dept. of Finance", "Finance"), ("Dept. of Public Works", "Works"), ("Health", "Health")],
        [("ST. LOUIS", "Louis"), ("Rome", "Rome")],
        [
            *[(f"{first} {last}", f"{first} {last}") for first, last in (("Ada", "King"), ("Ken", "Hopper"))],
            *[("Hopper, Ada", "Hopper Ada"), ("King, Ken", "King Ken"), ("King, Ada", "King Ada")],
        ],
    ],
)
def test_what_the_column_contradicts_is_suspected(cells: list[Change]) -> None:
    """Another word than the one beside the code, another country, a width, an end, an accent, an order of words."""
    assert kinds(cells)


def test_rows_of_the_sample_are_evidence_for_others() -> None:
    """What a few held-out rows cannot say by themselves, the sample's rows say; nothing is raised about these."""
    assert kinds([("Sev 2", "High")])
    assert kinds([("Sev 2", "High")], LEVELS) == set()
    assert kinds([("High", "High")], [*LEVELS, ("Sev 2", "Low")]) == set()


def test_texts_that_look_like_others_are_no_words_for_nothing() -> None:
    """A name that becomes empty beside other names; not `see notes`, which many rows have, nor what looks like none."""
    names = ["mug Ltd", "desk Ltd", "lamp Ltd"]
    assert emptied_like_others([*names, "vase GmbH"], [*names, None]) == [3]
    assert emptied_like_others([*names, *["see notes"] * 3], [*names, *[None] * 3]) == []
    assert emptied_like_others([*names, "??? 17"], [*names, None]) == []
    assert emptied_like_others(["17", "18", "19", "147"], ["17", "18", "19", None]) == []


@pytest.mark.parametrize(
    ("before", "after", "same"),
    [
        ({"value": 1200, "unit": "g"}, {"value": 1.2, "unit": "kg"}, True),
        ({"value": 68.0, "unit": "F"}, {"value": 20.0, "unit": "C"}, True),
        ({"value": 2404, "unit": "g"}, {"value": 2, "unit": "kg"}, False),
        ({"value": 1200, "unit": "g"}, {"value": 1200, "unit": "kg"}, False),
        ({"value": 1200, "unit": "g", "at": 1}, {"value": 1.2, "unit": "kg", "at": 2}, False),
        ({"long": 350, "wide": 130, "unit": "mm"}, {"long": 35.0, "wide": 13.0, "unit": "cm"}, True),
        ({"long": 350, "wide": 130, "unit": "mm"}, {"long": 35.0, "wide": 1.3, "unit": "cm"}, False),
        ({"long": 57.1, "wide": 32.1, "unit": "in"}, {"long": 145.0, "wide": 81.5, "unit": "cm"}, True),
        ({"long": 57.1, "wide": 32.1, "unit": "in"}, {"long": 145.0, "wide": 81.0, "unit": "cm"}, False),
        ({"value": True, "unit": "g"}, {"value": 1, "unit": "kg"}, False),
    ],
)
def test_number_and_unit_are_read_together(before: dict[str, object], after: dict[str, object], same: bool) -> None:
    """They are one quantity where both change and say the same as before."""
    assert bool(same_measure(before, after)) is same


def test_unit_of_a_missing_number_is_that_of_others() -> None:
    """Where F became C beside numbers that were converted, it may beside none; not where nothing was converted."""
    units, numbers = [("F", "C"), ("F", "C"), ("F", "K")], [(68.0, 20.0), (None, None), (None, None)]
    assert measured_rows(units, numbers, range(3)) == {0, 1}
    assert measured_rows(units, [(68.0, 68.0), *numbers[1:]], range(3)) == set()


def test_change_shown_under_one_key_holds_under_the_next() -> None:
    """What a witness shows of one key of an object holds for another one that is changed alike, and for no more."""
    shown = {".gift": [Leaf("x", "wrapped", 0)]}
    assert shown_beside(".express", [Leaf("x", "wrapped", 3)], shown) == [("x", "wrapped")]
    assert shown_beside(".express", [Leaf("x", "sent", 3)], shown) == []
    assert shown_beside(".to.express", [Leaf("x", "wrapped", 3)], shown) == []


TOWNS = ["birmingham", "dothan", "fort payne", "1720 university blvd", "301 east 18th st", "pn-5c", "no", "al"]
SLIPS = ["birminghxm", "dotxan", "fort paxne", "172x university blvd", "301 easx 18th st", "pnx5c", "xo", "xl"]
STAYING = [(town, town) for town in TOWNS]
PUT_BACK = list(zip(SLIPS, TOWNS, strict=True))


def test_what_one_sign_stands_for_is_said_by_the_column() -> None:
    """Each of the texts with an x fits one text that stays, and the x stands for several characters."""
    assert kinds([*STAYING, *PUT_BACK]) == set()
    assert all(kinds([*STAYING, change]) for change in PUT_BACK[3:]), "alone, they are suspected"


@pytest.mark.parametrize(
    ("cells", "change", "why"),
    [
        (PUT_BACK[:3], ("birminghxm", "dothan"), "it is another town"),
        ([], PUT_BACK[3], "one cell is too few"),
        ([*PUT_BACK[:3], ("fl", "fl")], ("xl", "al"), "two texts fit"),
        ([*PUT_BACK[:3], ("xl", "xl")], ("xl", "al"), "the text stays elsewhere"),
        ([*PUT_BACK[:3], ("xerox", "xerox")], PUT_BACK[0], "the sign stands for itself in texts that stay"),
        (
            [("A9", "A4"), ("B9", "B5"), *((f"{one}",) * 2 for one in ("A4", "B5", "C6"))],
            ("C9", "C6"),
            "it is a figure",
        ),
        ([("nx", "no"), ("fxrt payne", "fort payne")], ("dxthan", "dothan"), "it always stands for the same"),
        (PUT_BACK[:3], ("xx", "mo"), "no text that stays fits"),
    ],
)
def test_what_a_sign_does_not_stand_for_is_not_believed(cells: list[Change], change: Change, why: str) -> None:
    """The column says nothing of texts that nobody else has, that several fit, or that may stand for themselves."""
    assert not LostCharacters([*STAYING, *cells, change]).explains(change), why
