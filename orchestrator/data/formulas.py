"""Which cells a spreadsheet would compute. Called where formulas that a function plants are counted.

A spreadsheet takes a cell that starts with `=`, `+`, `-` or `@`, or with a tab or a line break before them, as a
formula, which can read other cells and send them away. A function that plants one makes clean data an attack on
whoever opens the result. Source: OWASP, CSV Injection.
"""

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

_STARTS = np.array([chr(byte) in "=+-@\t\r\n" for byte in range(256)])
_NUMBER = r"^[+-][0-9.,]([0-9 .,'()/-]*[0-9)])?([eE][+-]?[0-9]+)?\s?%?$"  # also a telephone number: +49 (0)30 123-4


def is_text(kind: pa.DataType) -> bool:
    """Whether a column of this type can hold formulas."""
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def are_formulas(values: Any) -> Any:
    """A mask `bool[n_rows]` of the texts that start a formula and are no number."""
    texts = values.combine_chunks() if isinstance(values, pa.ChunkedArray) else values
    starts = pa.array(_starting(texts))
    if not pc.any(starts).as_py():
        return starts
    return pc.fill_null(pc.and_not(starts, pc.match_substring_regex(texts, _NUMBER)), False)


def _starting(texts: Any) -> Any:
    """Texts whose first byte starts a formula: a look at each one's first byte in place of a cut of each text."""
    _, offsets, data = texts.buffers()
    starts = np.zeros(len(texts), np.bool_)
    if data is not None and offsets is not None and data.size:
        width = np.int64 if pa.types.is_large_string(texts.type) else np.int32
        ends = np.frombuffer(offsets, width)[texts.offset : texts.offset + len(texts) + 1]
        filled = np.diff(ends) > 0
        starts[filled] = _STARTS[np.frombuffer(data, np.uint8)[ends[:-1][filled]]]
        if texts.null_count:
            starts &= texts.is_valid().to_numpy(zero_copy_only=False)
    return starts
