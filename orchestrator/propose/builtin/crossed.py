"""Characters that something else was put in place of: "hxspital", "1x002", "P*SS".

Needed as proof: a rare text becomes one and only one frequent text of its column when its marks are filled in, and the
column or the table has more of the kind.
"""

from collections import Counter
from collections.abc import Iterator

from orchestrator.propose.builtin.names import slug
from orchestrator.propose.builtin.profile import Column, Table
from orchestrator.propose.builtin.remedy import Remedy
from orchestrator.propose.builtin.wishes import Wishes

_MARKS = "xX*#?\ufffd"
_CLOSED = 0.9  # of the rows hold a frequent text: only then is a missing digit one of those that are known
_OFTEN = 3
_MOST_KNOWN = 500
_MOST_CHARS = 20_000
_IN_COLUMN, _IN_TABLE = 2, 5  # different crossed texts
_IN_ONE_PLACE = 4  # different texts whose marks stand in the same place: there the mark is a value


def _index(known: list[str], digits: bool) -> dict[int, list[str]]:
    """The known texts by length; under 0 nothing, where digits may be filled in too."""
    found: dict[int, list[str]] = {0: []} if digits else {}
    for text in known:
        found.setdefault(len(text), []).append(text)
    return found


def _filled_in(value: str, lookup: dict[int, list[str]]) -> str:
    """The one known text that fills the marks of the value; the value itself where there is none, or several."""
    marks = {sign for sign in "xX*#?\ufffd" if sign in value}
    plain = "".join(sign for sign in value if sign not in marks)
    if not marks or 2 * len(plain) < len(value) or (len(value) < 5 and (len(plain) < 2 or plain != plain.upper())):
        return value
    found = [
        known
        for known in lookup.get(len(value), [])
        if all(a == b or a in marks for a, b in zip(value, known))  # noqa: B905 - same length
    ]
    if len(found) != 1 or (0 not in lookup and any(b.isdigit() and a != b for a, b in zip(value, found[0]))):  # noqa: B905 - same length
        return value
    return found[0]


def find(table: Table, wishes: Wishes) -> Iterator[Remedy]:
    learnt = []
    for column in table.columns:
        if wishes[column.name].values or not any(mark in text for text in column.counts for mark in _MARKS):
            continue
        known = _known(column)
        digits = sum(column.counts[text] for text in known) >= _CLOSED * column.filled
        crossed = _crossed(column, known, digits)
        if crossed:
            rivals = _rivals(column, known, crossed)
            crossed = [text for text in crossed if text not in rivals]
            learnt.append((column, sorted({*known, *rivals.values()}), digits, crossed))
    several = sum(len(crossed) for *_, crossed in learnt) >= _IN_TABLE
    for column, known, digits, crossed in learnt:
        if crossed and (several or len(crossed) >= _IN_COLUMN):
            yield Remedy(
                rule="crossed",
                name=f"fill_in_characters_in_{slug(column.name)}",
                issue=f"Some texts in {column.name} have another sign in place of a character: {crossed[0][:60]!r}.",
                doc=f"Fill in the characters by the {len(known)} frequent texts.",
                columns=(column.name,),
                fix=_filled_in,
                settings={"known": known, "digits": digits},
                derive=_index,
                examples=16,
            )


def _crossed(column: Column, known: list[str], digits: bool) -> list[str]:
    """The texts that the function would fill in; none where their marks stand in one place, as a size X does."""
    lookup = _index(known, digits)
    crossed = [
        text
        for text, count in column.counts.items()
        if (right := _filled_in(text, lookup)) != text and column.counts[right] >= 3 * count
    ]
    for place in (_from_start, _from_end):
        places = Counter(spot for text in crossed for spot in place(text))
        if len(crossed) >= _IN_ONE_PLACE and places and max(places.values()) > 0.7 * len(crossed):
            return []
    return crossed


def _from_start(text: str) -> set[int]:
    return {place for place, sign in enumerate(text) if sign in _MARKS}


def _from_end(text: str) -> set[int]:
    return _from_start(text[::-1])


def _rivals(column: Column, known: list[str], crossed: list[str]) -> dict[str, str]:
    """Crossed texts that a rare text of the column would fit as well, each with that text."""
    rare: dict[int, list[str]] = {}
    for text in column.counts.keys() - set(known) - set(crossed):
        rare.setdefault(len(text), []).append(text)
    found = {}
    for text in crossed:
        marks = {sign for sign in _MARKS if sign in text}
        for other in sorted(rare.get(len(text), [])):
            if all(a == b or a in marks for a, b in zip(text, other, strict=True)):
                found[text] = other
    return found


def _known(column: Column) -> list[str]:
    """The frequent texts."""
    frequent = [text for text, count in column.counts.most_common(_MOST_KNOWN) if count >= _OFTEN and len(text) <= 200]
    while sum(map(len, frequent)) > _MOST_CHARS:
        frequent = frequent[: len(frequent) * 3 // 4]
    return sorted(frequent)
