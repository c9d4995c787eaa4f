"""Characters that something else was put in place of: "hxspital", "1x002", "P*SS".

Needed as proof: a rare text becomes one and only one frequent text of its column when its marks are filled in, and the
column or the table has more of the kind.
"""

from collections.abc import Iterator

from orchestrator.propose.builtin.names import slug
from orchestrator.propose.builtin.profile import Column, Table
from orchestrator.propose.builtin.remedy import Remedy
from orchestrator.propose.builtin.wishes import Wishes

_OFTEN = 3
_MOST_KNOWN = 500
_MOST_CHARS = 20_000
_IN_COLUMN, _IN_TABLE = 2, 5  # different crossed texts


def _index(known: list[str]) -> dict[int, list[str]]:
    """The known texts by length."""
    found: dict[int, list[str]] = {}
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
    return found[0] if len(found) == 1 else value


def find(table: Table, wishes: Wishes) -> Iterator[Remedy]:
    learnt = []
    for column in table.columns:
        known = _known(column)
        lookup = _index(known)
        crossed = [
            text
            for text, count in column.counts.items()
            if (right := _filled_in(text, lookup)) != text and column.counts[right] >= 3 * count
        ]
        if crossed and not wishes[column.name].values:
            learnt.append((column, known, crossed))
    several = sum(len(crossed) for _, _, crossed in learnt) >= _IN_TABLE
    for column, known, crossed in learnt:
        if several or len(crossed) >= _IN_COLUMN:
            yield Remedy(
                rule="crossed",
                name=f"fill_in_characters_in_{slug(column.name)}",
                issue=f"Some texts in {column.name} have another sign in place of a character: {crossed[0][:60]!r}.",
                doc=f"Fill in the characters by the {len(known)} frequent texts.",
                columns=(column.name,),
                fix=_filled_in,
                settings={"known": known},
                derive=_index,
                examples=16,
            )


def _known(column: Column) -> list[str]:
    """The frequent texts, and rarer ones that hold a mark of their own and are no crossed text."""
    frequent = [text for text, count in column.counts.most_common(_MOST_KNOWN) if count >= _OFTEN and len(text) <= 200]
    while sum(map(len, frequent)) > _MOST_CHARS:
        frequent = frequent[: len(frequent) * 3 // 4]
    return sorted(frequent)
