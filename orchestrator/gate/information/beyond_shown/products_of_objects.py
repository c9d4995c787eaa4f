"""A number of an object that is the product of two others of it, as the witnesses show. Called by character_laws.py.

`total` of `qty` times `price`: where one of both is missing nothing is known, and goods that come back have a minus.
"""

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import combinations
from typing import Any

from orchestrator.gate.information.changes import Change, Found
from orchestrator.gate.information.value_kinds.number_parsing import reading

ENOUGH, MOST = 2, 12  # different objects that show a product; numbers of one object
NEARLY = Decimal("0.01")  # both may have been rounded to cents
MOST_OBJECTS = 200  # of one cell
ProductNames = tuple[str, str, str]  # of the product and of its factors


def products_otherwise(changed: Sequence[Change], shown: Sequence[Change]) -> Found | None:
    """An object whose number is not the product that all witnesses show it to be."""
    products = _shown_products([one for change in shown for one in _made(*change)])
    for change in changed if products else ():
        for before, after in _made(*change):
            for product, one, other in products:
                if product not in after or after.get(product) == before.get(product):
                    continue
                number, *factors = (_number(after.get(name)) for name in (product, one, other))
                if number is not None and not _is_product(number, factors):
                    return f"{product[:40]!r} is not the product that the examples show it to be", change
    return None


def _shown_products(objects: Sequence[tuple[Mapping[str, Any], Mapping[str, Any]]]) -> list[ProductNames]:
    """For each number that the witnesses put in, the two whose product it always is; none where it is unsure."""
    names = {name for before, after in objects for name in after if after[name] != before.get(name)}
    found = []
    for product in sorted(names)[:MOST]:
        having = [after for _, after in objects if product in after]
        numbers = {name for name in having[0] if name != product and _number(having[0][name]) is not None}
        pairs = [
            (product, one, other)
            for one, other in combinations(sorted(numbers)[:MOST], 2)
            if all(_fits(after, product, one, other) for after in having)
        ]
        different = {tuple(map(str, (after[name] for name in pairs[0]))) for after in having} if pairs else set()
        found += pairs if len(pairs) == 1 and len(different) >= ENOUGH else []
    return found


def _fits(values: Mapping[str, Any], product: str, one: str, other: str) -> bool:
    number = _number(values.get(product))
    return number is not None and _is_product(number, [_number(values.get(name)) for name in (one, other)])


def _is_product(number: Decimal, factors: Sequence[Decimal | None]) -> bool:
    one, other = factors
    return one is not None and other is not None and abs(one * other - number) <= NEARLY


def _made(before: Any, after: Any) -> Iterator[tuple[Mapping[str, Any], Mapping[str, Any]]]:
    """Each object of the cell before and after, where as many are left."""
    ours, theirs = ([value] if isinstance(value, dict) else value for value in (before, after))
    if isinstance(ours, list) and isinstance(theirs, list) and len(ours) == len(theirs) <= MOST_OBJECTS:
        for one, other in zip(ours, theirs, strict=True):
            if isinstance(one, dict) and isinstance(other, dict):
                yield one, other


def _number(value: Any) -> Decimal | None:
    """Of a number or of a text that is one, also with a comma in front of its decimals."""
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal | str):
        return None
    number = reading(value.replace(",", ".") if isinstance(value, str) else value)
    return number if number is not None and number.is_finite() else None
