"""Characters that something else was put in place of: "hxspital", "1x002", "P*SS".

Needed as proof: a rare text becomes one and only one frequent text of its column when its marks are filled in, and the
column or the table has more of the kind.
"""

from collections import Counter
from collections.abc import Iterable, Iterator

from orchestrator.propose.builtin.names import slug
from orchestrator.propose.builtin.preferences import Preferences
from orchestrator.propose.builtin.remedy import Remedy
from orchestrator.propose.builtin.working_rows import TextColumn, WorkingRows

_MARKS = "xX*#?\ufffd"
_CLOSED = 0.9  # of the rows hold a frequent text: only then is a missing digit one of those that are known
_OFTEN = 3
_MOST_KNOWN = 500
_MOST_CHARS = 20_000
_IN_COLUMN, _IN_TABLE = 2, 5  # different crossed texts
_IN_ONE_PLACE, _LONG = 4, 5  # so many texts of that length, all with the mark in one place: there it is a value


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


def find(table: WorkingRows, wishes: Preferences) -> Iterator[Remedy]:
    learnt = []
    for column in table.columns:
        if wishes[column.name].values or not any(mark in text for text in column.counts for mark in _MARKS):
            continue
        known = _known(column)
        closed = sum(column.counts[text] for text in known) >= _CLOSED * column.filled
        crossed = _crossed(column, known, closed)
        if crossed:
            rivals = _rivals(column, known, crossed, closed)
            crossed = [text for text in crossed if text not in rivals]
            learnt.append((column, sorted({*known, *rivals.values()}), closed, crossed))
    several = sum(len(crossed) for *_, crossed in learnt) >= _IN_TABLE
    for column, known, closed, crossed in learnt:
        if crossed and (several or len(crossed) >= _IN_COLUMN):
            yield Remedy(
                rule="crossed",
                name=f"fill_in_characters_in_{slug(column.name)}",
                issue=f"Some texts in {column.name} have another sign in place of a character: {crossed[0][:60]!r}.",
                doc=f"Fill in the characters by the {len(known)} frequent texts.",
                columns=(column.name,),
                fix=_filled_in,
                settings={"known": known, "digits": closed},
                derive=_index,
                examples=16,
            )


def _crossed(column: TextColumn, known: list[str], closed: bool) -> list[str]:
    """The texts that the function would fill in; none where their marks stand in one place, as the size in PT-020-X."""
    lookup = _index(known, closed)
    crossed = [
        (text, right)
        for text, count in column.counts.items()
        if (right := _filled_in(text, lookup)) != text and column.counts[right] >= 3 * count
    ]
    long = [(text, right) for text, right in crossed if len(text) >= _LONG]
    starts, ends = Counter[int](), Counter[int]()
    for text, right in long:
        places = [place for place, sign in enumerate(text) if sign != right[place]]
        starts.update(places)
        ends.update(len(text) - place for place in places)
    if len(long) >= _IN_ONE_PLACE and max([*starts.values(), *ends.values()]) > 0.7 * len(long):
        return []
    return [text for text, _ in crossed]


def _rivals(column: TextColumn, known: list[str], crossed: list[str], closed: bool) -> dict[str, str]:
    """Crossed texts that another text would fit as well, each with that text: a rare one of the column, or, where the
    column is open, one with another of its words ("Steven Mxller": Müller and Miller are known)."""
    others = _by_length(column.counts.keys() - set(known) - set(crossed))
    words = _by_length({word for text in column.counts if text not in crossed for word in text.split(" ")})
    found = {}
    for text in crossed:
        fitting = [other for other in others.get(len(text), []) if _fits(text, other)]
        parts = text.split(" ")
        for place, part in enumerate(parts) if not closed else ():
            alike = [word for word in words.get(len(part), []) if word != part and _fits(part, word)]
            texts = [" ".join([*parts[:place], word, *parts[place + 1 :]]) for word in alike]
            fitting += [other for other in texts if len(alike) > 1 and other not in known]
        if fitting:
            found[text] = fitting[0]
    return found


def _by_length(texts: Iterable[str]) -> dict[int, list[str]]:
    found: dict[int, list[str]] = {}
    for text in sorted(texts):
        found.setdefault(len(text), []).append(text)
    return found


def _fits(text: str, other: str) -> bool:
    """Whether the other text is what stands under the marks of the text; both are of one length."""
    return all(a == b or a in _MARKS for a, b in zip(text, other, strict=True))


def _known(column: TextColumn) -> list[str]:
    """The frequent texts."""
    frequent = [text for text, count in column.counts.most_common(_MOST_KNOWN) if count >= _OFTEN and len(text) <= 200]
    while sum(map(len, frequent)) > _MOST_CHARS:
        frequent = frequent[: len(frequent) * 3 // 4]
    return sorted(frequent)
