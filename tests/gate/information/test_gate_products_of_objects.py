"""A number of an object that is a product of two others, as examples show, is their product in all objects."""

from typing import Any

import pytest

from orchestrator.gate.information.beyond_shown.products_of_objects import products_otherwise

Item = dict[str, Any]
SHOWN = (
    ([{"qty": 2, "price": 9.99}], [{"qty": 2, "price": 9.99, "total": 19.98}]),
    ([{"qty": 3, "price": "12,50", "total": 0}], [{"qty": 3, "price": "12,50", "total": 37.5}]),
)


@pytest.mark.parametrize(
    ("item", "total", "held"),
    [
        ({"qty": 4, "price": "2.50"}, 10, False),
        ({"qty": -1, "price": 1.99, "total": 0.0}, -1.99, False),
        ({"qty": -1, "price": 1.99, "total": 0.0}, 1.99, True),
        ({"price": 22}, 22, True),
        ({"qty": 1, "price": "ask", "total": 5}, 5, False),
    ],
)
def test_a_product_has_its_sign_and_both_its_factors(item: Item, total: float, *, held: bool) -> None:
    """What an object does not change is nobody's mistake."""
    change = ([item], [{**item, "total": total}])
    assert (products_otherwise([change], SHOWN) is not None) is held


def test_one_example_shows_no_product() -> None:
    """9 may be three times three, and much else."""
    assert products_otherwise([([{"a": 2, "b": 5}], [{"a": 2, "b": 5, "c": 9}])], SHOWN[:1]) is None
    assert products_otherwise([("text", ["text"]), ([1], [2]), (None, [{}])], SHOWN) is None
