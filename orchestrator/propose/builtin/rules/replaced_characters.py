"""Characters that something else was put in place of: "hxspital" → "hospital", "1x002" → "10002", "P*SS" → "PASS".

A text is repaired where exactly one frequent text of its column fits, and column or table hold more such damage. Left
alone: texts that two known texts fit ("Steven Mxller" where Müller and Miller occur), a word that stands in several
texts (Max beside May), a mark in the same position of many codes (the size in "PT-021-X"), digits in a column that is
no closed list.
"""

from collections import Counter
from collections.abc import Iterable, Iterator

from orchestrator.propose.builtin.function_names import slug
from orchestrator.propose.builtin.preferences import Preferences
from orchestrator.propose.builtin.remedy import Remedy
from orchestrator.propose.builtin.working_rows import TextColumn, WorkingRows

_MARKS = "xX*#?\ufffd"
_CLOSED = 0.9  # of the rows hold a frequent text: only then is a missing digit one of those that are known
_OFTEN = 3
_SEVERAL = 6  # texts with a word: a slip does not come so often
_MOST_KNOWN = 500
_MOST_CHARS = 20_000
_LONGEST = 200  # characters of a text that others are measured by
_IN_COLUMN, _IN_TABLE = 2, 5  # different damaged texts
_SAME_POSITION, _LONG = 4, 5  # so many texts of that length, with the mark in one position: there it is a value


def _index(known: list[str], digits: bool, whole: list[str]) -> dict[int, list[str]]:
    """The known texts by length; under -1 whole words with a mark; under 0 nothing, where digits may be filled in."""
    found: dict[int, list[str]] = {-1: whole} | ({0: []} if digits else {})
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
    words = set(found[0].split(" "))
    return value if any(word in lookup[-1] for word in value.split(" ") if word not in words) else found[0]


def find(table: WorkingRows, preferences: Preferences) -> Iterator[Remedy]:
    learnt = []
    for column in table.columns:
        if preferences[column.name].values or not any(mark in text for text in column.counts for mark in _MARKS):
            continue
        known, closed, damaged = column.learnt(_learn, _learn)
        if damaged:
            rivals = _rivals(column, known, damaged, closed)
            damaged = [text for text in damaged if text not in rivals]
            learnt.append((column, sorted({*known, *rivals.values()}), closed, damaged))
    several = sum(len(damaged) for *_, damaged in learnt) >= _IN_TABLE
    for column, known, closed, damaged in learnt:
        if damaged and (several or len(damaged) >= _IN_COLUMN):
            yield Remedy(
                name=f"fill_in_characters_in_{slug(column.name)}",
                issue=f"Some texts in {column.name} have another sign in place of a character: {damaged[0][:60]!r}.",
                doc=f"Fill in the characters by the {len(known)} frequent texts.",
                columns=(column.name,),
                fix=_filled_in,
                settings={"known": known, "digits": closed, "whole": _whole_words(column)},
                derive=_index,
                examples=16,
            )


def _learn(column: TextColumn) -> tuple[list[str], bool, list[str]]:
    """The frequent texts, whether they are all that there is, and the texts that the function would repair."""
    known = _known(column)
    closed = sum(column.counts[text] for text in known) >= _CLOSED * column.filled
    return known, closed, _damaged(column, known, closed)


def _damaged(column: TextColumn, known: list[str], closed: bool) -> list[str]:
    """The texts that the function would repair; none where all marks are in one position, as the size in PT-020-X."""
    lookup = _index(known, closed, _whole_words(column))
    damaged = [
        (text, right)
        for text, count in column.counts.items()
        if len(text) in lookup and (right := _filled_in(text, lookup)) != text and column.counts[right] >= 3 * count
    ]
    long = [(text, right) for text, right in damaged if len(text) >= _LONG]
    starts, ends = Counter[int](), Counter[int]()
    for text, right in long:
        positions = [position for position, sign in enumerate(text) if sign != right[position]]
        starts.update(positions)
        ends.update(len(text) - position for position in positions)
    if len(long) >= _SAME_POSITION and max([*starts.values(), *ends.values()]) > 0.7 * len(long):
        return []
    return [text for text, _ in damaged]


def _whole_words(column: TextColumn) -> list[str]:
    """Words with a letter in them that may be a mark, which stand in several texts: Max is no damaged May."""
    short = [text for text in column.counts if len(text) <= _LONGEST]
    texts = Counter(word for text in short for word in {*text.split(" ")} if any(mark in word for mark in _MARKS))
    return sorted(word for word, count in texts.items() if count >= _SEVERAL)[:_MOST_KNOWN]


def _rivals(column: TextColumn, known: list[str], damaged: list[str], closed: bool) -> dict[str, str]:
    """Damaged texts that another text would fit as well, each with that text: a rare one of the column, or, where the
    column is open, one with another of its words ("Steven Mxller": Müller and Miller are known)."""
    others = _by_length(column.counts.keys() - set(known) - set(damaged))
    words = _by_length({word for text in column.counts if text not in damaged for word in text.split(" ")})
    found = {}
    for text in damaged:
        fitting = [other for other in others.get(len(text), []) if _fits(text, other)]
        parts = text.split(" ")
        for position, part in enumerate(parts) if not closed else ():
            alike = [word for word in words.get(len(part), []) if word != part and _fits(part, word)]
            texts = [" ".join([*parts[:position], word, *parts[position + 1 :]]) for word in alike]
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
    frequent = [
        text for text, count in column.counts.most_common(_MOST_KNOWN) if count >= _OFTEN and len(text) <= _LONGEST
    ]
    while sum(map(len, frequent)) > _MOST_CHARS:
        frequent = frequent[: len(frequent) * 3 // 4]
    return sorted(frequent)
