"""Picks the rows on which laws are tried: few, but as varied as the sample is. Called by case_planner.

Rare patterns come first, because that is where functions break; what is left of the budget is drawn at random.
The candidates of a chunk are judged on the same sample but for the columns that those before them changed: which rows
show which kind is remembered by a column's content.
"""

import hashlib
import random
import threading
from collections import OrderedDict
from collections.abc import Iterable, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from orchestrator.core.policy import LARGEST_BYTES, LARGEST_ROWS_OF_WIDE
from orchestrator.data.cells import is_text
from orchestrator.data.hostile.arrow_tables import write_table

MAX_PATTERN_TEXT = 200
MAX_KINDS = 60  # of values or patterns per column that earn a place of their own
MAX_REMEMBERED = 256  # columns
MAX_REMEMBERED_ROWS = 20_000  # of a column: longer ones are examined each time
_SHAPES = ((r"\p{Lu}+", "A"), (r"\p{Ll}+", "a"), (r"\d+", "9"), (r"\s+", " "))


def not_huge(table: pa.Table) -> list[int]:
    """The rows of which as many as a function is tried on at once are no more bytes than that may be; all if few are.

    A cell of a megabyte is judged where it stands in the sample. Drawn thousands of times, as other rows are, it would
    be more than any sandbox takes.
    """
    size = np.zeros(table.num_rows)
    for column in table.columns:
        if is_text(column.type):
            size += pc.fill_null(pc.binary_length(column), 0).to_numpy()
    rows: list[int] = np.flatnonzero(size <= LARGEST_BYTES // LARGEST_ROWS_OF_WIDE).tolist()
    return rows if 2 * len(rows) >= table.num_rows else list(range(table.num_rows))


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
    return [draw.choice(rows) for rows in _remembered.rows_by_kind(column)]


def rows_by_kind(column: pa.ChunkedArray) -> Sequence[Sequence[int]]:
    """The rows that show each pattern or frequent value of the column, the rarest first."""
    return _remembered.rows_by_kind(column)


class _Remembered:
    """What `_rows_by_kind` said of the columns asked for last, by their content. Safe for threads."""

    def __init__(self) -> None:
        self._known: OrderedDict[bytes, Sequence[Sequence[int]]] = OrderedDict()
        self._lock = threading.Lock()

    def rows_by_kind(self, column: pa.ChunkedArray) -> Sequence[Sequence[int]]:
        if len(column) > MAX_REMEMBERED_ROWS:
            return _rows_by_kind(column)
        content = hashlib.sha256(write_table(pa.table({"": column}))).digest()
        with self._lock:
            known = self._known.get(content)
            if known is not None:
                self._known.move_to_end(content)
                return known
        made = _rows_by_kind(column)
        with self._lock:
            self._known[content] = made
            while len(self._known) > MAX_REMEMBERED:
                self._known.popitem(last=False)
        return made


_remembered = _Remembered()


def _rows_by_kind(column: pa.ChunkedArray) -> Sequence[Sequence[int]]:
    """The rows that show each pattern or frequent value of the column, the rarest first."""
    if pa.types.is_nested(column.type):
        return []
    found: dict[object, list[int]] = {}
    for row, value in enumerate(_patterns(column).to_pylist()):
        found.setdefault(value, []).append(row)
    if len(found) > MAX_KINDS and not is_text(column.type):
        return []
    return sorted(found.values(), key=len)[:MAX_KINDS]


def _patterns(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Text as its shape (`Aa 9`), or as itself where the column has few different values."""
    if not is_text(column.type) or pc.count_distinct(column).as_py() <= MAX_KINDS:
        return column
    shape = pc.utf8_slice_codeunits(column, 0, MAX_PATTERN_TEXT)
    for pattern, replacement in _SHAPES:
        shape = pc.replace_substring_regex(shape, pattern, replacement)
    return shape
