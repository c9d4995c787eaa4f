"""What is written otherwise in some rows only is written in two ways: in other letters, or with other signs."""

import pyarrow as pa
import pytest

from orchestrator.core.candidate import Contract, Shape
from orchestrator.gate.checks.changed_columns.changed_column import rewritten_cells
from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.characters.two_ways import one_case_in_two, one_shape_in_two
from orchestrator.gate.information.row_evidence.rewritten_values import is_rewritten, rewritten_in_some_rows
from orchestrator.gate.information.suspicions import suspicions
from orchestrator.gate.judge.observations import CaseObservation

NAMES = [
    "Ada Lovelace", "Grace Hopper", "Barbara Liskov", "Donald Knuth", "James van Dyk", "Ines Fischer", "Bo Kelly",
    "Nina Sanchez",
]  # fmt: skip
CODES = [
    f"{letters}-{number}" for number, letters in enumerate(["EH", "BM", "IO", "LN", "JF", "KB", "BB", "IH"], 10000)
]
USES = [
    "SINGLE FAMILY", "VACANT LAND", "CONDO", "DUPLEX", "ZERO LOT LINE", "CHURCH", "USA", "NASA", "PARKING LOT", "MILL",
    "STRIP SHOPPING CENTER", "GREENBELT",
]  # fmt: skip
DATES = [f"{month}/{day}/2022" for month in (10, 11, 12) for day in range(10, 20)]


def lowered(texts: list[str], every: int) -> list[Change]:
    return [(text, text.lower() if place % every == 0 else text) for place, text in enumerate(texts)]


def said(cells: list[Change], *shown: Change) -> list[str]:
    return [one.detail for one in suspicions(cells, list(shown), []) if "in two" in one.detail or "only" in one.detail]


@pytest.mark.parametrize("texts", [NAMES, CODES, [text.upper() for text in NAMES], USES])
def test_a_column_written_in_one_case_is_written_in_one_afterwards(texts: list[str]) -> None:
    """Every other value in small letters is suspected, until a witness shows letters that change their case."""
    half = lowered(texts, every=2)
    assert any("written in two afterwards" in one for one in said(half))
    assert not any("written in two afterwards" in one for one in said(half, ("OTTO W.", "otto w.")))
    assert one_case_in_two([], half) is None
    changed = [cell for cell in half if cell[0] != cell[1]]
    assert one_case_in_two(changed[:2], [*changed[:2], *((text, text) for text in texts)]) is None


@pytest.mark.parametrize(
    "cells",
    [
        [(text, text.upper()) for text in NAMES],
        [(text, text if len(text) < 5 else text.title()) for text in USES],  # USA, NASA and MILL stay
        [(text, text.lower()) for text in [*CODES, *USES]],
        [(f"{text.replace(' ', '.')}@A.ORG".upper(), f"{text.replace(' ', '.')}@a.org".lower()) for text in NAMES]
        + [(text.upper(), text.upper()) for text in NAMES],  # addresses are no names
        [(text.upper() if place % 2 else text, text) for place, text in enumerate(NAMES)],  # it was in two before
    ],
)
def test_what_is_written_otherwise_throughout_is_not_in_two_cases(cells: list[Change]) -> None:
    """All values, all of a form, or all but short words and a few; what was in two cases before becomes better."""
    changed = [cell for cell in cells if cell[0] != cell[1]]
    assert changed
    assert one_case_in_two(changed, cells) is None


def test_a_value_is_not_written_in_two_ways() -> None:
    """`Consumer` stays in some rows and is `consumer` in others; a witness settles it, a few rows are exceptions."""
    stay, changed = ("Consumer", "Consumer"), ("Consumer", "consumer")
    assert rewritten_in_some_rows([stay] * 5 + [changed] * 4, []) == [5, 6, 7, 8]
    assert rewritten_in_some_rows([stay] * 5 + [changed] * 4, [("Home", "home")]) == [5, 6, 7, 8]
    assert rewritten_in_some_rows([stay] * 5 + [changed] * 4, [changed]) == []
    assert rewritten_in_some_rows([stay] * 2 + [changed] * 40, []) == []
    assert rewritten_in_some_rows([stay] * 4 + [changed] * 60, []) == []
    assert rewritten_in_some_rows([stay] * 60 + [changed] * 4, []) == []
    assert rewritten_in_some_rows([changed] * 60 + [("consumer", "consumer")] * 60, []) == []


@pytest.mark.parametrize(
    ("before", "after", "same"),
    [
        ("Home Office", "Home_Office", True),
        ("New York City", "NewYorkCity", True),
        ("Coffee", "'Coffee'", True),
        ("Berlin", "Berlin.", True),
        ("2", "2.0", True),
        ("2", "'2'", True),
        ("10/3/2022", "10-3-2022", True),
        ("1.234", "1234", False),  # what the point says, another column may say
        ("1,5", "1.5", False),
        ("7571", "07571", False),
        ("Berlin", "Bern", False),
        ("Berlin", "Berlin", False),
        ("?", "-", False),
    ],
)
def test_two_ways_of_one_value_have_its_letters_and_figures(before: str, after: str, same: bool) -> None:
    """And where there are figures only, its points and commas, or the same plain number."""
    assert is_rewritten(before, after) is same
    cells: list[Change] = [*[(before, after)] * 5, *[(before, before)] * 5]
    assert rewritten_in_some_rows(cells, []) == (list(range(5)) if same else [])


def test_dates_of_one_shape_get_other_signs_in_all_rows_or_in_none() -> None:
    """Dates of another shape have signs of their own; a witness settles it, and what is rare is an exception."""
    half: list[Change] = [(date, date.replace("/", "-") if place % 2 else date) for place, date in enumerate(DATES)]
    changed = [cell for cell in half if cell[0] != cell[1]]
    assert one_shape_in_two(changed, half) is not None
    assert any("written in two afterwards" in one for one in said(half))
    assert said(half, ("31/12/2021", "31-12-2021")) == []
    other: list[Change] = [(f"{year}/10/10", f"{year}-10-10") for year in range(2000, 2030)]
    assert one_shape_in_two(other, [*other, *((date, date) for date in DATES)]) is None
    amounts: list[Change] = [(f"\u20ac{n}", str(n) if n % 2 else f"\u20ac{n}") for n in range(100, 140)]
    assert one_shape_in_two([cell for cell in amounts if cell[0] != cell[1]], amounts) is None  # a sign that goes
    all_but_two: list[Change] = [(date, date.replace("/", "-")) for date in DATES[2:]]
    assert one_shape_in_two(all_but_two, [*all_but_two, *((date, date) for date in DATES[:2])]) is None


def test_cells_of_any_type_are_no_trouble() -> None:
    """Lists, numbers and long texts are none of these values."""
    cells: list[Change] = [(["a"], "a"), ("a b", ["a", "b"]), (1, "1"), ("A" * 300, "a" * 300), ("A" * 300, "A" * 300)]
    changed = [("A" * 300, "a" * 300)]
    for law in (one_case_in_two, one_shape_in_two):
        assert law(changed, cells) is None
    assert rewritten_in_some_rows(cells * 5, []) == []


def test_the_rows_of_a_key_may_agree_on_their_own_way() -> None:
    """Of a fitted function no value counts; of any other one it does."""
    cells: list[Change] = [("Home Office", "Home_Office")] * 5 + [("Home Office", "Home Office")] * 5
    given = pa.table({"segment": [before for before, _ in cells]})
    for shape, suspected in ((Shape.TABLE, True), (Shape.FITTED, False)):
        contract = Contract(modifies=("segment",), shape=shape)
        assert (rewritten_cells(CaseObservation("working", given, contract, {}), cells, []) is not None) is suspected
