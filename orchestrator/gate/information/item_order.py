"""Lists inside records whose items only stand in another order. Called by the check `keeps-information`.

The items are compared in the order that they had, so that each is held against itself; that they moved is one concern.
"""

from collections.abc import Sequence
from typing import Any


def in_their_order(before: Any, after: Any) -> Any:
    """What came out, with the items of each list in the order that they had, where they are the same ones."""
    if isinstance(before, dict) and isinstance(after, dict):
        return {name: in_their_order(before[name], item) if name in before else item for name, item in after.items()}
    if isinstance(before, list) and isinstance(after, list):
        if moved_only(before, after):
            return before
        if len(before) == len(after):
            return [in_their_order(one, other) for one, other in zip(before, after, strict=True)]
    return after


def moved_only(before: Sequence[Any], after: Sequence[Any]) -> bool:
    """Whether two lists hold the same items in another order."""
    ours, theirs = list(map(repr, before)), list(map(repr, after))
    return ours != theirs and sorted(ours) == sorted(theirs)


def shows_another_order(before: Any, after: Any) -> bool:
    """Whether items of a list that are left stand in another order, whatever became of the others."""
    if isinstance(before, dict) and isinstance(after, dict):
        return any(shows_another_order(before[name], after[name]) for name in before.keys() & after.keys())
    if not isinstance(before, list) or not isinstance(after, list):
        return False
    ours, theirs = list(map(repr, before)), list(map(repr, after))
    kept = set(ours) & set(theirs)
    if [one for one in ours if one in kept] != [one for one in theirs if one in kept]:
        return True
    return len(before) == len(after) and any(map(shows_another_order, before, after))
