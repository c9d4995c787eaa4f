"""What the cells of a column could hold, as hypothesis strategies in three circles around it. For `row_drawing`.

`usual`: what such a column will hold one day: its own values, their digits crossed, other blanks and case, month ends,
nothing. `near`: what a slip makes of that. `odd`: what strays in: other scripts, very long text, great numbers.
The further out, the fewer laws a function is held to (see property_laws.py).
"""

import datetime as dt
import decimal
import math
import random
from typing import Any

import pyarrow as pa
from hypothesis import strategies as st

from orchestrator.data.cells import is_text
from orchestrator.data.record_tables import MARK
from orchestrator.gate.properties import edits
from orchestrator.gate.properties.drawn_column import DrawnColumn

Cells = st.SearchStrategy[Any]

_NUMBERS = st.integers(0, 2**24)
_FOREIGN = "éüñçøßžłÅŒαβЖщИ漢字かなกא\u0301\u200b\u00a0\u2019\u2013\u2026😀👍🏽٣５"  # no sign whose digit is no decimal
_ASCII = "aZ09 .,;:-_/\\'\"()[]{}<>&%$#@!?*+=|~^`\t\n"
_LONGEST = 3_000
_ODD_WORDS = ("-", "?", "0", "-1", "NaN", "None", "null", "N/A", "unknown", "TRUE", "1.5e3", "12:30", "00000", "#REF!")
_DATES = (dt.date(2024, 2, 29), dt.date(2023, 2, 28), dt.date(1999, 12, 31), dt.date(2024, 1, 31), dt.date(1970, 1, 1))


def strategy(column: DrawnColumn, circle: str) -> Cells:
    """The cells of one circle; those of inner circles appear in it as well."""
    kind, values = column.kind, column.values
    if is_text(kind):
        return _text([v for v in values if isinstance(v, str)], circle)
    inner = st.sampled_from(values) if values else st.none()
    types = pa.types
    if types.is_integer(kind):
        return _mixed(inner, _integers(kind, values, circle))
    if types.is_floating(kind):
        return _mixed(inner, _floats(kind, values, circle))
    if types.is_date(kind):
        return _mixed(inner, st.sampled_from(_DATES))
    if types.is_timestamp(kind) and kind.tz is None:
        return _mixed(inner, st.sampled_from([dt.datetime.combine(day, dt.time(23, 59, 59)) for day in _DATES]))
    if types.is_boolean(kind):
        return _mixed(inner, st.booleans())
    return _mixed(inner, inner)


def in_any_case(column: DrawnColumn, chance: random.Random) -> list[str]:
    """Cells with each kind of blanks in each place, which are not left to chance: no slip is more common."""
    texts = [
        value for value in column.values if isinstance(value, str) and value.strip() and not value.startswith(MARK)
    ]
    if not is_text(column.kind) or not texts:
        return []
    return [edits.blanked(chance.choice(texts).strip(), number) for number in range(edits.WAYS_OF_BLANKS)]


def _mixed(inner: Cells, outer: Cells) -> Cells:
    return st.one_of(inner, inner, inner, outer, outer, st.none())


def _text(values: list[str], circle: str) -> Cells:
    texts = [value for value in values if not value.startswith(MARK)]
    if not texts:
        return st.sampled_from([*values, None])
    if len(texts) < len(values):  # of records: numbers, lists and the like stay as they are
        return st.one_of(_text(texts, circle), _text(texts, circle), st.sampled_from(values))
    cell = st.sampled_from(values)
    first = edits.day_first(values)
    usual = [
        cell,
        cell,
        cell,
        st.builds(edits.crossed, cell, cell, _NUMBERS),
        st.builds(edits.crossed, cell, cell, _NUMBERS),
        st.builds(edits.blanked, cell, _NUMBERS),
        st.builds(edits.cased, cell, _NUMBERS),
        st.builds(lambda text, number: edits.at_month_end(text, number, day_first=first), cell, _NUMBERS),
        st.sampled_from([None, None, "", " "]),
    ]
    if circle == "usual":
        return st.one_of(usual)
    letters = st.sampled_from(sorted({letter for value in values[:50] for letter in value if letter.isascii()}) or "a")
    near = [
        cell,
        st.builds(edits.mistyped, cell, _NUMBERS, letters),
        st.builds(edits.mistyped, cell, _NUMBERS, letters),
        st.builds(edits.mistyped, st.builds(edits.mistyped, cell, _NUMBERS, letters), _NUMBERS, letters),
        st.builds(lambda text, number: text[: number % (len(text) + 1)], cell, _NUMBERS),
        st.builds(lambda one, other, number: one + (" ", ", ", "")[number % 3] + other, cell, cell, _NUMBERS),
    ]
    if circle == "near":
        return st.one_of(near)
    foreign = st.sampled_from(_FOREIGN)
    return st.one_of(
        cell,
        st.builds(edits.mistyped, cell, _NUMBERS, foreign),
        st.builds(edits.mistyped, cell, _NUMBERS, foreign),
        st.lists(st.sampled_from(_FOREIGN + _ASCII), max_size=12).map("".join),
        st.builds(lambda text, number: (text * (2 + 2 ** (number % 9)))[:_LONGEST], cell, _NUMBERS),
        st.sampled_from(_ODD_WORDS),
        st.sampled_from([None, "", "\u00a0", "\n"]),
    )


def _integers(kind: pa.DataType, values: tuple[Any, ...], circle: str) -> Cells:
    bits = kind.bit_width - pa.types.is_signed_integer(kind)
    low, high = (-(2**bits) if pa.types.is_signed_integer(kind) else 0), 2**bits - 1
    known = sorted(values) or [0]
    if circle == "usual":
        return st.integers(known[0], known[-1])
    reach = 10 * (abs(known[-1]) + abs(known[0]) + 1) if circle == "near" else 2**40
    return st.integers(max(low, -reach), min(high, reach))


def _floats(kind: pa.DataType, values: tuple[Any, ...], circle: str) -> Cells:
    known = sorted(v for v in values if math.isfinite(v) and abs(v) < 1e300) or [0.0]
    reach = {"usual": 1, "near": 10, "odd": 1e6}[circle] * max(abs(known[0]), abs(known[-1]), 1.0)
    low = known[0] if circle == "usual" else -reach
    high = known[-1] if circle == "usual" else reach
    places = max((_places(v) for v in known), default=2) + (circle != "usual")
    drawn = st.floats(low, high, allow_nan=False, allow_infinity=False).map(lambda v: round(v, places))
    if kind == pa.float64():
        return drawn
    return drawn.map(lambda v: pa.scalar(v, pa.float64()).cast(kind).as_py())


def _places(value: float) -> int:
    exponent = decimal.Decimal(repr(value)).as_tuple().exponent
    return min(6, max(0, -exponent)) if isinstance(exponent, int) else 2
