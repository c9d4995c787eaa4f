"""Counts what a function did to rows. Called by the judge, for the evidence, and by apply, for every batch."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from orchestrator.core.effects import ColumnEffect, Effects
from orchestrator.data.cells import is_text
from orchestrator.data.formulas import are_formulas, planted
from orchestrator.data.record_tables import ABSENT


def count_effects(
    source: pa.Table,
    result: pa.Table,
    rows: Any,
    masks: Mapping[str, Any],
    flags: Any = None,
    some: pa.Array | None = None,
) -> Effects:
    """`rows[i]`: the place in the source of row i of the result; `masks`: by column, `bool[n_rows]` of changed cells.

    `flags`: `bool[n_source_rows]`, what `detect` flags. `some`: among which rows of the result different values are
    counted; all of them without it.
    """
    kept = source if len(rows) == source.num_rows else source.take(rows)
    columns = [_column(name, kept.column(name), result.column(name), mask, some) for name, mask in masks.items()]
    given = {*source.column_names}
    columns += [_added(name, result.column(name)) for name in result.column_names if name not in given]
    return Effects(
        rows=source.num_rows,
        dropped=source.num_rows - len(rows),
        unflagged=None if flags is None else int(unflagged(rows, masks, flags).sum()),
        columns=tuple(columns),
    )


def unflagged(rows: Any, masks: Mapping[str, Any], flags: Any) -> Any:
    """`bool[n_source_rows]`: rows that were changed or dropped and that `detect` does not flag."""
    touched = np.ones(len(flags), dtype=np.bool_)
    touched[rows] = np.logical_or.reduce([np.zeros(len(rows), dtype=np.bool_), *masks.values()])
    return touched & ~flags


def _column(
    name: str, before: pa.ChunkedArray, after: pa.ChunkedArray, mask: Any, some: pa.Array | None
) -> ColumnEffect:
    old, new = before.filter(pa.array(mask)), after.filter(pa.array(mask))
    distinct, left = (_distinct(column if some is None else column.take(some)) for column in (before, after))
    return ColumnEffect(
        name=name,
        cells=len(before),
        changed=len(old),
        emptied=_emptied(new, old),
        formulas=_formulas(new, old),
        distinct=distinct,
        lost=max(0, distinct - left),
    )


def _emptied(new: pa.ChunkedArray, old: pa.ChunkedArray) -> int:
    blank = empty(new)
    return _count(pc.and_not(blank, empty(old))) if _count(blank) else 0


def _added(name: str, made: pa.ChunkedArray) -> ColumnEffect:
    return ColumnEffect(name=name, cells=len(made), formulas=_formulas(made))


def empty(values: pa.ChunkedArray) -> Any:
    """A mask `bool[n_rows]` of cells that are missing or blank; of records, also of keys that are absent."""
    missing = values.is_null(nan_is_null=True)
    if not is_text(values.type):
        return missing
    blank = pc.or_(pc.equal(pc.utf8_trim_whitespace(values), ""), pc.equal(values, ABSENT))
    return pc.or_(missing, pc.fill_null(blank, False))


def _formulas(new: pa.ChunkedArray, old: pa.ChunkedArray | None = None) -> int:
    if not is_text(new.type):
        return 0
    return _count(are_formulas(new) if old is None else planted(old, new))


def _distinct(values: pa.ChunkedArray) -> int:
    return 0 if pa.types.is_nested(values.type) else int(pc.count_distinct(values).as_py())


def _count(mask: Any) -> int:
    return int(pc.sum(mask).as_py() or 0)
