"""Filled numbers that a formula of the row's other columns gives. Called by filled.py.

Which formula it is say the rows that stay: nearly all of them obey it. A sum, a difference, a product or a quotient of
two columns, a product less or plus so many percent; the best one alone is believed.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, islice, permutations
from typing import Any

from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.null_tokens import is_missing

ENOUGH, FEW = 12, 6  # rows that stay and obey it, and different numbers in them
MOSTLY = 0.9  # of the rows that stay
MOST_COLUMNS = 6  # of numbers, or chance finds a formula
LARGEST = 1e15  # of which a float holds every whole number
PLACES = 4  # behind the point, at most, to which a number is compared
_PLAIN = re.compile(r"-?\d{1,15}(?:\.\d{1,15})?")
_Numbers = Sequence[float | None]
_Formula = Callable[[int], float | None]


def rows_of_formula(cells: Sequence[Change], rows: Sequence[int], others: Sequence[Sequence[Any]]) -> set[int]:
    """Those of the rows whose number is what the formula of the other rows gives, rounded as these are."""
    filled = {row: number for row in rows if (number := _number(cells[row][1])) is not None}
    stay = {
        row: number for row, (one, other) in enumerate(cells) if one == other and (number := _number(one)) is not None
    }
    if not filled or len(stay) < ENOUGH:
        return set()
    columns = [*islice((numbers for other in others if (numbers := _numbers(other))), MOST_COLUMNS + 1)]
    step = 10.0 ** -max(_places(cells[row][0]) for row in stay)
    best, formula = 0.0, None
    for one in _formulas(columns) if len(columns) <= MOST_COLUMNS else ():
        share = _obeyed(one, stay, step)
        if share > best:
            best, formula = share, one
    if formula is None:
        return set()
    return {row for row, number in filled.items() if _is(formula(row), number, step)}


def _obeyed(formula: _Formula, stay: dict[int, float], step: float) -> float:
    """Which share of the rows that stay obey it; none where these are few, or not nearly all."""
    given = {row: result for row in stay if (result := formula(row)) is not None}
    obey = [stay[row] for row, result in given.items() if _is(result, stay[row], step)]
    enough = len(obey) >= ENOUGH and len({*obey}) >= FEW and 2 * len(given) > len(stay)
    return len(obey) / len(given) if enough and len(obey) >= MOSTLY * len(given) else 0.0


def _formulas(columns: Sequence[_Numbers]) -> Iterator[_Formula]:
    """The simple ones first: of two that are obeyed alike, the first is taken."""
    for a, b in combinations(columns, 2):
        yield _of_two(a, b, lambda x, y: x + y)
        yield _of_two(a, b, lambda x, y: x * y)
    for a, b in permutations(columns, 2):
        yield _of_two(a, b, lambda x, y: x - y)
        yield _of_two(a, b, lambda x, y: x / y if y else None)
    for a, b in combinations(columns, 2):
        for percent in columns:
            if percent is not a and percent is not b:
                yield from (_with_percent(a, b, percent, sign) for sign in (-1, 1))


def _of_two(a: _Numbers, b: _Numbers, operation: Callable[[float, float], float | None]) -> _Formula:
    def result(row: int) -> float | None:
        x, y = a[row], b[row]
        return None if x is None or y is None else operation(x, y)

    return result


def _with_percent(a: _Numbers, b: _Numbers, percent: _Numbers, sign: int) -> _Formula:
    """A row without a percentage has none."""
    return _of_two(
        a,
        [None if y is None else y * (1 + sign * (share or 0) / 100) for y, share in zip(b, percent, strict=True)],
        _product,
    )


def _product(x: float, y: float) -> float:
    return x * y


def _is(result: float | None, number: float, step: float) -> bool:
    """Whether a number is the result, rounded to the step."""
    return result is not None and abs(result - number) <= step / 2 + 1e-9 * max(1.0, abs(result))


def _numbers(column: Sequence[Any]) -> list[float | None]:
    """A column of numbers and missing cells; empty where it holds anything else, or no number."""
    numbers: list[float | None] = []
    for cell in column:
        numbers.append(_number(cell))
        if numbers[-1] is None and not is_missing(cell):
            return []
    return numbers if any(number is not None for number in numbers) else []


def _number(cell: Any) -> float | None:
    if isinstance(cell, str):
        return float(cell) if _PLAIN.fullmatch(cell) else None
    told = isinstance(cell, int | float) and not isinstance(cell, bool) and abs(cell) < LARGEST  # no NaN either
    return float(cell) if told else None


def _places(cell: Any) -> int:
    decimals = str(cell).partition(".")[2].rstrip("0")
    return min(PLACES, len(decimals)) if decimals.isdecimal() else 0
