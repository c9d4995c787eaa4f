"""Values that stood in each other's column. Called by settled_cells.py.

The rows that stay say so: what all of them obey, each exchanged row broke before and obeys now. A day in the column of
times, an end before its beginning, a number that is larger than any other of the column. Where each column holds some
values of the other's kind, pairs say it: an address beside a number, and no number beside an address that stays.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import chain, pairwise
from typing import Any

from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.null_tokens import holds_something, is_missing
from orchestrator.gate.information.tokens import layout
from orchestrator.gate.information.value_kinds.typed_values import microseconds

_CLOCK = re.compile(r"\d{1,2}[:.]\d\d(?:[:.]\d\d)?")
_PLAIN = re.compile(r"[-+]?\d{1,15}(?:\.\d{1,15})?")
ENOUGH = 10  # rows that stay, and show what all obey
CLEARLY = 2  # more often a layout stands in its own column
EMPTY = 0.75  # of the way from one range to the other, or numbers are of all sizes
Pair = tuple[Any, Any]
_Relation = Callable[[Sequence[Pair], Sequence[Pair]], bool]
_Mark = Callable[[str], bool]


def exchanged_rows(
    cells: Sequence[Change],
    beside: Sequence[Change],
    rows: Sequence[int],
    elsewhere: Iterable[tuple[Change, Change]] = (),
) -> list[int]:
    """Those of the rows whose two values were exchanged, if that is all that happened and the other rows say why.

    `elsewhere`: the two columns in more rows, which are evidence where they stay.
    """
    moved = [row for row in rows if beside[row][0] != beside[row][1]]
    turned = [row for row in moved if cells[row] == beside[row][::-1]]
    if not turned or len(turned) != len(rows):
        return []
    stay = [
        (one[0], other[0])
        for one, other in chain(zip(cells, beside, strict=True), elsewhere)
        if one[0] == one[1] and other[0] == other[1] and holds_something(one[0]) and holds_something(other[0])
    ]
    before = [(cells[row][0], beside[row][0]) for row in turned]
    if len(stay) < max(ENOUGH, len(turned)) or not any(relation(stay, before) for relation in _RELATIONS):
        return []
    return turned


def turned_as_shown(
    columns: tuple[str, str],
    cells: Sequence[Change],
    beside: Sequence[Change],
    rows: Iterable[int],
    shown: Sequence[tuple[Mapping[str, Any], Mapping[str, Any]]],
) -> list[int]:
    """Those of the rows whose two values were exchanged, as a witness shows of values that are written so.

    With figures or without, in capitals or not; case does not matter where witnesses show several.
    """
    name, other = columns
    pairs = {
        (given[name], given[other])
        for given, wanted in shown
        if isinstance(given.get(name), str) and isinstance(given.get(other), str) and given[name] != given[other]
        if (wanted.get(name), wanted.get(other)) == (given[other], given[name])
    }
    cases = [{_case(pair[side]) for pair in pairs if not _has_figures(pair[side])} for side in (0, 1)]
    how = (_has_figures,) if max(map(len, cases)) > 1 else (_has_figures, _case)
    kinds = {_kind(pair, how) for pair in pairs}
    turned = [row for row in rows if kinds and cells[row] == beside[row][::-1]]
    before = {row: (cells[row][0], beside[row][0]) for row in turned}
    return [
        row for row, pair in before.items() if all(isinstance(one, str) for one in pair) and _kind(pair, how) in kinds
    ]


def _kind(pair: Pair, how: Iterable[Callable[[str], object]]) -> tuple[object, ...]:
    return tuple(way(value) for value in pair for way in how)


def _case(text: str) -> tuple[bool, bool]:
    return text.isupper(), text.islower()


def _layouts(stay: Sequence[Pair], before: Sequence[Pair]) -> bool:
    """Each value is built as its new column's values are, and not as those of the column in which it stood."""
    if not all(isinstance(value, str) for pair in (*stay, *before) for value in pair):
        return False
    left, right = (Counter(layout(pair[side]) for pair in stay) for side in (0, 1))
    return all(
        left[layout(b)] >= CLEARLY * max(1, left[layout(a)]) and right[layout(a)] >= CLEARLY * max(1, right[layout(b)])
        for a, b in before
    )


def _signs(stay: Sequence[Pair], before: Sequence[Pair]) -> bool:
    """A sign that every value of one column has, and none of the other, stood in the other: the @ of addresses."""
    if not all(isinstance(value, str) for pair in (*stay, *before) for value in pair):
        return False
    for side in (0, 1):
        signs = set.intersection(*(set(pair[side]) for pair in stay)) - set().union(*(pair[1 - side] for pair in stay))
        found = {sign for sign in signs if not sign.isalnum() and not sign.isspace()}
        if any(all(sign in pair[1 - side] and sign not in pair[side] for pair in before) for sign in found):
            return True
    return False


def _order(stay: Sequence[Pair], before: Sequence[Pair]) -> bool:
    """The one is never larger than the other; or never smaller."""
    stay = [pair for pair in stay if _built(pair) in {_built(one) for one in before}]  # not `lost` among days
    pairs = [*stay, *before]
    if len(stay) < max(ENOUGH, len(before)):
        return False
    texts = all(isinstance(value, str) for pair in pairs for value in pair)
    if texts and len({layout(value) + str(len(value)) for pair in pairs for value in pair}) > 1:
        return False
    if texts and not all(any(map(str.isdigit, value)) for pair in pairs for value in pair):
        return False
    if texts and all(_CLOCK.fullmatch(value.strip()) for pair in pairs for value in pair):
        return False  # from 22:30 to 06:00 is a night
    values = [value for pair in pairs for value in pair]
    if not texts and not (all(map(_number, values)) or all(microseconds(value) is not None for value in values)):
        return False
    up = all(a <= b for a, b in stay) and all(a > b for a, b in before)
    return up or (all(a >= b for a, b in stay) and all(a < b for a, b in before))


def _built(pair: Pair) -> tuple[str, ...]:
    return tuple(layout(value) if isinstance(value, str) else "number" for value in pair)


def _sizes(stay: Sequence[Pair], before: Sequence[Pair]) -> bool:
    """One column holds no number as large as what stood in it."""
    if not all(_number(value) for pair in (*stay, *before) for value in pair):
        return False
    largest = [max(abs(pair[side]) for pair in stay) for side in (0, 1)]
    return any(
        all(abs(pair[side]) > largest[side] and abs(pair[1 - side]) <= largest[side] for pair in before)
        and all(abs(pair[side]) <= largest[1 - side] for pair in before)
        for side in (0, 1)
    )


def _number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _ranges(stay: Sequence[Pair], before: Sequence[Pair]) -> bool:
    """Many pairs lie where these come to lie, none where these lay, and no number in the wide gap between the two."""
    if not all(_number(value) for pair in (*stay, *before) for value in pair):
        return False
    own, other = ([pair[side] for pair in before] for side in (1, 0))  # of the left column, and of the right one
    low, high = sorted((own, other), key=max)
    if max(low) >= min(high):
        return False
    inside = (value for pair in stay for value in pair if max(low) < value < min(high))
    between = sorted({max(low), min(high), *inside})
    _, end, begin = max((b - a, a, b) for a, b in pairwise(between))
    right = [(a, b) for a, b in stay if (a > end) is (high is own) and (b > end) is (high is other)]
    own, other = own + [a for a, _ in right], other + [b for _, b in right]
    return (
        begin - end > max(max(numbers) - min(numbers) for numbers in (own, other))
        and begin - end > EMPTY * (max(map(min, (own, other))) - min(map(max, (own, other))))
        and len(right) >= max(ENOUGH, len(before))
        and not any(_within(a, other) and _within(b, own) for a, b in stay)
    )


def _of_plain_numbers(stay: Sequence[Pair], before: Sequence[Pair]) -> bool:
    """The same of texts that are numbers, as those of a CSV file are."""
    values = [value for pair in (*stay, *before) for value in pair]
    if not all(isinstance(value, str) and _PLAIN.fullmatch(value.strip()) for value in values):
        return False
    numbers = [[(float(a), float(b)) for a, b in pairs] for pairs in (stay, before)]
    return _sizes(*numbers) or _ranges(*numbers)


def _within(value: Any, numbers: Sequence[Any]) -> bool:
    return bool(min(numbers) <= value <= max(numbers))


def _kinds(stay: Sequence[Pair], before: Sequence[Pair]) -> bool:
    """What most texts of one column have, and most of the other do not, stood in the other, and stands there no more.

    A sign, letters or figures. One of the two cells may have been empty.
    """
    values = [value for pair in (*stay, *before) for value in pair if not is_missing(value)]
    whole = [pair for pair in before if not any(map(is_missing, pair))]
    if not whole or not all(isinstance(value, str) for value in values):
        return False
    signs = {sign for pair in whole for value in pair for sign in value if not sign.isalnum() and not sign.isspace()}
    marks: list[_Mark] = [_has_letters, _has_figures, *(partial(_has_sign, sign) for sign in sorted(signs))]
    return any(_tells_sides(mark, side, stay, before) for mark in marks for side in (0, 1))


def _tells_sides(mark: _Mark, side: int, stay: Sequence[Pair], before: Sequence[Pair]) -> bool:
    """Whether the mark belongs to this side: all pairs that had it on the other side alone are exchanged."""
    if any(not is_missing(pair[side]) and mark(pair[side]) for pair in before):
        return False
    if any(not is_missing(pair[1 - side]) and not mark(pair[1 - side]) for pair in before):
        return False
    pairs = Counter((mark(pair[side]), mark(pair[1 - side])) for pair in stay)
    here, there = (sum(count for marked, count in pairs.items() if marked[at]) for at in (0, 1))
    told = 2 * there < len(stay) < 2 * here and here >= CLEARLY * there
    return told and not pairs[False, True] and pairs[True, False] >= max(ENOUGH, len(before))


def _has_letters(text: str) -> bool:
    return any(map(str.isalpha, text))


def _has_figures(text: str) -> bool:
    return any(map(str.isdigit, text))


def _has_sign(sign: str, text: str) -> bool:
    return sign in text


_RELATIONS: Sequence[_Relation] = (_layouts, _signs, _order, _sizes, _ranges, _kinds, _of_plain_numbers)
