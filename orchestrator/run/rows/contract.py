"""What the host demands of a cleaned batch before a row of it is written. For `apply` and `check`.

A function was proved once; here every batch must still keep its contract: rows stay unless it may drop them, nothing
appears, moves or vanishes undeclared, and columns that it does not declare come back exactly as they went in.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from orchestrator.core.candidate import Contract
from orchestrator.core.wording import counted
from orchestrator.data.cells import differing, is_text
from orchestrator.data.hostile.arrow_tables import INDEX
from orchestrator.data.record_rows import aligned, changed_rows
from orchestrator.data.rows_by_content import renumbered, rows_by_content


class ContractBroken(Exception):
    """A batch came back that the contract does not allow; the message is one clause about the function."""


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
    """What one function made of `source`, which keeps its contract. `rows[i]` is the place in the source of row i.

    `masks`: by column, `bool[n_rows]` of the cells that differ from the source's. `flags`: `bool[n_source_rows]`, the
    rows that its `detect` flags, where it was asked. `worker`: of a cluster, that made it.
    """

    source: pa.Table
    table: pa.Table
    rows: Any
    masks: Mapping[str, Any]
    flags: Any = None
    worker: str = ""

    @property
    def kept(self) -> pa.Table:
        """The source's rows that are still there."""
        return self.source if len(self.rows) == self.source.num_rows else self.source.take(self.rows)

    @property
    def changed(self) -> dict[str, int]:
        """How many cells of each column changed."""
        return {name: int(mask.sum()) for name, mask in self.masks.items()}


def check_batch(
    source: pa.Table, result: pa.Table, expected: Expected, same: Collection[str] = frozenset()
) -> CheckedBatch:
    """The result in the expected columns, with what changed in it. Raises ContractBroken.

    `same`: columns that are the source's own, in which nothing can have changed.
    """
    rows = _rows(result.column(INDEX).to_numpy(), source.num_rows, drops=expected.drops_rows)
    names = [name for name in result.column_names if name != INDEX]
    if renumbered(rows, source.num_rows):  # as `reset_index` does, which the gate lets pass
        untouched = [n for n in source.column_names if n in names and n not in (expected.modifiable or ())]
        found = rows_by_content(source, result, untouched)
        rows, same = (rows, same) if found is None else (found, ())
    if missing := [name for name in expected.columns if name not in names]:
        raise ContractBroken(f"the column '{missing[0]}' is gone")
    if extra := sorted(set(names) - set(expected.columns)):
        raise ContractBroken(f"the column '{extra[0]}' appeared")
    given = {*source.column_names}
    stay = [name for name in expected.columns if name in given]
    if [name for name in names if name in given] != stay:
        raise ContractBroken("the columns came back in another order")
    kept = source if len(rows) == source.num_rows else source.take(rows)
    masks = {}
    for name in stay:
        if name in same:
            continue
        before, after = kept.column(name), result.column(name)
        mask = differing(before, after)
        if mask is None and before.type == after.type:
            continue
        if expected.modifiable is not None and name not in expected.modifiable:
            raise ContractBroken(f"the column '{name}' changed, which no function declares")
        if is_text(before.type) is not is_text(after.type) and after.null_count < len(after):
            raise ContractBroken(f"the column '{name}' was {before.type} and came back as {after.type}")
        if mask is not None:
            masks[name] = mask.to_numpy(zero_copy_only=False)
    return CheckedBatch(source, result.select(list(expected.columns)), rows, masks)


def check_records(source: pa.Table, result: pa.Table, expected: Expected) -> CheckedBatch:
    """The same for record tables: their columns are keys, which single records may lack. Raises ContractBroken."""
    rows = _rows(result.column(INDEX).to_numpy(), source.num_rows, drops=False)
    known = {*source.column_names, *expected.columns}
    if extra := sorted(set(result.column_names) - {INDEX} - known):
        raise ContractBroken(f"the key '{extra[0]}' appeared")
    made = aligned(result, expected.columns)
    masks = {}
    for name in expected.columns:
        changed = changed_rows(source, made, name)
        if changed and expected.modifiable is not None and name not in expected.modifiable:
            raise ContractBroken(f"the key '{name}' changed, which no function declares")
        if changed and name in source.column_names:
            masks[name] = np.zeros(source.num_rows, dtype=np.bool_)
            masks[name][changed] = True
    return CheckedBatch(source, made, rows, masks)


def _rows(index: Any, count: int, *, drops: bool) -> Any:
    if len(index) == count and np.array_equal(index, np.arange(count)):
        return index
    if not drops:
        raise ContractBroken(
            f"{counted(count, 'row')} went in and {len(index)} came out"
            if len(index) != count
            else "rows were moved or lost"
        )
    if len(index) and (index[0] < 0 or index[-1] >= count or (np.diff(index) <= 0).any()):
        raise ContractBroken("rows were moved, doubled or made up")
    return index
