"""Lists and letters that come to stand in another order, as a witness shows or not. Called by column.py and
character_laws.py.

`10: 2,20 | 1: 2,50` becomes a list that begins with the 1; the classes `C+B` become `BC`.
"""

import re
from collections.abc import Sequence

from orchestrator.gate.information.changes import Change, Found
from orchestrator.gate.information.similarity import key

MOST = 40  # items of a list
_ITEMS = re.compile(r"[;|]|,(?!\d)")
_PARTS = re.compile(r"[,;|]")
_NUMBER = re.compile(r"\d{1,15}(?:[.,]\d{1,15})?")
_Items = list[tuple[float, ...]]


def put_in_order(change: Change, shown: Sequence[Change]) -> bool:
    """Whether all that changes is the order, which is ascending afterwards, as a witness shows and none denies."""
    return any(
        is_turned(change) and any(map(is_turned, shown)) and not any(map(denies, shown))
        for is_turned, denies in ((_letters_sorted, _letters_unsorted), (_items_sorted, _items_unsorted))
    )


def turned_unlike_shown(changed: Sequence[Change], shown: Sequence[Change]) -> Found | None:
    """Parts between commas in another order, where witnesses with several parts keep theirs: ranks, first authors."""
    if not any(_keeps_parts(one) for one in shown) or any(_turns_parts(one) for one in shown):
        return None
    turned = next((one for one in changed if _turns_parts(one)), None)
    return turned and ("parts stand in another order, which no example shows", turned)


def _keeps_parts(change: Change) -> bool:
    one, other = map(_parts, change)
    return len(one) > 1 and one == other


def _turns_parts(change: Change) -> bool:
    one, other = map(_parts, change)
    return one != other and sorted(one) == sorted(other)


def _parts(text: str) -> list[str]:
    return [key(part) for part in _PARTS.split(text)]


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
