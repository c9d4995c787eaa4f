"""A value that many cells have is no slip of another one that many cells have."""

import pytest

from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.suspicions import suspicions

MANY, FEW = 9, 2


def kinds(value: str, becomes: str, count: int, shown: tuple[Change, ...] = ()) -> set[str]:
    """`count` cells of the value beside many of what it becomes, and of another one."""
    cells = [(value, becomes)] * count + [(becomes, becomes)] * MANY + [("other", "other")] * MANY
    return {one.kind for one in suspicions(cells, shown)}


@pytest.mark.parametrize(
    ("value", "becomes"), [("vegan", "vegetarian"), ("cefazolin", "cefalexin"), ("paid", "prepaid")]
)
def test_two_common_values_stay_apart(value: str, becomes: str) -> None:
    """A few such cells may be slips, and a witness who shows words replaced is believed."""
    assert kinds(value, becomes, MANY) == {"word-replaced"}
    assert kinds(value, becomes, FEW) == set()
    assert kinds(value, becomes, MANY, (("sweets", "confectionery"),)) == set()


@pytest.mark.parametrize(
    ("value", "becomes"),
    [
        ("Massachussets", "Massachusetts"),
        ("Govt", "Government"),
        ("colour", "color"),
        ("Females", "Female"),
        ("cancelled", "canceled"),
        ("Completed", "Complete"),
        ("Veg.", "vegetarian"),
    ],
)
def test_common_spellings_and_short_forms_become_one(value: str, becomes: str) -> None:
    assert kinds(value, becomes, MANY) == set()
