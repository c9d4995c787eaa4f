"""Signs, ordinals and marks inside sentences that say something: what looks like tidying and is none."""

import pytest

from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.suspicions import suspicions


def kinds(cells: list[Change], *shown: Change) -> set[str]:
    return {one.kind for one in suspicions(cells, list(shown))}


@pytest.mark.parametrize(
    ("kind", "before", "after", "shown"),
    [
        ("quantity-changed", "x^2 + y = 3", "x2 + y = 3", ("a^3 is", "a3 is")),
        ("quantity-changed", "(a + b)^2 is positive", "(a + b)2 is positive", ("c^2 is", "c2 is")),
        ("letters-lost", "12 5th Avenue", "12 5 Avenue", ("8 6th Street", "8 6 Street")),
        ("letters-lost", "the 1st, 2nd and 3rd place", "the 1, 2 and 3 place", ("on 4th place", "on 4 place")),
        ("letters-lost", "a 21st century novel", "a 21 century novel", ("the 19th century", "the 19 century")),
        ("word-replaced", "She visited St. Petersburg in May.", "She visited Street Petersburg in May.", None),
        ("word-replaced", "the church of St. Mary", "the church of Street Mary", None),
        ("word-replaced", "12 Lake Dr.", "12 Lake Doctor", None),
        ("word-replaced", "12 Lake Dr, Austin", "12 Lake Doctor, Austin", None),
        ("mark-lost", "* lamps\n* vases\n  * blue", "lamps\nvases\nblue", ("- a\n  - b", "a\nb")),
    ],
)
def test_it_is_suspected_until_a_witness_shows_it(kind: str, before: str, after: str, shown: Change | None) -> None:
    """A power that is none afterwards, an ordinal that becomes a count, a saint, a drive, the levels of a list."""
    cells: list[Change] = [(before, after), ("Nothing of that here.", "Nothing of that here.")]
    assert kind in kinds(cells)
    if shown is not None:
        assert kind not in kinds(cells, shown)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a room of 5 m^2, bright", "a room of 5 m², bright"),
        ("x^2 + y = 3", "x**2 + y = 3"),
        ("x^2 + y = 3", "x² + y = 3"),
        ("on 3rd May 2020", "on 3 May 2020"),
        ("May 3rd was a Sunday", "May 3 was a Sunday"),
        ("the 3rd of May", "the 3 of May"),
        ("3rd", "3"),
        ("* lamps\n* vases", "lamps\nvases"),
        ("12 Main St., Austin", "12 Main Street, Austin"),
        ("12 Lake Dr., Austin", "12 Lake Drive, Austin"),
        ("Dr. Ann Lake", "Doctor Ann Lake"),
    ],
)
def test_the_same_in_other_signs_is_believed(before: str, after: str) -> None:
    """Powers in other signs, days of a month, an ordinal alone, a list of one level, and a street."""
    assert kinds([(before, after), ("Nothing of that here.", "Nothing of that here.")]) == set()


def test_the_upper_end_of_a_range_is_no_decoration() -> None:
    """Also where it is the same in all cells; the scale of marks may go."""
    assert "figures-lost" in kinds([("open 9\u201317", "open 9"), ("open 10\u201317", "open 10")])
    assert "figures-lost" in kinds([("9 to 17", "9"), ("10 to 17", "10"), ("11 to 17", "11")])
    assert "figures-lost" not in kinds([("4/5", "4"), ("3/5", "3"), ("5/5", "5")])


@pytest.mark.parametrize("after", ["5 m²", "5 m2", "5 m**2"])
def test_a_unit_may_have_its_power_in_any_signs(after: str) -> None:
    """Alone and in a sentence; another power is another unit."""
    for unit in ("m", "cm", "km", "ft"):
        before, other = f"5 {unit}^2", after.replace("m", unit, 1)
        assert kinds([(before, other)]) == set()
        assert kinds([(f"a room of {before}, bright", f"a room of {other}, bright")]) == set()
        assert kinds([(before, other.replace("²", "³").replace("2", "3"))]) != set()
