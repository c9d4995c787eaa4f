"""What rows of JSON hold beside the texts of their cells: `1`, `1.0` and `"1"` are three values. Called by `data_diff`.

A column with several kinds of values is read as texts, in which some of them look the same.
"""

import json
from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from orchestrator.data.cells import differing
from orchestrator.data.formats import FORMATS, Dataset
from orchestrator.data.record_tables import ABSENT, MARK, RecordRow, row_of, table_of

_UNKNOWN = f"{MARK}?"


def has_values(dataset: Dataset) -> bool:
    """Whether its rows are JSON; those of a database are not."""
    known = FORMATS.get(dataset.format)
    return known is not None and known.records


def tables_with_values(dataset: Dataset) -> Iterator[pa.Table]:
    """The batches, each column followed at the end by its values."""
    for batch in dataset.read():
        names = batch.table.column_names
        values = table_of([_cells(line, names) for line in batch.raw or ()], names)
        named = [*names, *(MARK + name for name in names)]
        yield pa.table([*batch.table.columns, *values.columns], names=named)


def unlike(one: pa.Table, other: pa.Table, name: str) -> tuple[Any, Any]:
    """Masks `bool[n_rows]` of cells that are other texts, and of cells that are only other values; None for none.

    The same number is another text where one of the files has the column as numbers and the other one as texts.
    """
    texts = differing(one.column(name), other.column(name))
    if not all(MARK + name in table.column_names for table in (one, other)):
        return texts, None
    before, after = (table.column(MARK + name) for table in (one, other))
    values = differing(before, after)
    unknown = pc.or_(*(pc.fill_null(pc.equal(side, _UNKNOWN), False) for side in (before, after)))
    if texts is not None:
        texts = pc.and_(texts, unknown if values is None else pc.or_(values, unknown))
    if values is not None:
        values = pc.and_not(values, unknown if texts is None else pc.or_(texts, unknown))
    return texts, values


def shown_values(table: pa.Table, name: str, places: pa.Array) -> list[str | None]:
    """Values as JSON; None where there is none."""
    cells = table.column(MARK + name).take(places).to_pylist()
    return [None if cell == ABSENT else _shown(cell) for cell in cells]


def _shown(cell: str | None) -> str:
    if cell is None or not cell.startswith(MARK):
        return json.dumps(cell, ensure_ascii=False)
    return cell[len(MARK) :]


def _cells(line: bytes, names: list[str]) -> RecordRow:
    try:
        return row_of(json.loads(line))
    except ValueError:  # a number beyond 1.8e308
        return dict.fromkeys(names, _UNKNOWN)
