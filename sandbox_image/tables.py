"""The ops of a case whose values are DataFrames. Called by child.py for programs of the shape `table`."""

import time
from collections.abc import Sequence
from typing import Any

import pandas as pd
import pyarrow as pa
from frames import InputTable, mask_bytes, read_table, require_frame, table_bytes
from lost_types import restore_lost_types
from programs import Loaded, Missing, Work
from untouched import buffers, column_array

__all__ = ["TableWork", "read_input_table"]

_MOST_HALVED = 2_000  # rows of a case that raised which are halved to find the row: what is applied has more
_HALVING_S = 0.5


def read_input_table(blob: bytes | bytearray) -> InputTable:
    """The input of a case."""
    return InputTable(read_table(blob))


class TableWork(Work):
    """The ops on one Arrow table."""

    def __init__(self, programs: Sequence[Loaded], source: InputTable) -> None:
        super().__init__(programs)
        self._source = source
        self._input: Any = None  # the frame that the current op was given

    def f(self, header: dict[str, Any]) -> pa.Buffer:
        self._input = self._source.frame()
        try:
            result = self.first(header)
        except (MemoryError, Missing):
            raise
        except Exception:
            self._tell_row(header)
            raise
        header["type"] = type(result).__name__[:200]
        body = table_bytes(result, self._source, header)
        header["dtypes"] = _dtypes(self._source.dtypes, result)
        return body

    def ff(self, header: dict[str, Any]) -> pa.Buffer:
        return table_bytes(_applied(self.programs, self._copy_of_result(header))[0], self._source, header)

    def detect(self, _: dict[str, Any]) -> pa.Buffer:
        self._input = self._source.frame()
        return self._flags(self._input)

    def detect_f(self, header: dict[str, Any]) -> pa.Buffer:
        return self._flags(self._copy_of_result(header))

    def input(self, header: dict[str, Any]) -> pa.Buffer:
        return table_bytes(self._input, self._source, header)

    def apply(self, header: dict[str, Any]) -> Any:
        result, header["changed"] = _applied(self.programs, self._input)
        return result

    def _tell_row(self, header: dict[str, Any]) -> None:
        """The one row of the input that raises by itself, if halves of it lead there soon: for the counterexample."""
        low, high = 0, len(self._input)
        if len(self.programs) != 1 or self.programs[0].is_broken or high > _MOST_HALVED:
            return
        until = time.perf_counter() + _HALVING_S
        while high - low > 1:
            middle = (low + high) // 2
            if self._raises(low, middle):
                high = middle
            elif self._raises(middle, high):
                low = middle
            else:
                return
            if time.perf_counter() > until:
                return
        header["row"] = low

    def _raises(self, low: int, high: int) -> bool:
        try:
            self.programs[0].function(self._source.frame().iloc[low:high])
        except Exception:  # noqa: BLE001 - whatever the candidate raises
            return True
        return False

    def _copy_of_result(self, header: dict[str, Any]) -> pd.DataFrame:
        if self._input is None:
            self._input = self._source.frame()
        frame = require_frame(self.first(header)).copy()
        header |= {"type": type(frame).__name__, "changed": []}
        return frame

    def _flags(self, frame: pd.DataFrame) -> pa.Buffer:
        rows = len(frame)
        return mask_bytes(self.detector(frame), rows)


def _dtypes(before: dict[str, str], result: pd.DataFrame) -> list[list[str | None]]:
    """Each column's name, and its type before and after."""
    arrays = [column_array(result, place) for place in range(len(result.columns))]
    return [[name, before.get(name), str(a.dtype)[:200]] for name, a in zip(result.columns, arrays, strict=True)]


def _applied(programs: Sequence[Loaded], frame: Any) -> tuple[Any, list[dict[str, int]]]:
    """The result and, for several programs, the changed cells of each by column."""
    changed: list[dict[str, int]] = []
    for program in programs:
        if len(programs) == 1:
            return program.function(frame), []
        before = frame.copy()
        frame = program.function(frame)
        if type(frame) is not pd.DataFrame:
            return frame, []
        frame = restore_lost_types(before, frame)
        changed.append(changed_cells(before, frame))
    return frame, changed


def changed_cells(before: pd.DataFrame, after: pd.DataFrame) -> dict[str, int]:
    """Changed cells of each column that both frames have, in rows that both have; columns without change are left out.

    Only a figure for people. A frame whose labels are not unique is compared by position where the lengths agree.
    """
    if not before.index.equals(after.index):
        if not (before.index.is_unique and after.index.is_unique):
            return {}
        shared = after.index[after.index.isin(before.index)]
        before, after = before.loc[shared], after.loc[shared]
    counts = {}
    for name in before.columns:
        if name in after.columns and (count := _differing(before[name], after[name])):
            counts[str(name)] = count
    return counts


def _differing(one: Any, other: Any) -> int:
    if (held := buffers(one.array)) is not None and held is buffers(other.array):
        return 0
    if one.dtype == other.dtype and one.dtype != object:  # text has a type of its own: compared without objects
        if one.equals(other):
            return 0
        missing = one.isna().to_numpy() & other.isna().to_numpy()
        return int((one.ne(other).fillna(value=True).to_numpy(dtype=bool) & ~missing).sum())
    missing_one, missing_other = one.isna().to_numpy(), other.isna().to_numpy()
    left, right = one.astype(object).to_numpy(), other.astype(object).to_numpy()
    different = (left != right) & ~(missing_one & missing_other)
    return int((different | (missing_one != missing_other)).sum())
