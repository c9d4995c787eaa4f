"""A unit that stands by itself, beside its number, does not become another one."""

import pytest

from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.suspicions import suspicions


def kinds(before: str, after: str, shown: list[Change] | None = None) -> set[str]:
    """What is suspected in a column of three units, of which the first becomes the second."""
    return {one.kind for one in suspicions([(before, after), (after, after), ("cup", "cup")], shown or [])}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("mg", "mcg"),
        ("tbsp", "tsp"),
        ("umol/L", "mmol/L"),
        ("kbit/s", "Mbit/s"),
        ("kB/s", "kbit/s"),
        ("mmHg", "cmHg"),
        ("km", "mi"),
        ("pmol/L", "nmol/L"),
    ],
)
def test_a_unit_is_no_spelling_of_a_similar_one(before: str, after: str) -> None:
    """Be the words as alike as those of a typing error; a witness that shows the unit that it becomes settles it."""
    assert "quantity-changed" in kinds(before, after)
    assert "quantity-changed" not in kinds(before.upper(), after, [(before, after)])


@pytest.mark.parametrize(
    ("before", "after"),
    [("MG", "mg"), ("umol/l", "µmol/L"), ("milligram", "mg"), ("mcg", "µg"), ("kb/s", "kbit/s")],
)
def test_a_unit_may_be_written_otherwise(before: str, after: str) -> None:
    """In other letters, in full, and with the sign for a millionth."""
    assert "quantity-changed" not in kinds(before, after)
