"""Lists and letters that come to stand in ascending order, as a witness shows. Called by column.py.

`10: 2,20 | 1: 2,50` becomes a list that begins with the 1; the classes `C+B` become `BC`.
"""

import re
from collections.abc import Sequence

from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.similarity import key

MOST = 40  # items of a list
_ITEMS = re.compile(r"[;|]|,(?!\d)")
_NUMBER = re.compile(r"\d{1,15}(?:[.,]\d{1,15})?")
_Items = list[tuple[float, ...]]


def put_in_order(change: Change, shown: Sequence[Change]) -> bool:
    """Whether all that changes is the order, which is ascending afterwards, as a witness shows and none denies."""
    return any(
        is_turned(change) and any(map(is_turned, shown)) and not any(map(denies, shown))
        for is_turned, denies in ((_letters_sorted, _letters_unsorted), (_items_sorted, _items_unsorted))
    )


def _letters_sorted(change: Change) -> bool:
    one, other = map(key, change)
    return other.isalpha() and one != other == "".join(sorted(set(one)))


def _letters_unsorted(change: Change) -> bool:
    one, other = map(key, change)
    return other.isalpha() and set(one) == set(other) and list(other) != sorted(other)


def _items_sorted(change: Change) -> bool:
    one, other = map(_items, change)
    return len(one) > 1 and one != other == sorted(one)


def _items_unsorted(change: Change) -> bool:
    items = _items(change[1])
    return items != sorted(items)


def _items(text: str) -> _Items:
    """The numbers of each item of a list."""
    items = _ITEMS.split(text)
    found = [tuple(float(one.replace(",", ".")) for one in _NUMBER.findall(item)) for item in items[: MOST + 1]]
    return found if 1 < len(found) <= MOST and all(found) else []
