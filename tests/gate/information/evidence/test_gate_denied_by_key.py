"""What all other rows of a key say of a filled cell is not settled by an example of another key."""

from typing import Any

import pytest

from orchestrator.gate.information.row_evidence.denied_by_key import denied_by_key

ZIPS = ["10115", "20095", "50667"] * 8
CITIES = {"10115": "Berlin", "20095": "Hamburg", "50667": "Köln"}
STAY: list[tuple[Any, Any]] = [(CITIES[one], CITIES[one]) for one in ZIPS]


def fill(zip_code: str, city: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """An example in which the city is filled."""
    return {"zip": zip_code, "city": None}, {"zip": zip_code, "city": city}


@pytest.mark.parametrize(
    ("city", "shown", "found"),
    [
        ("Berlin", fill("50667", "Köln"), True),
        ("Bremen", fill("50667", "Köln"), True),
        ("Hamburg", fill("50667", "Köln"), False),
        ("Berlin", fill("20095", "Berlin"), False),
    ],
)
def test_a_fill_that_the_rows_of_its_key_contradict_is_found(city: str, shown: Any, *, found: bool) -> None:
    """Unless an example fills against the key, too: then the column is none."""
    cells = [*STAY, (None, city)]
    denied = denied_by_key("city", cells, [len(STAY)], {"zip": [*ZIPS, "20095"]}, [shown])
    assert denied == (("zip", [len(STAY)]) if found else None)


def test_a_column_that_stands_beside_several_values_is_no_key() -> None:
    """Then its rows contradict one another."""
    cells = [*STAY, ("Altona", "Altona"), (None, "Berlin")]
    others = {"zip": [*ZIPS, "20095", "20095"]}
    assert denied_by_key("city", cells, [len(STAY) + 1], others, [fill("50667", "Köln")]) is None


def test_another_spelling_in_some_rows_of_a_key_is_no_other_value() -> None:
    """`BERLIN` beside `Berlin` let any city be filled in."""
    cells = [*STAY, ("BERLIN", "BERLIN"), (None, "Hamburg"), (None, "berlin ")]
    others = {"zip": [*ZIPS, "10115", "10115", "10115"]}
    shown = [fill("50667", "Köln")]
    assert denied_by_key("city", cells, [len(STAY) + 1, len(STAY) + 2], others, shown) == ("zip", [len(STAY) + 1])
