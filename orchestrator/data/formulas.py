"""Which cells a spreadsheet would compute. Called where formulas that a function plants are counted.

A spreadsheet takes a cell that starts with `=`, `+`, `-` or `@`, or with a tab or a line break before them, as a
formula, which can read other cells and send them away. A function that plants one makes clean data an attack on
whoever opens the result. Source: OWASP, CSV Injection.
"""

from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n")
_NUMBER = r"^[+-][0-9.,]([0-9 .,'()/-]*[0-9)])?([eE][+-]?[0-9]+)?\s?%?$"  # also a telephone number: +49 (0)30 123-4


def is_text(kind: pa.DataType) -> bool:
    """Whether a column of this type can hold formulas."""
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def are_formulas(values: Any) -> Any:
    """A mask `bool[n_rows]` of the texts that start a formula and are no number."""
    starts = pc.is_in(pc.utf8_slice_codeunits(values, 0, 1), pa.array(_STARTS))
    if not pc.any(starts).as_py():
        return starts
    return pc.fill_null(pc.and_not(starts, pc.match_substring_regex(values, _NUMBER)), False)
