"""The types in which cleaned rows are written. Called by `apply`, with the first batch that came through, if any."""

from collections.abc import Sequence

import pyarrow as pa

from orchestrator.core.promoted import Promoted
from orchestrator.data.formats import Dataset
from orchestrator.run.rows.contract import Expected


def expected_schema(dataset: Dataset, functions: Sequence[Promoted]) -> pa.Schema:
    """The columns that the functions' contracts leave of the data set, where no row came through them."""
    names = Expected.of(dataset.columns, [f.candidate.contract for f in functions]).columns
    known = dataset.schema
    return pa.schema([known.field(n) if n in known.names else pa.field(n, pa.string()) for n in names])


def stored_schema(table: pa.Table, source: pa.Schema) -> pa.Schema:
    """The types to write: the source's where the result fits them, else what the first batch has."""
    known = {*source.names}
    columns = zip(table.column_names, table.columns, strict=True)
    return pa.schema([_stored_field(column, name, source if name in known else None) for name, column in columns])


def _stored_field(column: pa.ChunkedArray, name: str, source: pa.Schema | None) -> pa.Field:
    kind = column.type
    if source is not None:
        wanted = source.field(name).type
        try:
            column.cast(wanted)
        except pa.ArrowException:
            return pa.field(name, kind)
        return pa.field(name, wanted)
    return pa.field(name, pa.string() if pa.types.is_null(kind) else kind)
