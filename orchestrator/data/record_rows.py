"""Batches of a data set as records, and cleaned records as rows of the data set again. Called by run/.

Formats of JSON objects are read from their own text, so that functions of records see every value as it is written;
other formats' cells become JSON values. On the way back only changed values are converted.
"""

import json
from collections.abc import Iterator, Sequence

import pyarrow as pa
import pyarrow.compute as pc

from orchestrator.core.errors import DataError
from orchestrator.data.cells import differing
from orchestrator.data.formats import FORMATS
from orchestrator.data.formats.format_interface import BATCH_ROWS, Batch, Dataset
from orchestrator.data.formats.json.json_values import column_type, kind_of, to_cell
from orchestrator.data.record_tables import ABSENT, from_table, present, row_of, table_of, value_of
from orchestrator.data.renamed import RenamedDataset


class RecordDataset(Dataset):
    """A data set whose batches are record tables."""

    def __init__(self, dataset: Dataset) -> None:
        super().__init__(dataset.path, dataset.format, dataset.copy)
        self._dataset = dataset

    @property
    def schema(self) -> pa.Schema:
        schema: pa.Schema = table_of([], self._dataset.columns).schema
        return schema

    def read(self, rows: int = BATCH_ROWS) -> Iterator[Batch]:
        for batch in self._dataset.read(rows):
            yield Batch(records_of_batch(batch, self._dataset), batch.raw)


def records_of_batch(batch: Batch, dataset: Dataset) -> pa.Table:
    """The rows as a record table. Raises DataError for a value that JSON cannot represent."""
    if isinstance(dataset, RenamedDataset):  # the raw text has the file's names
        own = Batch(dataset.back(batch.table), batch.raw)
        return dataset.known(records_of_batch(own, dataset.inner))
    try:
        if batch.raw is not None and FORMATS[dataset.format].records:
            return table_of([row_of(json.loads(line)) for line in batch.raw], dataset.columns)
        return from_table(batch.table)
    except ValueError as error:
        raise DataError(
            f"{dataset.name} cannot be read as records: {error}.",
            advice="Use functions of the shape `table` for it.",
        ) from error


def aligned(records: pa.Table, names: Sequence[str]) -> pa.Table:
    """The record table with exactly these columns, in this order; a column that it lacks is absent in every row."""
    rows = records.num_rows
    known = set(records.column_names)
    missing = pa.array([ABSENT] * rows, pa.string()) if not known >= set(names) else None
    columns = [records.column(name) if name in known else missing for name in names]
    return pa.table(columns, schema=table_of([], names).schema)


def changed_rows(before: pa.Table, after: pa.Table, name: str) -> list[int]:
    """The rows in which two record tables of the same rows differ in a column."""
    known = name in before.column_names
    mask = differing(before.column(name), after.column(name)) if known else present(after.column(name))
    return [] if mask is None else pc.indices_nonzero(mask).to_pylist()


def as_rows(before: pa.Table, after: pa.Table, source: pa.Table) -> pa.Table:
    """Cleaned records as rows of the source again: `before` and `after` cleaning, and the `source` rows themselves."""
    arrays = {}
    for name in after.column_names:
        rows = changed_rows(before, after, name)
        if name not in source.column_names:
            arrays[name] = _new(after.column(name))
        elif rows:
            arrays[name] = _renewed(source.column(name), after.column(name), rows)
        else:
            arrays[name] = source.column(name)
    return pa.table(arrays)


def _renewed(column: pa.ChunkedArray, after: pa.ChunkedArray, rows: list[int]) -> pa.Array:
    values = column.to_pylist()
    for row in rows:
        values[row] = value_of(after[row].as_py())
    try:
        return pa.array([to_cell(value, column.type) for value in values], column.type)
    except (pa.ArrowException, TypeError, OverflowError):  # values of a type that the column cannot hold
        return pa.array([to_cell(value, pa.string()) for value in values], pa.string())


def _new(column: pa.ChunkedArray) -> pa.Array:
    values = [value_of(cell) for cell in column.to_pylist()]
    kind = column_type(kind_of(value) for value in values)
    return pa.array([to_cell(value, kind) for value in values], kind)
