"""What the host demands of a cleaned batch before a row of it is written. For `bisect` and `apply`.

The functions were proved once; here every batch must still keep their contracts: rows stay unless a function may
drop them, nothing appears or vanishes undeclared, and columns that nobody declared come back exactly as they went in.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from orchestrator.core.candidate import Contract
from orchestrator.data.cells import differing
from orchestrator.data.hostile.frames import INDEX
from orchestrator.data.record_rows import aligned, changed_rows


class ContractBroken(Exception):
    """A batch came back that the contracts do not allow; the message is one clause about the functions."""


@dataclass(frozen=True, slots=True)
class Expected:
    """What several contracts, one after the other, allow."""

    columns: tuple[str, ...]
    modifiable: frozenset[str] | None  # None: any
    drops_rows: bool

    @classmethod
    def of(cls, columns: Sequence[str], contracts: Iterable[Contract]) -> "Expected":
        names = list(columns)
        modifiable: set[str] | None = set()
        drops_rows = False
        for contract in contracts:
            names = [name for name in names if name not in contract.drops]
            names += [name for name in contract.adds if name not in names]
            drops_rows = drops_rows or contract.drops_rows
            if modifiable is not None:
                modifiable = None if contract.modifies is None else modifiable | {*contract.modifies, *contract.adds}
        return cls(tuple(names), None if modifiable is None else frozenset(modifiable), drops_rows)


@dataclass(frozen=True, slots=True)
class CheckedBatch:
    """A batch that keeps the contracts. `rows[i]` is the place in the source batch of row i; `changed` counts cells."""

    table: pa.Table
    rows: Any
    changed: dict[str, int]


def check_batch(
    source: pa.Table, result: pa.Table, expected: Expected, same: Collection[str] = frozenset()
) -> CheckedBatch:
    """The result in the expected columns, with what changed in it. Raises ContractBroken.

    `same`: columns that are the source's own, in which nothing can have changed.
    """
    rows = _rows(result.column(INDEX).to_numpy(), source.num_rows, drops=expected.drops_rows)
    names = set(result.column_names) - {INDEX}
    if missing := [name for name in expected.columns if name not in names]:
        raise ContractBroken(f"the column '{missing[0]}' is gone")
    if extra := sorted(names - set(expected.columns)):
        raise ContractBroken(f"the column '{extra[0]}' appeared")
    kept = source if len(rows) == source.num_rows else source.take(rows)
    changed = {}
    for name in expected.columns:
        if name not in source.column_names or (name in same and kept is source):
            continue
        before, after = kept.column(name), result.column(name)
        count = changed_cells(before, after)
        if count or before.type != after.type:
            if expected.modifiable is not None and name not in expected.modifiable:
                raise ContractBroken(f"the column '{name}' changed, which no function declares")
            changed[name] = count
    return CheckedBatch(result.select(list(expected.columns)), rows, changed)


def check_records(source: pa.Table, result: pa.Table, expected: Expected) -> CheckedBatch:
    """The same for record tables: their columns are keys, which single records may lack. Raises ContractBroken."""
    rows = _rows(result.column(INDEX).to_numpy(), source.num_rows, drops=False)
    known = {*source.column_names, *expected.columns}
    if extra := sorted(set(result.column_names) - {INDEX} - known):
        raise ContractBroken(f"the key '{extra[0]}' appeared")
    made = aligned(result, expected.columns)
    changed = {}
    for name in expected.columns:
        if count := len(changed_rows(source, made, name)):
            if expected.modifiable is not None and name not in expected.modifiable:
                raise ContractBroken(f"the key '{name}' changed, which no function declares")
            if name in source.column_names:
                changed[name] = count
    return CheckedBatch(made, rows, changed)


def _rows(index: Any, count: int, *, drops: bool) -> Any:
    if len(index) == count and np.array_equal(index, np.arange(count)):
        return index
    if not drops:
        raise ContractBroken(
            f"{count} rows went in and {len(index)} came out" if len(index) != count else "rows were moved or lost"
        )
    if len(index) and (index[0] < 0 or index[-1] >= count or (np.diff(index) <= 0).any()):
        raise ContractBroken("rows were moved, doubled or made up")
    return index


def changed_cells(before: Any, after: Any) -> int:
    """In how many places the two columns differ."""
    mask = differing(before, after)
    return 0 if mask is None else int(pc.sum(mask).as_py() or 0)
