"""How the examples make an added column out of its row, where that is one of the ways that many columns are made.

For added_rows.py. The quarter of a date, the whole years between two, one of the numbers of a cell, or that number
times what its unit counts, a sum, a product less a percentage. Examples that fit one of them, and rows that do not,
leave open which of both is meant; an example of such a row says it.
"""

import datetime as dt
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import combinations, permutations
from typing import Any, NamedTuple

from orchestrator.data.writing.month_names import ENGLISH_MONTHS
from orchestrator.gate.information.null_tokens import holds_something, is_missing
from orchestrator.gate.information.value_kinds.moments import moments
from orchestrator.gate.information.value_kinds.number_parsing import reading

MOST_COLUMNS = 6  # of numbers, and of dates
MOST_NUMBERS = 4  # of one cell
OFTEN = 0.3  # of the rows at least, or few examples fit it by chance
FEW = 6  # different values of a column that sorts the rows
SEVERAL = 3  # different values that do not fit by chance
NEAR = Decimal("0.9")  # a factor that is nearly one is something else: a number and a few
LONGEST = 60
_NUMBER = re.compile(r"\d{1,12}(?:[.,]\d{1,6})?")
_CODE = re.compile(r"[^\W\d_]\d")
_LEVELS = re.compile(r"\d[.,]\d+[.,]\d")
_FEET = re.compile(r"(\d{1,2})\s*(?:'|ft\.?|feet)\s*(\d{1,2})\s*(?:\"|''|in\.?|inches)?")
_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_Row = Mapping[str, Any]


class _Way(NamedTuple):
    """`of`: the columns that it reads. `values`: what it makes of a row, in each spelling; None where it makes nothing.

    `sure`: nothing else fits it by chance.
    """

    of: tuple[str, ...]
    values: Callable[[_Row], frozenset[Any] | None]
    sure: bool = False


def otherwise_made(
    made: Sequence[Any], columns: Mapping[str, Sequence[Any]], shown: Sequence[tuple[_Row, Any]]
) -> int | None:
    """The first row whose value is made in none of the ways that fit each example; `shown`: rows and their values.

    Nothing is a value, too, where one of the ways gives all others, and there one among them; not where an example
    shows a row with nothing.
    """
    given = [(row, value) for row, value in shown if holds_something(value)]
    rows = [dict(zip(columns, cells, strict=True)) for cells in zip(*columns.values(), strict=True)]
    full = [at for at, value in enumerate(made) if holds_something(value)]
    free = {name for name, cells in columns.items() if _decides_nothing(cells)}  # others may decide what is made
    fits: dict[int, bool] = {}
    bare = () if len(given) < len(shown) else [at for at, value in enumerate(made) if not holds_something(value)]
    for way in _ways(columns, given):
        witnesses = [(row, value, values) for row, value in given if (values := way.values(row)) is not None]
        if not witnesses or not all(_is_one(value, values) for _, value, values in witnesses):
            continue
        others = {name: {str(row.get(name)) for row, *_ in witnesses} for name in columns if name not in way.of}

        def alike_to(at: int, others: Mapping[str, set[str]] = others) -> bool:
            return all(str(rows[at][one]) in known or one in free for one, known in others.items())

        alike = [at for at in full if alike_to(at)]
        said = {at: values for at in alike if (values := way.values(rows[at])) is not None}
        right = {at for at, values in said.items() if _is_one(made[at], values)}
        if way.sure or len({str(value) for _, value, _ in witnesses}) >= SEVERAL or len(right) >= OFTEN * len(said):
            fits |= {at: at in right or fits.get(at, False) for at in said}
            if len(right) == len(said):
                low, high = _ends(made[at] for at in right)
                left_out = {at: way.values(rows[at]) for at in bare if alike_to(at)}
                fits |= {at: False for at, values in left_out.items() if values and _lie_between(values, low, high)}
        if len(way.of) > 1 and len(right) == len(said) and not any(_lacks(row, way) for row, _ in given):
            fits |= {at: fits.get(at, False) for at in full if _lacks(rows[at], way)}
    return next((at for at, fit in sorted(fits.items()) if not fit), None)


def _ends(values: Iterable[Any]) -> tuple[Decimal, Decimal]:
    """The smallest and the largest of the numbers; zero twice, between which nothing lies, where they are few."""
    numbers = [number for value in values if (number := reading(value)) is not None]
    return (min(numbers), max(numbers)) if len(set(numbers)) >= SEVERAL else (Decimal(0), Decimal(0))


def _lie_between(values: frozenset[Any], low: Decimal, high: Decimal) -> bool:
    return all(isinstance(one, Decimal) and low < one < high for one in values)


def _lacks(row: _Row, way: _Way) -> bool:
    return any(is_missing(row.get(name)) for name in way.of)


def _decides_nothing(cells: Sequence[Any]) -> bool:
    """Whether a column holds numbers or dates, and not only a few: no words or codes that may decide what is made."""
    measured = all(_number(cell) is not None or _date(cell) is not None for cell in cells)
    return measured and len({str(cell) for cell in cells}) > FEW


def _is_one(value: Any, values: frozenset[Any]) -> bool:
    """Whether the value is one of them; a number may be rounded to its last place."""
    if not isinstance(value, bool) and (number := reading(value)) is not None:
        step = _step(number)
        off = step / 2 + abs(number) * Decimal("1e-9")
        bounds = (
            one if isinstance(one, _Between) else _Between(one, one) for one in values if not isinstance(one, str)
        )
        if any(one.low - off <= number <= one.high + off for one in bounds):
            return True
    return isinstance(value, str) and value.strip().casefold() in values


def _step(number: Decimal) -> Decimal:
    exponent = number.as_tuple().exponent
    return Decimal(1).scaleb(exponent if isinstance(exponent, int) else 0)


def _ways(columns: Mapping[str, Sequence[Any]], given: Sequence[tuple[_Row, Any]]) -> Iterator[_Way]:
    dates = [name for name, cells in columns.items() if _mostly(cells, _date)][:MOST_COLUMNS]
    numbers = [name for name, cells in columns.items() if name not in dates and _mostly(cells, _number)]
    for name in dates:
        yield from (_part_of(name, part) for part in _PARTS)
    for pair in permutations(dates, 2):
        yield from (_between(*pair, count) for count in (_days, _months, _years))
    for name in columns:
        if name not in dates:
            counts = {count for row, _ in given if (count := len(_numbers(row.get(name)))) <= MOST_NUMBERS}
            yield from (_number_at(name, place, count) for count in counts if count > 1 for place in range(count))
            yield _of_feet(name)
            yield _Way((name,), _Converted(name, given))
    yield from _computed(numbers[:MOST_COLUMNS])


def _mostly(cells: Sequence[Any], kind: Callable[[Any], Any]) -> bool:
    full = [cell for cell in cells if holds_something(cell)]
    return bool(full) and 2 * sum(kind(cell) is not None for cell in full) > len(full)


def _date(cell: Any) -> dt.date | None:
    """The one day that a cell names, with or without a time."""
    if isinstance(cell, dt.datetime):
        return cell.date()
    if isinstance(cell, dt.date):
        return cell
    if not isinstance(cell, str) or len(cell) > LONGEST:
        return None
    days = {one[1] for one in moments(cell) if one[0] in ("day", "moment") and isinstance(one[1], dt.date)}
    return days.pop() if len(days) == 1 else None


def _number(cell: Any) -> Decimal | None:
    """None of a code: X12."""
    is_code = isinstance(cell, bool) or (isinstance(cell, str) and _CODE.search(cell))
    number = None if is_code else reading(cell)
    return number if number is not None and abs(number) < 10**15 else None


_PARTS: tuple[Callable[[dt.date], Any], ...] = (
    lambda day: Decimal(day.year),
    lambda day: Decimal(day.month),
    lambda day: Decimal(day.day),
    lambda day: (Decimal((day.month + 2) // 3), f"q{(day.month + 2) // 3}"),
    lambda day: (_DAYS[day.weekday()], _DAYS[day.weekday()][:3]),
    lambda day: (ENGLISH_MONTHS[day.month - 1], ENGLISH_MONTHS[day.month - 1][:3]),
    lambda day: Decimal(day.isocalendar()[1]),
    lambda day: day.isoformat(),
)


def _part_of(name: str, part: Callable[[dt.date], Any]) -> _Way:
    def values(row: _Row) -> frozenset[Any] | None:
        day = _date(row.get(name))
        if day is None:
            return None
        found = part(day)
        return frozenset(found if isinstance(found, tuple) else (found,))

    return _Way((name,), values)


def _between(one: str, other: str, count: Callable[[dt.date, dt.date], int]) -> _Way:
    def values(row: _Row) -> frozenset[Any] | None:
        first, last = _date(row.get(one)), _date(row.get(other))
        return None if first is None or last is None else frozenset({Decimal(count(first, last))})

    return _Way((one, other), values)


def _days(first: dt.date, last: dt.date) -> int:
    return (last - first).days


def _months(first: dt.date, last: dt.date) -> int:
    return 12 * (last.year - first.year) + last.month - first.month - (last.day < first.day)


def _years(first: dt.date, last: dt.date) -> int:
    return last.year - first.year - ((last.month, last.day) < (first.month, first.day))


def _number_at(name: str, place: int, count: int) -> _Way:
    """One of so many numbers of a cell, of which a minus may be a dash."""

    def values(row: _Row) -> frozenset[Any] | None:
        found = _numbers(row.get(name))
        return frozenset({found[place], -found[place]}) if len(found) == count else None

    return _Way((name,), values)


def _numbers(cell: Any) -> list[Decimal]:
    """None of a version or the like: 5.5.1."""
    if not isinstance(cell, str) or len(cell) > LONGEST or _LEVELS.search(cell):
        return []
    return [Decimal(found.replace(",", ".")) for found in _NUMBER.findall(cell)]


class _Converted:
    """The number of a cell times what the examples show for its unit: `2 kg` as 2000, if they have `3 kg` as 3000."""

    def __init__(self, name: str, given: Sequence[tuple[_Row, Any]]) -> None:
        self._name = name
        self._factors: dict[str, tuple[Decimal, Decimal]] = {}
        for row, value in given:
            cell, result = self._read(row), _number(value)
            if cell is None or result is None or not cell[1]:
                continue
            ends = sorted((result + part * _step(result) / 2) / cell[1] for part in (-1, 1))
            if ends[0] < 1 < ends[1] or NEAR < abs(ends[0]) < 1 / NEAR:
                ends = [Decimal(1), Decimal(1)]
            low, high = self._factors.get(cell[0], (ends[0], ends[1]))
            self._factors[cell[0]] = max(low, ends[0]), min(high, ends[1])

    def __call__(self, row: _Row) -> frozenset[Any] | None:
        cell = self._read(row)
        if cell is None or cell[0] not in self._factors:
            return None
        low, high = self._factors[cell[0]]
        return frozenset({_Between(*sorted((low * cell[1], high * cell[1])))})

    def _read(self, row: _Row) -> tuple[str, Decimal] | None:
        """The unit, and the number."""
        cell = row.get(self._name)
        if not isinstance(cell, str) or len(_numbers(cell)) != 1 or (number := _number(cell)) is None:
            return None
        return (_NUMBER.sub("", cell).strip(" +-").casefold(), number)


class _Between(NamedTuple):
    """Bounds of a number."""

    low: Decimal
    high: Decimal


def _of_feet(name: str) -> _Way:
    """Feet and inches as centimetres."""

    def values(row: _Row) -> frozenset[Any] | None:
        cell = row.get(name)
        found = _FEET.fullmatch(cell.strip()) if isinstance(cell, str) else None
        return frozenset({int(found[1]) * Decimal("30.48") + int(found[2]) * Decimal("2.54")}) if found else None

    return _Way((name,), values, sure=True)


def _computed(names: Sequence[str]) -> Iterator[_Way]:
    for pair in combinations(names, 2):
        yield _of(pair, lambda x, y: x + y)
        yield _of(pair, lambda x, y: x * y)
    for pair in permutations(names, 2):
        yield _of(pair, lambda x, y: x - y)
        yield _of(pair, lambda x, y: x / y if y else None)
    for pair in combinations(names, 2):
        for percent in names:
            if percent not in pair:
                yield _of((*pair, percent), lambda x, y, rate: x * y * (100 - rate) / 100)
                yield _of((*pair, percent), lambda x, y, rate: x * y * (100 + rate) / 100)


def _of(names: Sequence[str], operation: Callable[..., Decimal | None]) -> _Way:
    def values(row: _Row) -> frozenset[Any] | None:
        numbers = [_number(row.get(name)) for name in names]
        result = None if any(one is None or abs(one) > 10**15 for one in numbers) else operation(*numbers)
        return None if result is None else frozenset({result})

    return _Way(tuple(names), values)
