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
