"""As many rows as a batch has where a function is applied, made of the sample's. Called by `learning_plan`.

Rows are put beside the sample until they are as many as that, each time at most as many as there are already: the same
rows with other letters and digits, so that there are more different values, or again the same ones, so that there are
more of each. What is put beside has as many rows, and as many different values, as what is there. So `fit` can treat
many rows, or many values, otherwise than few only where it has the whole, and not where it has the parts.
"""

import random
import string
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from orchestrator.core.policy import LARGEST_BYTES, LARGEST_ROWS, LARGEST_ROWS_OF_WIDE
from orchestrator.data.cells import is_text

_MOST_BYTES = LARGEST_BYTES // 4
_LEVELS = LARGEST_ROWS.bit_length()
_MOST_CODES = 200  # a small sample need not become a whole batch

BESIDE = tuple(f"beside-{level}" for level in range(_LEVELS))
TOGETHER = tuple(f"together-{level}" for level in range(_LEVELS))


def sums_of(whole: str) -> Mapping[str, tuple[str, tuple[str, ...]]]:
    """By merge, the state that must come out and those that go in. `whole`: the sample's."""
    parts = zip((whole, *TOGETHER), BESIDE, strict=False)
    return {f"sum-{name}": (name, pair) for name, pair in zip(TOGETHER, parts, strict=True)}


def growing(sample: pa.Table, draw: random.Random) -> Iterator[tuple[str, pa.Table]]:
    """The tables that are put beside, and what there is then, by their names; none where the sample is large enough."""
    most = _batch_of(sample)
    rows = sample
    for level, (beside, together) in enumerate(zip(BESIDE, TOGETHER, strict=True)):
        if not 0 < rows.num_rows < most:
            return
        more = _recoded(rows, draw)
        if level % 4 == 1:
            more = pa.concat_tables([rows.slice(1), more.slice(0, 1)])
        more = more.slice(0, most - rows.num_rows)
        rows = pa.concat_tables([rows, more])
        order = draw.sample(range(rows.num_rows), rows.num_rows)
        yield beside, more.combine_chunks()
        yield together, rows.take(pa.array(order, pa.int64())).combine_chunks()


def strangers(sample: pa.Table, by: Sequence[str], draw: random.Random) -> pa.Table:
    """Rows like those of the sample about other keys, as many as a batch has; none where there are none to be made."""
    texts = {field.name for field in sample.schema if is_text(field.type)}
    if not sample.num_rows or not {*by} <= texts:
        return sample.slice(0, 0)
    most = _batch_of(sample)
    parts = [_recoded(sample, draw) for _ in range(min(most // sample.num_rows, _MOST_CODES))]
    rows = pa.concat_tables([sample.slice(0, 0), *parts]).combine_chunks()
    for name in by:
        known = pc.is_in(rows.column(name), value_set=sample.column(name).combine_chunks())
        rows = rows.filter(pc.invert(known))
    return rows.combine_chunks()


def _batch_of(table: pa.Table) -> int:
    """How many such rows a batch has where a function is applied."""
    size = int(table.nbytes * LARGEST_ROWS // max(1, table.num_rows))
    return LARGEST_ROWS if size <= _MOST_BYTES else LARGEST_ROWS_OF_WIDE


def _recoded(table: pa.Table, draw: random.Random) -> pa.Table:
    """The table with another letter for each letter, and another digit for each digit, the same ones everywhere."""
    code = np.arange(256, dtype=np.uint8)
    for kind in (string.digits, string.ascii_lowercase, string.ascii_uppercase):
        code[list(kind.encode())] = list("".join(draw.sample(kind, len(kind))).encode())
    for place, field in enumerate(table.schema):
        if is_text(field.type):
            column = pa.concat_arrays(table.column(place).chunks) if table.num_rows else table.column(place)
            validity, offsets, data = column.buffers()
            if data is not None:
                made = pa.py_buffer(code[np.frombuffer(data, np.uint8)])
                column = pa.Array.from_buffers(
                    field.type, len(column), [validity, offsets, made], column.null_count, column.offset
                )
            table = table.set_column(place, field, column)
    return table
