"""Counts what a column holds, by patterns and categories. Called by the judge, for the evidence, and by `check`."""

import hashlib
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from orchestrator.core.baseline import MAX_COLUMNS, MAX_KINDS, MAX_NAMES, ColumnBaseline, DataBaseline, ValueKinds
from orchestrator.data.cells import as_text, has_column
from orchestrator.data.profile.effect_counts import empty
from orchestrator.data.profile.patterns import patterns
from orchestrator.data.profile.type_families import type_family

MAX_CATEGORIES = 20
CELLS_PER_CATEGORY = 10
RARE = 2
_MISSING = pa.scalar(None, pa.string())
_DIGEST = 8  # hex digits: enough to tell twenty values apart


def count_baseline(
    source: pa.Table,
    result: pa.Table,
    rows: Any,
    masks: Mapping[str, Any],
    flags: Any,
    columns: Iterable[str],
    salt: str,
) -> DataBaseline:
    """As `count_effects`; `columns`: those that the function reads, beside those that it changes."""
    touched = np.ones(source.num_rows, dtype=np.bool_)
    touched[rows] = np.logical_or.reduce([np.zeros(len(rows), dtype=np.bool_), *masks.values()])
    names = [name for name in dict.fromkeys([*masks, *columns]) if _countable(source, name)]
    order = source.column_names if source.num_columns <= MAX_NAMES else []
    return DataBaseline(
        rows=source.num_rows,
        touched=int(touched.sum()),
        flagged=None if flags is None else int(flags.sum()),
        salt=salt,
        order=tuple(order),
        types=tuple(type_family(source.schema.field(name).type) for name in order),
        columns=tuple(_column(source, result, name, rows, masks.get(name), salt) for name in names[:MAX_COLUMNS]),
    )


def _countable(source: pa.Table, name: str) -> bool:
    if not has_column(source, name):
        return False
    kind = source.schema.field(name).type
    return not (pa.types.is_nested(kind) or pa.types.is_binary(kind) or pa.types.is_large_binary(kind))


def _column(source: pa.Table, result: pa.Table, name: str, rows: Any, mask: Any, salt: str) -> ColumnBaseline:
    before = source.column(name)
    changed = made = None
    if mask is not None:
        changed = kinds_of(kind_names(before.take(pa.array(rows[np.asarray(mask)], pa.int64()))))
        made = kinds_of(kind_names(result.column(name))) if _countable(result, name) else None
    missing = empty(before)
    return ColumnBaseline(
        name=name,
        cells=len(before),
        missing=int(pc.sum(missing).as_py() or 0),
        kinds=kinds_of(kind_names(before, missing.combine_chunks())),
        changed=changed,
        made=made,
        categories=_categories(before, salt),
    )


def kind_names(values: pa.ChunkedArray, missing: pa.Array | None = None) -> pa.Array:
    """The pattern of each cell, missing where it is missing or blank: `missing`, where that is known."""
    filled = _filled(values) if missing is None else pc.invert(missing)
    return pc.if_else(filled, patterns(values), _MISSING)


def category_names(values: pa.ChunkedArray, salt: str) -> pa.Array:
    """The digest of each cell, missing where it is missing or blank; for columns of few values."""
    texts = _texts(values).dictionary_encode()
    made = [category_digest(text, salt) for text in texts.dictionary.to_pylist()]
    return pa.array(made, pa.string()).take(texts.indices)


def category_digest(text: str, salt: str) -> str:
    """What is kept of a category. Whoever has the evidence can try words, and no more."""
    return hashlib.sha256(f"{salt}\0{text}".encode("utf-8", "surrogatepass")).hexdigest()[:_DIGEST]


def kinds_of(names: pa.Array) -> ValueKinds:
    """Counted, the most frequent by name."""
    counted = pc.value_counts(pc.drop_null(names))
    counts = dict(zip(counted.field(0).to_pylist(), counted.field(1).to_pylist(), strict=True))
    listed = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    return ValueKinds(
        cells=sum(counts.values()),
        counts=dict(listed[:MAX_KINDS]),
        rest=sum(count for _, count in listed[MAX_KINDS:]),
        rare=sum(count for count in counts.values() if count <= RARE),
    )


def _categories(values: pa.ChunkedArray, salt: str) -> ValueKinds | None:
    texts = pc.drop_null(_texts(values))
    distinct = int(pc.count_distinct(texts).as_py())
    if not 0 < distinct <= MAX_CATEGORIES or len(texts) < CELLS_PER_CATEGORY * distinct:
        return None
    return kinds_of(category_names(values, salt))


def _texts(values: pa.ChunkedArray) -> pa.Array:
    return pc.if_else(_filled(values), as_text(values), _MISSING)


def _filled(values: pa.ChunkedArray) -> pa.Array:
    return pc.invert(empty(values).combine_chunks())
