"""Texts that list several things: whether one of them goes, or two become the same. Called by laws.py."""

import json
import re
from collections import Counter
from collections.abc import Collection, Sequence
from itertools import groupby, islice, pairwise
from typing import Any
from urllib.parse import unquote

from orchestrator.gate.information.changes import Change, Found, leaves, unchanged_texts
from orchestrator.gate.information.similarity import key
from orchestrator.gate.information.tokens import layout, words
from orchestrator.gate.information.value_kinds.known_words import same_thing
from orchestrator.gate.information.value_kinds.spelled_numbers import spelled_number
from orchestrator.gate.information.value_kinds.units import names_unit

ENOUGH = 3  # different codes that show how those of a column are built
TWO = 2
LONG = 5  # figures of what is a code, and no padded number, if it begins with a zero
LONGEST = 15  # figures that a float keeps
LISTS = 8  # different lists of one length, or it is chance
MOST = 40  # parts of a text that are compared
SHORTEST = 3  # letters of a word
_BETWEEN_ITEMS = frozenset({"and", "und", "plus", "the", "all", "each", "with", "also"})
_CODE = re.compile(r"[A-Z\d]{2,}")
_CODED = re.compile(r"(?<![\w.,])0\d+(?![\w.,])")
_LETTER = re.compile(r"[^\W\d_]")
_BETWEEN = re.compile(r"[;,/|+&]")
_LINK = re.compile(r"https?://[^\s,;|<>\"']+|[\w.+-]{1,64}@[\w-]{1,63}\.[\w.-]{2,63}")
_ARROW = re.compile(r">|\u2192|\s[-\u2013]\s")
_LIST = re.compile(r"[;,|]")
_AND = frozenset({"and", "&", "und", "et", "y"})  # in front of the last item; between others it joins two words
_INSIDE = re.compile(r"[\s/]+")


def known_parts_gone(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """Of several things, each of which other cells hold or are built as, some go: `DEHAM/DEBRV` as `DEHAM`."""
    alone = {one.strip() for one in unchanged_texts(cells)}
    codes = Counter((layout(one), len(one)) for one in alone if _CODE.fullmatch(one))
    for before, after in changed:
        parts, left = (_listed(text, _BETWEEN) for text in (before, after))
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
        parts, made = (_listed(text, _BETWEEN) for text in (before, after))
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
            words = [word for word in _INSIDE.split(part) if part == parts[-1] or word.casefold() not in _AND]
            own = [key(word) if word.isalnum() else "" for word in words]
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


def words_not_in_parts(
    changed: Sequence[Change], shortest: int = SHORTEST, shown: Collection[str] = ()
) -> Found | None:
    """A text that becomes a list without one of its words, or an object with another one in its place or without one
    that some of these texts have.

    `53/udp` as `{"port": 53, "kind": "tcp"}`. `changed`: the values themselves, lists as lists. `shortest`: letters.
    `shown`: words that may go.
    """
    objects = [before for before, after in changed if isinstance(before, str) and isinstance(after, dict)]
    counts = Counter(word for text in objects for word in set(words(text)))
    for before, after in changed:
        if not isinstance(before, str) or not isinstance(after, list | dict) or not after:
            continue
        own = "".join(words(unquote(before)))
        gone = {word for word in not_in_parts(before, after) if len(word) >= shortest and word not in shown}
        new = {word for word in words(" ".join(map(str, leaves(after)))) if word not in own}
        telling = len(objects) >= LISTS and any(counts[word] < len(objects) for word in gone - _BETWEEN_ITEMS)
        if gone - _BETWEEN_ITEMS and (isinstance(after, list) or telling or any(len(w) >= shortest for w in new)):
            return "a word is in none of the parts that a text becomes", (before, after)
    return None


def stops_gone(changed: Sequence[Change]) -> Found | None:
    """A stop of a way that comes back later, and is one of the list's items once: `Oslo > Rome > Oslo`."""
    for before, after in changed:
        if not isinstance(before, str) or not isinstance(after, list) or not all(isinstance(one, str) for one in after):
            continue
        stops = [stop for stop, _ in groupby(part.strip() for part in _ARROW.split(before))]
        if len(after) < len(stops) <= MOST and after == [*dict.fromkeys(stops)]:
            return "of the stops of a way one that comes back goes", (before, after)
    return None


def not_in_parts(before: str, after: list[Any] | dict[str, Any]) -> set[str]:
    """The words of a text, but for units, that are in none of the parts that it becomes."""
    parts = json.dumps(after, ensure_ascii=False)
    said = "".join(words(parts))
    gone = {word for word in words(unquote(before)) if word not in said and not names_unit(word)}
    names = {word for one in _keys(after) for word in words(one)}
    numbers = set(re.findall(r"\d+", parts)) if gone else set[str]()
    return {
        word
        for word in gone
        if not (word.endswith("s") and word[:-1] in names) and str(spelled_number(word)) not in numbers
    }


def _keys(value: Any) -> list[str]:
    """The keys at any depth: `four horses` as `{"horse": 4}`."""
    if isinstance(value, list | dict):
        own = [str(name) for name in value] if isinstance(value, dict) else []
        return own + [name for one in (value.values() if isinstance(value, dict) else value) for name in _keys(one)]
    return []


def empty_places_gone(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """An empty place of a list goes where all lists of the column, full ones too, have as many: `A1;;B2` as `A1;B2`."""
    texts = {one for one, _ in cells if isinstance(one, str) and one.strip()}
    for sign in ";,|" if len(texts) >= LISTS else "":
        lists = {text: text.split(sign) for text in texts}
        alike = len(set(map(len, lists.values()))) == 1 and all(len(parts) > TWO for parts in lists.values())
        full = sum(all(map(str.strip, parts)) for parts in lists.values()) if alike else 0
        for before, after in changed if full >= ENOUGH else ():
            empty = not all(map(str.strip, before.split(sign)))
            if empty and after.strip() and len(_LIST.findall(after)) < len(_LIST.findall(before)):
                return "an empty place of a list goes, and all lists have as many", (before, after)
    return None


def objects_turned(changed: Sequence[Change]) -> Found | None:
    """The parts of a text become objects that stand in another order: `King, Ada; Hopper, Grace` with Hopper first."""
    for before, after in changed:
        if not isinstance(before, str) or not isinstance(after, list) or not 1 < len(after) <= MOST:
            continue
        firsts = [next(iter(leaves(item)), None) for item in after if isinstance(item, dict)]
        places = [before.find(first) if isinstance(first, str) else -1 for first in firsts]
        if len(places) == len(after) == len({*places} - {-1}) and places != sorted(places):
            return "the parts of a text stand in another order", (before, after)
    return None


def zeros_of_parts_gone(changed: Sequence[Change]) -> Found | None:
    """A code of a text that stands in a list or an object without its zeros: `id=007` as `{"id": "7"}`."""
    for before, after in changed:
        if not isinstance(before, str) or not isinstance(after, list | dict):
            continue
        parts = leaves(after)
        texts = {leaf for leaf in parts if isinstance(leaf, str)}
        numbers = {leaf for leaf in parts if isinstance(leaf, int | float)}
        codes = [code for code in islice(_CODED.findall(before), MOST) if code not in texts]
        if any(code.lstrip("0") in texts or (LONG <= len(code) <= LONGEST and int(code) in numbers) for code in codes):
            return "a code loses the zeros in front of it", (before, after)
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


def only_repeated_go(before: str, after: str) -> bool:
    """Whether a list loses only items that are in it before, but for their capitals: `Java, SQL, java`."""
    first: dict[str, str] = {}
    for item in _listed(before):
        first.setdefault(item.casefold(), item)
    return 0 < len(first) < len(_listed(before)) and [*first.values()] == _listed(after)


def _items(text: str) -> dict[str, str]:
    """The items of a list, without a mark in front and however they are cased; each with its letters and figures."""
    return {item: key(item) for part in _listed(text) if (item := part.casefold().strip("#\"' "))}


def _listed(text: str, sign: re.Pattern[str] = _LIST) -> list[str]:
    """What stands between the signs; nothing of a text that has too many."""
    parts = [part for part in map(str.strip, sign.split(text)) if part]
    return parts if len(parts) <= MOST else []
