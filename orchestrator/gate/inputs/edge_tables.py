"""Makes tables that samples rarely hold: empty, null, blank, odd and extreme cells. Called by `case_planner`.

A table has the sample's schema, so a candidate that reads its columns by name still finds them.
"""

import datetime as dt
import math
from typing import Any

import pyarrow as pa

from orchestrator.data.cells import is_text

BLANKS = ("", " ", "   ", "\t", "\n", "\u00a0", "\u2003 ")
ODD_TEXT = (
    "x" * 10_000,
    "a b " * 1_000,
    "9" * 30,
    "e\u0301a\u0300\u0323",  # combining marks
    "\u05e9\u05dc\u05d5\u05dd \u202eabc\u202c",  # right to left
    "\U0001f469\u200d\U0001f469\u200d\U0001f467 \U0001f3f4",  # joined emoji
    "\u0130stanbul stra\u00dfe \u01c5 \ufb01",  # letters whose case has another length
    "\u0661\u0662\u0663 \uff11\uff12",  # digits that are not ASCII
    "\u200b\ufeffzero width\u200d",
    "line\r\nbreak\ttab",
    "=1+1",
    "<b>&amp;</b> {0} %s $1 \\1 [a-z(",
    "'\"`,;|",
    "31/02/2024",
    "2024-13-45",
    "-",
    "+",
    ".",
    "0",
    "-0",
    "007",
    "NaN",
    "None",
    "true",
    "1,2,3.4.5",
    "@",
)
_DATES = (dt.date(1700, 1, 1), dt.date(1970, 1, 1), dt.date(2000, 2, 29), dt.date(2199, 12, 31))


def nulls(schema: pa.Schema, rows: int = 3) -> pa.Table:
    """Every cell null."""
    return pa.table([pa.nulls(rows, kind) for kind in schema.types], schema=_nullable(schema))


def blanks(table: pa.Table) -> pa.Table:
    """Every text cell empty or white space; other columns as in the sample."""
    rows = len(BLANKS)
    return _made(table, {i: list(BLANKS) for i, kind in enumerate(table.schema.types) if is_text(kind)}, rows)


def odd(table: pa.Table) -> pa.Table:
    """Unusual and huge text, extreme numbers and dates; each text column starts at another place of the list."""
    rows = len(ODD_TEXT)
    columns: dict[int, list[Any]] = {}
    for position, kind in enumerate(table.schema.types):
        values = _extremes(kind)
        if values:
            shift = (5 * position) % len(values)
            columns[position] = [values[(row + shift) % len(values)] for row in range(rows)]
    return _made(table, columns, rows)


def _extremes(kind: pa.DataType) -> tuple[Any, ...]:
    types = pa.types
    if is_text(kind):
        return ODD_TEXT
    if types.is_boolean(kind):
        return (True, False, None)
    if types.is_integer(kind):
        bits = kind.bit_width
        low, high = (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if types.is_signed_integer(kind) else (0, 2**bits - 1)
        return (low, high, 0, 1, None)
    if types.is_float64(kind):
        return (math.inf, -math.inf, 1.7e308, -1.7e308, 5e-324, -0.0, 0.0, 1 / 3, None)
    if types.is_floating(kind):
        return (math.inf, -math.inf, -0.0, 0.0, 0.5, None)
    if types.is_date(kind):
        return (*_DATES, None)
    if types.is_timestamp(kind) and kind.tz is None:
        return (*(dt.datetime.combine(day, dt.time()) for day in _DATES), None)
    return ()


def _made(table: pa.Table, columns: dict[int, list[Any]], rows: int) -> pa.Table:
    """A table of `rows` rows: the given columns' values, the sample's own values in turn elsewhere."""
    arrays = []
    for position, column in enumerate(table.columns):
        if position in columns:
            arrays.append(pa.array(columns[position], column.type))
        elif len(column):
            arrays.append(column.take(pa.array([row % len(column) for row in range(rows)])).combine_chunks())
        else:
            arrays.append(pa.nulls(rows, column.type))
    return pa.table(arrays, schema=_nullable(table.schema))


def _nullable(schema: pa.Schema) -> pa.Schema:
    return pa.schema([pa.field(field.name, field.type) for field in schema])
