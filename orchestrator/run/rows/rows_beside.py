"""What is kept of rows that are looked at later. Called by `kinds_of_change` and `dropped_rows`.

The rows of a file may have thousands of columns and cells of any size; what stands beside a cell may speak for it.
"""

import pyarrow as pa
import pyarrow.compute as pc

from orchestrator.data.cells import as_text, has_column, is_text

NEIGHBOURS = 30  # columns that are kept beside those that a function is about
MAX_TEXT = 1_000  # characters of a cell
MAX_BYTES = 2**25  # of all rows that are kept of one function; there may be large lists and objects
_NOT_PICKED = ("string_view", "binary_view", "run_end_encoded")  # types of which Arrow cannot take rows


def narrowed(table: pa.Table, own: tuple[str, ...]) -> pa.Table:
    """The columns that a function is about, and some beside them, in types of which Arrow can pick rows."""
    mine, there = {*own}, [name for name in table.column_names if has_column(table, name)]
    chosen = mine | {*[name for name in there if name not in mine][:NEIGHBOURS]}
    columns = {name: _plain(table.column(name)) for name in there if name in chosen}
    return pa.table({name: values for name, values in columns.items() if values is not None})


def cut(table: pa.Table) -> pa.Table:
    """The table without the ends of long texts."""
    for at, field in enumerate(table.schema):
        if is_text(field.type) and (pc.max(pc.binary_length(table.column(at))).as_py() or 0) > MAX_TEXT:
            table = table.set_column(at, field, pc.utf8_slice_codeunits(table.column(at), 0, MAX_TEXT))
    return table


def together(parts: list[pa.Table]) -> pa.Table:
    """The rows of all batches; a column of which the types cannot be merged as text."""
    try:
        return pa.concat_tables(parts, promote_options="permissive")
    except (pa.ArrowInvalid, pa.ArrowTypeError):
        texts = [pa.table({name: as_text(part.column(name)) for name in part.column_names}) for part in parts]
        return pa.concat_tables(texts, promote_options="permissive")


def _plain(values: pa.ChunkedArray) -> pa.ChunkedArray | None:
    """The column in a type of which Arrow can pick rows; None where it has none."""
    if pa.types.is_string_view(values.type):
        return values.cast(pa.string())
    return None if any(kind in str(values.type) for kind in _NOT_PICKED) else values
