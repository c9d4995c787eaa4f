"""Keys, list items and values inside records that are gone. Called by the check `keeps-information`.

A text that only repeats another one of its list, or an item that holds nothing, may go. So may a key that holds a word
for nothing, unless the function writes null for such words elsewhere, or leaves that key where it holds null: then it
means to keep the keys.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any, NamedTuple

from orchestrator.gate.information.emptied import emptied_like_others, gone_alike
from orchestrator.gate.information.nested import by_place
from orchestrator.gate.information.nested_renames import Rename, renames
from orchestrator.gate.information.null_tokens import holds_something, is_missing, stands_for_missing
from orchestrator.gate.information.similarity import key
from orchestrator.gate.information.tokens import tokens

# No losses by themselves: words for nothing that become null or go with their keys, keys that hold null, other changes.
_NULLED, _WORD_LOST, _NULL_LOST, _CHANGED = "word-nulled", "word-lost", "null-lost", "changed"
_NULL_KEPT = "null-kept"  # a key that holds nothing, and stays
LISTS, PLACES = 8, 3  # lists of one length, and how long they are, or it is chance
NAMES, MOSTLY = 5, 0.9  # different values that show what stands under a name; of others that belong to another one
YEAR = 4  # figures; more than some thousand are no number that Python reads
_ISO = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})")
_UNSAID = {_NULLED, _WORD_LOST, _NULL_LOST, _CHANGED, _NULL_KEPT}


class NestedLoss(NamedTuple):
    """`kind`: of the concern; `detail`: what is gone, and where; `row`: of the value that shows it.

    `said`: the text or number that became empty, where that is what is gone; of a lost key, what is nowhere afterwards.
    """

    kind: str
    detail: str
    row: int
    place: str
    said: str


def nested_losses(
    before: Sequence[Any], after: Sequence[Any], shown: tuple[Sequence[Any], Sequence[Any]] = ((), ())
) -> list[NestedLoss]:
    """The first loss of each kind and place in two equally long columns. `shown`: those of witnesses, which settle.

    They settle a loss in the same place, of keys also beside it, unless what stood there is nowhere afterwards and they
    show no such loss; that a value becomes empty for such a value alone.
    """
    witnessed = [*_found(*shown), *_named_parts(*shown), *_places_gone(*shown, lists=1)]
    found: dict[tuple[str, str], NestedLoss] = {}
    losses = _found(before, after), _emptied_like_others(before, after), _named_parts(before, after)
    for loss in [*chain(*losses), *_places_gone(before, after), *_parts_exchanged(before, after)]:
        if not any(_shows(one, loss) for one in witnessed):
            found.setdefault((loss.kind, loss.place), loss)
    return list(found.values())


def _shows(one: NestedLoss, loss: NestedLoss) -> bool:
    if one.kind != loss.kind:
        return False
    if loss.kind == "key-lost":
        alike = not loss.said or bool(one.said)
        return one.place == loss.place or (alike and _beside(one.place) == _beside(loss.place))
    return gone_alike(loss.said, one.said) if loss.said else _beside(one.place) == _beside(loss.place)


def _beside(place: str) -> str:
    """The object in which a key stands."""
    return place.rpartition(".")[0]


def _found(before: Sequence[Any], after: Sequence[Any]) -> list[NestedLoss]:
    """All losses, one of each kind, place and value that is gone."""
    found: dict[tuple[str, str, str], NestedLoss] = {}
    renamed = renames(before, after)
    for row, (one, other) in enumerate(zip(before, after, strict=True)):
        for kind, place, detail, said in _losses(one, other, "", renamed):
            found.setdefault((kind, place, said), NestedLoss(kind, detail, row, place, said))
    kinds = {kind for kind, _, _ in found}
    also = {_WORD_LOST} if _NULLED in kinds else set()
    also |= {_NULL_LOST} if kinds & {_NULLED, _CHANGED} else set()  # it was to change values, not to leave out keys
    empty = {place for kind, place, _ in found if kind == _NULL_KEPT}
    more = [
        loss._replace(kind="key-lost")
        for (kind, place, _), loss in found.items()
        if kind in also or (kind == _WORD_LOST and place in empty)
    ]
    return [loss for loss in found.values() if loss.kind not in _UNSAID] + more


def _emptied_like_others(before: Sequence[Any], after: Sequence[Any]) -> list[NestedLoss]:
    """Values that become empty though they look like others of their place: `NA` among codes of countries."""
    found = []
    for place, leaves in by_place([*before], [*after]).items():
        for at in emptied_like_others([leaf.before for leaf in leaves], [leaf.after for leaf in leaves])[:1]:
            detail = f"a value becomes empty that looks like others which stay at {place[:60]!r}"
            found.append(NestedLoss("cells-emptied", detail, leaves[at].row, place, _text(leaves[at].before)))
    return found


def _named_parts(before: Sequence[Any], after: Sequence[Any]) -> list[NestedLoss]:
    """Texts that become objects whose names neither the text nor another cell has: who says which part is the surname?

    Only of several parts of one type; a number and a text are told apart.
    """
    known = {name for one in before if isinstance(one, dict) for name in one}
    for row, (one, other) in enumerate(zip(before, after, strict=True)):
        if not isinstance(one, str) or not isinstance(other, dict):
            continue
        new = [name for name in other if name not in known and name.casefold() not in one.casefold()]
        types = [isinstance(other[name], str) for name in new if _holds(other[name])]
        if max(map(types.count, types), default=0) > 1:
            detail = f"the key {new[0][:60]!r} is new, and nothing says which part it is"
            return [NestedLoss("key-added", detail, row, f".{new[0]}", "")]
    return []


def _places_gone(before: Sequence[Any], after: Sequence[Any], lists: int = LISTS) -> list[NestedLoss]:
    """An item that holds nothing is left out where all lists of its place are as long: the others move up."""
    found: dict[str, list[tuple[int, int, int]]] = defaultdict(list)
    for row, (one, other) in enumerate(zip(before, after, strict=True)):
        for place, ours, theirs in _lengths(one, other, ""):
            found[place].append((row, ours, theirs))
    losses = []
    for place, lengths in found.items():
        places = lengths[0][1]
        shorter = [row for row, _, theirs in lengths if theirs < places]
        if shorter and len(lengths) >= lists and places >= PLACES and all(ours == places for _, ours, _ in lengths):
            detail = f"an empty item of a list is left out, and all lists have {places}"
            losses.append(NestedLoss("item-lost", detail, shorter[0], place, ""))
    return losses


def _lengths(one: Any, other: Any, place: str) -> Iterator[tuple[str, int, int]]:
    """The lists of both, by place, with their lengths before and after."""
    if isinstance(one, dict) and isinstance(other, dict):
        for name in filter(other.__contains__, one):
            yield from _lengths(one[name], other[name], f"{place}.{name}")
    elif isinstance(one, list) and isinstance(other, list):
        yield place, len(one), len(other)


def _parts_exchanged(before: Sequence[Any], after: Sequence[Any]) -> list[NestedLoss]:
    """Texts that become objects whose values stand under the name of others: a first name as `family`.

    The objects that were there before show what stands under each name.
    """
    known: dict[str, set[str]] = defaultdict(set)
    for name, value in _named_texts([one for one in before if isinstance(one, list | dict)]):
        known[name].add(value)
    found: dict[str, list[bool]] = defaultdict(list)
    rows: dict[str, int] = {}
    for row, (one, other) in enumerate(zip(before, after, strict=True)):
        for name, value in _named_texts(other) if isinstance(one, str) and known else ():
            elsewhere = any(value in values for other_name, values in known.items() if other_name != name)
            if name in known and elsewhere is not (value in known[name]):
                found[name].append(elsewhere)
                if elsewhere:
                    rows.setdefault(name, row)
    return [
        NestedLoss("word-replaced", f"values of other names stand under {name[:60]!r}", rows[name], f".{name}", "")
        for name, ones in found.items()
        if len(ones) >= PLACES and sum(ones) >= MOSTLY * len(ones) and len(known[name]) >= NAMES
    ]


def _named_texts(value: Any) -> Iterator[tuple[str, str]]:
    """The texts of an object, and of those in a list, each with its name."""
    for item in value if isinstance(value, list) else [value]:
        if isinstance(item, list):
            yield from _named_texts(item)
        elif isinstance(item, dict):
            yield from ((name, text) for name, text in item.items() if isinstance(text, str) and text.strip())


def _losses(one: Any, other: Any, place: str, renamed: frozenset[Rename]) -> Iterator[tuple[str, str, str, str]]:
    """Kind, place and detail of what `one` had and `other` has not, and a value that is empty.

    `renamed`: keys that only have another name.
    """
    where = f" at {place[:60]!r}" if place else ""
    if isinstance(one, dict) and isinstance(other, dict):
        for name, value in one.items():
            if name in other:
                yield from _losses(value, other[name], f"{place}.{name}", renamed)
            elif not any((place, name, new) in renamed for new in other.keys() - one.keys()):
                kind = "key-lost" if _holds(value) else _NULL_LOST if is_missing(value) else _WORD_LOST
                nowhere = kind == "key-lost" and not isinstance(value, dict | list) and _is_nowhere(value, other)
                said = _text(value) if nowhere else ""
                yield kind, f"{place}.{name}", f"the key {name[:60]!r} is gone{where}", said
        for name in [name for name in other if name not in one]:
            if any((place, old, name) in renamed for old in one.keys() - other.keys()):
                continue
            yield "key-added", f"{place}.{name}", f"the key {name[:60]!r} is new{where}", ""
    elif isinstance(one, list) and isinstance(other, list):
        if len(other) < len(one) and _things(other) < _things(one):
            yield "item-lost", place, f"of {len(one)} items {len(other)} are left{where}", ""
        elif len(other) > len(one):
            yield "item-added", place, f"{len(one)} items became {len(other)}{where}", ""
        for left, right in zip(one, other, strict=False) if len(one) == len(other) else ():
            yield from _losses(left, right, f"{place}[]", renamed)
    elif isinstance(one, dict | list) and _holds(one) and not _holds(other):
        yield "item-lost" if isinstance(one, list) else "key-lost", place, f"what is inside is gone{where}", ""
    elif isinstance(one, list) and isinstance(other, str) and place and len(one) > 1:
        yield "type-changed", place, f"a list becomes a text{where}", ""
    elif isinstance(one, dict) and isinstance(other, list) and len(one) > 1:
        yield "key-lost", place, f"an object becomes a list, which has no names for its values{where}", ""
    elif isinstance(one, dict) and _other_date(one, other):
        yield "value-misread", place, f"a date becomes another one than its parts say{where}", ""
    elif isinstance(one, dict | list) and (unsaid := _unsaid(one, other)):
        kind = "item-lost" if isinstance(one, list) else "key-lost"
        yield kind, place, f"what was at {unsaid[:60]!r} is gone{where}", ""
    elif place and not is_missing(one) and is_missing(other) and not stands_for_missing(one):
        kind = "cells-emptied" if _holds(one) else _NULLED
        yield kind, place, f"a value that held something is empty{where}", _text(one)
    elif place and is_missing(one) and not (isinstance(one, str) and one.strip()) and _holds(other):
        yield "cells-filled", place, f"an empty value gets one{where}", ""
    elif place and is_missing(one) and is_missing(other):
        yield _NULL_KEPT, place, "", ""
    elif place and not is_missing(one) and repr(one) != repr(other):
        yield _CHANGED, place, "", ""


def _other_date(parts: dict[str, Any], text: Any) -> bool:
    """Whether year, month and day become a date of other ones, or in another place."""
    date = _ISO.fullmatch(text) if isinstance(text, str) else None
    wanted = [str(parts.get(name)) for name in ("year", "month", "day")]
    if date is None or not all(part.isdecimal() and len(part) <= YEAR for part in wanted):
        return False
    return list(map(int, date.groups())) != list(map(int, wanted))


def _unsaid(one: Any, other: Any) -> str:
    """The place of a value inside a list or an object that what became of the whole does not say; "" if it says all."""
    said = key(_all_said(other))
    return next((place for place, value in _inside(one, "") if _holds(value) and key(_text(value)) not in said), "")


def _is_nowhere(value: Any, other: Any) -> bool:
    """Whether no word and no figure of the value is in what became of the whole."""
    return set(tokens(_text(value))).isdisjoint(tokens(_all_said(other)))


def _all_said(value: Any) -> str:
    return " ".join(_text(one) for _, one in _inside(value, "", names=True))


def _inside(value: Any, place: str, *, names: bool = False) -> Iterator[tuple[str, Any]]:
    """The values inside, each with its place; with the names of keys among them if these are wanted."""
    if isinstance(value, dict):
        for name, item in value.items():
            yield from [(place, name)] if names else []
            yield from _inside(item, f"{place}.{name}", names=names)
    elif isinstance(value, list):
        for item in value:
            yield from _inside(item, f"{place}[]", names=names)
    else:
        yield place, value


def _text(value: Any) -> str:
    return f"{value:.15g}" if isinstance(value, float) else str(value)


def _things(items: Sequence[Any]) -> int:
    """How many items hold something, each text once: two equal numbers, or lines of an order, are two."""
    held = [item for item in items if _holds(item)]
    return len({_plain(item) for item in held if isinstance(item, str)}) + sum(not isinstance(i, str) for i in held)


def _holds(value: Any) -> bool:
    return bool(value) if isinstance(value, dict | list) else holds_something(value)


def _plain(item: Any) -> str:
    return (key(item) or item.strip()) if isinstance(item, str) else repr(item)
