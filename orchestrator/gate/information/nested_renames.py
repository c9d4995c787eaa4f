"""Keys inside records that get another name and keep their value. Called by nested_losses.py.

A name that is only spelled otherwise is believed (`createdAt`, `created_at`), and so is one that other records have in
its place: `zip` where some have `zip` and the others `postcode`, and none has both. No name of another unit, or that
says the opposite.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from orchestrator.gate.information.text_changes.opposites import FACING_WORDS, opposite
from orchestrator.gate.information.value_kinds.units import rival_unit

_HUMPS = re.compile(r"(?<=[a-z])(?=[A-Z])")
ENOUGH = 3  # objects that have the new name already
Rename = tuple[str, str, str]  # the place of the object, the name that goes, the one that comes


def renames(before: Sequence[Any], after: Sequence[Any]) -> frozenset[Rename]:
    """What two equally long columns rename without losing a value."""
    had: dict[str, Counter[str]] = defaultdict(Counter)
    beside: dict[str, set[frozenset[str]]] = defaultdict(set)
    found: Counter[Rename] = Counter()
    gone: Counter[tuple[str, str]] = Counter()
    for one, other in zip(before, after, strict=True):
        for place, ours, theirs in _objects(one, other, ""):
            had[place].update(ours.keys())
            beside[place].add(frozenset(ours))
            for name in ours.keys() - theirs.keys():
                gone[place, name] += 1
                found.update((place, name, new) for new in _with_value(ours[name], theirs, ours))
    return frozenset(
        (place, name, new)
        for (place, name, new), count in found.items()
        if count == gone[place, name]
        and not _spelled_otherwise(new, had[place], gone, place)
        and (
            _plain(name) == _plain(new)
            or (
                (had[place][new] >= ENOUGH and not any({name, new} <= names for names in beside[place]))
                and not _say_otherwise(name, new)
            )
        )
    )


def _spelled_otherwise(new: str, had: Counter[str], gone: Counter[tuple[str, str]], place: str) -> bool:
    """Whether other objects keep the same name in another spelling: `max_items` where this becomes `maxitems`."""
    kept = (name for name, count in had.items() if count >= ENOUGH and not gone[place, name])
    return had[new] < ENOUGH and any(_plain(name) == _plain(new) and name != new for name in kept)


def _objects(one: Any, other: Any, place: str) -> Iterator[tuple[str, dict[str, Any], dict[str, Any]]]:
    if isinstance(one, dict) and isinstance(other, dict):
        yield place, one, other
        for name in one.keys() & other.keys():
            yield from _objects(one[name], other[name], f"{place}.{name}")
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for left, right in zip(one, other, strict=True):
            yield from _objects(left, right, f"{place}[]")


def _with_value(value: Any, theirs: dict[str, Any], ours: dict[str, Any]) -> list[str]:
    return [name for name in theirs if name not in ours and repr(theirs[name]) == repr(value)]


def _plain(name: str) -> str:
    return re.sub(r"[\W_]", "", name).casefold()


def _say_otherwise(name: str, new: str) -> bool:
    """Whether a word of the one name is the opposite, or another unit, of a word of the other: debit, credit."""
    one, other = ({*re.split(r"[\W_]+", _HUMPS.sub(" ", text).casefold())} for text in (name, new))
    pairs = [(left, right) for left in one - other for right in other - one]
    return any({*pair} in FACING_WORDS or opposite(*pair) or rival_unit(*pair) for pair in pairs)
