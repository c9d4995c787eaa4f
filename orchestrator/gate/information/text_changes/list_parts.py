"""Texts that list several things: whether one of them goes, or two become the same. Called by laws.py."""

import json
import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from orchestrator.gate.information.changes import Change, Found, leaves
from orchestrator.gate.information.similarity import key
from orchestrator.gate.information.tokens import layout, words
from orchestrator.gate.information.value_kinds.known_words import same_thing
from orchestrator.gate.information.value_kinds.units import names_unit

ENOUGH = 3  # different codes that show how those of a column are built
TWO = 2
LISTS = 8  # different lists of one length, or it is chance
MOST = 40  # parts of a text that are compared
SHORTEST = 3  # letters of a word
_BETWEEN_ITEMS = frozenset({"and", "und", "plus", "the", "all", "each", "with", "also"})
_CODE = re.compile(r"[A-Z\d]{2,}")
_LETTER = re.compile(r"[^\W\d_]")
_BETWEEN = re.compile(r"[;,/|+&]")
_LINK = re.compile(r"https?://[^\s,;|<>\"']+|[\w.+-]{1,64}@[\w-]{1,63}\.[\w.-]{2,63}")
_LIST = re.compile(r"[;,|]")
_INSIDE = re.compile(r"[\s/]+")


def known_parts_gone(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """Of several things, each of which other cells hold or are built as, some go: `DEHAM/DEBRV` as `DEHAM`."""
    alone = {one.strip() for one, other in cells if isinstance(one, str) and one == other}
    codes = Counter((layout(one), len(one)) for one in alone if _CODE.fullmatch(one))
    for before, after in changed:
        parts = _parts(before)
        left = _parts(after)
        known = {part for part in parts if part in alone or codes[layout(part), len(part)] >= ENOUGH}
        if 0 < len(left) < len(parts) == len(known) and set(left) < known and all(map(_LETTER.search, parts)):
            return "of several things that other cells hold, one goes", (before, after)
    return None


def links_gone(changed: Sequence[Change]) -> Found | None:
    """Of several links or mail addresses of a text some go."""
    for before, after in changed:
        links = [link.strip(".,;").casefold() for link in _LINK.findall(before)[:MOST]]
        left = [link for link in links if link in after.casefold()]
        if len(set(links)) > 1 and 0 < len(set(left)) < len(set(links)):
            return "of several links one goes", (before, after)
    return None


def parts_made_alike(changed: Sequence[Change]) -> Found | None:
    """Two parts of a text that become the same though they are no spellings of each other: `B/BE` as `B, B`."""
    for before, after in changed:
        parts, made = _parts(before), _parts(after)
        if not 1 < len(parts) == len(made) or len({key(part) for part in made}) >= len({key(part) for part in parts}):
            continue
        stays = {key(part) for part in parts}
        for part, new in zip(parts, made, strict=True):
            if key(part) != key(new) in stays and key(part).startswith(key(new)) and not same_thing(part, new):
                return "two parts of a text become the same", (before, after)
    return None


def parts_split(changed: Sequence[Change]) -> Found | None:
    """An item of two words that becomes two items: `eco, fair trade` as `eco, fair, trade`."""
    for before, after in changed:
        parts, made = _listed(before), _listed(after)
        if len(parts) < TWO or len(made) < TWO:
            continue
        items, new = set(map(key, parts)), set(map(key, made))
        for part in parts:
            own = [key(word) if word.isalnum() else "" for word in _INSIDE.split(part)]
            if len(own) > 1 and all(own) and set(own) <= new and key(part) not in new and not set(own) <= items:
                return "an item of several words becomes several items", (before, after)
    return None


def items_taken_for_others(changed: Sequence[Change]) -> Found | None:
    """An item of a list that goes because another one holds it: `new in, new` as `new in`, `c, c++` as `c++`."""
    for before, after in changed:
        items, left = _items(before), _items(after)
        gone = items.keys() - left.keys()
        if not gone or not left or not left.keys() <= items.keys():
            continue
        named = [items[one] for one in gone if any(map(str.isalpha, items[one]))]
        if any(one in items[other] for one in named for other in left):
            return "an item of a list goes, which is a part of another one", (before, after)
    return None


def words_not_in_parts(changed: Sequence[Change]) -> Found | None:
    """A text that becomes a list without one of its words, or an object with another one in its place.

    `53/udp` as `{"port": 53, "kind": "tcp"}`. `changed`: the values themselves, lists as lists.
    """
    for before, after in changed:
        if not isinstance(before, str) or not isinstance(after, list | dict) or not after:
            continue
        said, own = "".join(words(json.dumps(after, ensure_ascii=False))), "".join(words(before))
        gone = {word for word in words(before) if len(word) >= SHORTEST and word not in said and not names_unit(word)}
        new = {word for word in words(" ".join(map(str, leaves(after)))) if word not in own}
        if gone - _BETWEEN_ITEMS and (isinstance(after, list) or any(len(word) >= SHORTEST for word in new)):
            return "a word is in none of the parts that a text becomes", (before, after)
    return None


def empty_places_gone(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """An empty place of a list goes where all lists of the column have as many places: `A1;;B2` as `A1;B2`."""
    texts = {one for one, _ in cells if isinstance(one, str) and one.strip()}
    for sign in ";,|" if len(texts) >= LISTS else "":
        signs = {text.count(sign) for text in texts}
        for before, after in changed if len(signs) == 1 and max(signs) >= TWO else ():
            empty = not all(map(str.strip, before.split(sign)))
            if empty and after.strip() and len(_LIST.findall(after)) < len(_LIST.findall(before)):
                return "an empty place of a list goes, and all lists have as many", (before, after)
    return None


def words_parted(changed: Sequence[Change]) -> Found | None:
    """A word that a sign of a list divides, and that loses what stood there: `Candy` as `C, y`."""
    for before, after in changed:
        made = _listed(after)
        for one, other in pairwise(made) if len(made) > len(_listed(before)) else ():
            ours, theirs = one.split()[-1], other.split()[0]
            word = re.compile(rf"(?<![^\W_]){re.escape(ours)}[^\W\d_]+{re.escape(theirs)}(?![^\W_])")
            if ours.isalpha() and theirs.isalpha() and word.search(before):
                return "a word becomes two, and loses letters", (before, after)
    return None


def _items(text: str) -> dict[str, str]:
    """The items of a list, without a mark in front and however they are cased; each with its letters and figures."""
    return {item: key(item) for part in _listed(text) if (item := part.casefold().strip("#\"' "))}


def _listed(text: str) -> list[str]:
    parts = [part for part in map(str.strip, _LIST.split(text)) if part]
    return parts if len(parts) <= MOST else []


def _parts(text: str) -> list[str]:
    parts = [part for part in map(str.strip, _BETWEEN.split(text)) if part]
    return parts if len(parts) <= MOST else []
