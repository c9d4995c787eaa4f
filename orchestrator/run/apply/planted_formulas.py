"""Counts cells that a spreadsheet would compute after apply and would not have before. Called by `apply`.

A spreadsheet takes a cell that starts with `=`, `+`, `-` or `@`, or with a tab or a line break before them, as a
formula, which can read other cells and send them away. A function that plants one makes clean data an attack on
whoever opens the result. Source: OWASP, CSV Injection.
"""

from collections.abc import Iterable
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

_STARTS = r"^[=+\-@\t\r\n]"
_NUMBER = r"^[+-][0-9.,]([0-9 .,'()/-]*[0-9)])?([eE][+-]?[0-9]+)?\s?%?$"  # also a telephone number: +49 (0)30 123-4


def planted_formulas(before: pa.Table, after: pa.Table, changed: Iterable[str]) -> dict[str, int]:
    """By column, how many cells start a formula that did not; none where there are none.

    Row i of both tables is the same row. Looked at are the `changed` columns and those that `before` does not have.
    """
    added = [name for name in after.column_names if name not in before.column_names]
    found = {}
    for name in (*changed, *added):
        if name not in after.column_names or not _is_text(after.column(name).type):
            continue
        mask = _is_formula(after.column(name))
        if name in before.column_names and _is_text(before.column(name).type):
            mask = pc.and_not(mask, _is_formula(before.column(name)))
        if count := pc.sum(mask).as_py():
            found[name] = int(count)
    return found


def _is_text(kind: pa.DataType) -> bool:
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def _is_formula(values: pa.ChunkedArray) -> Any:
    starts = pc.match_substring_regex(values, _STARTS)
    return pc.fill_null(pc.and_not(starts, pc.match_substring_regex(values, _NUMBER)), False)
