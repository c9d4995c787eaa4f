"""Picks the rows on which laws are tried: few, but as varied as the sample is. Called by gate.inputs.planner.

Rare patterns come first, because that is where functions break; what is left of the budget is drawn at random.
"""

import random
from collections.abc import Iterable

import pyarrow as pa
import pyarrow.compute as pc

from orchestrator.gate.inputs.edge_tables import is_text

MAX_PATTERN_TEXT = 200
MAX_KINDS = 60  # of values or patterns per column that earn a place of their own
_SHAPES = ((r"\p{Lu}+", "A"), (r"\p{Ll}+", "a"), (r"\d+", "9"), (r"\s+", " "))


def varied(table: pa.Table, count: int, draw: random.Random) -> list[int]:
    """`count` row numbers in ascending order: one row of each rare kind, then others at random."""
    rows = table.num_rows
    if rows <= count:
        return list(range(rows))
    picked: dict[int, None] = {}
    for kinds in _by_rarity(table, draw):
        for row in kinds:
            if len(picked) >= count - count // 4:
                break
            picked.setdefault(row)
    rest = [row for row in range(rows) if row not in picked]
    return sorted([*picked, *draw.sample(rest, count - len(picked))])


def _by_rarity(table: pa.Table, draw: random.Random) -> Iterable[list[int]]:
    """One row per kind and column, dealt out column by column so that a wide column does not take every place."""
    columns = [_kinds(column, draw) for column in table.columns]
    depth = max((len(kinds) for kinds in columns), default=0)
    return [[kinds[level] for kinds in columns if level < len(kinds)] for level in range(depth)]


def _kinds(column: pa.ChunkedArray, draw: random.Random) -> list[int]:
    """Row numbers, one per pattern or frequent value of the column, the rarest first."""
    if pa.types.is_nested(column.type):
        return []
    found: dict[object, list[int]] = {}
    for row, value in enumerate(_patterns(column).to_pylist()):
        found.setdefault(value, []).append(row)
    if len(found) > MAX_KINDS and not is_text(column.type):
        return []
    rarest = sorted(found.values(), key=len)[:MAX_KINDS]
    return [draw.choice(rows) for rows in rarest]


def _patterns(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Text as its shape (`Aa 9`), or as itself where the column has few different values."""
    if not is_text(column.type) or pc.count_distinct(column).as_py() <= MAX_KINDS:
        return column
    shape = pc.utf8_slice_codeunits(column, 0, MAX_PATTERN_TEXT)
    for pattern, replacement in _SHAPES:
        shape = pc.replace_substring_regex(shape, pattern, replacement)
    return shape
