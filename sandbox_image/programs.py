"""Loads untrusted source and applies it. Called by child.py, inside the child."""

import sys
from collections.abc import Sequence
from types import ModuleType
from typing import Any

import pandas as pd
from frames import buffers


class Missing(Exception):
    """The program has no such function."""


class Loaded:
    """One program in a fresh module; an error while loading is raised again at every use."""

    def __init__(self, number: int, name: str, source: str) -> None:
        self._name = name
        self._error: BaseException | None = None
        module = ModuleType(f"candidate_{number}")
        sys.modules[module.__name__] = module  # dataclasses look their module up
        self._space: dict[str, Any] = module.__dict__
        try:
            exec(compile(source, f"<{name}>", "exec", dont_inherit=True), self._space)  # noqa: S102 - the guest's job
        except MemoryError:
            raise
        except BaseException as error:  # noqa: BLE001 - SystemExit and the like are the candidate's failure too
            self._error = error

    def apply(self, frame: pd.DataFrame) -> Any:
        return self._function(self._name)(frame)

    def detect(self, frame: pd.DataFrame) -> Any:
        return self._function("detect")(frame)

    def _function(self, name: str) -> Any:
        if self._error is not None:
            raise self._error
        function = self._space.get(name)
        if not callable(function):
            raise Missing(f"there is no function {name}")
        return function


class Pipeline:
    """Programs applied one after the other; counts the cells that each of several changed."""

    def __init__(self, programs: Sequence[Loaded]) -> None:
        self._programs = programs

    def apply(self, frame: Any) -> tuple[Any, list[dict[str, int]]]:
        """The result and, for several programs, the changed cells of each by column."""
        changed: list[dict[str, int]] = []
        for program in self._programs:
            if len(self._programs) == 1:
                return program.apply(frame), []
            before = frame.copy()
            frame = program.apply(frame)
            if type(frame) is not pd.DataFrame:
                return frame, []
            frame = settled(before, frame)
            changed.append(changed_cells(before, frame))
        return frame, changed

    def detect(self, frame: pd.DataFrame) -> Any:
        if len(self._programs) != 1:
            raise Missing("detect belongs to one program")
        return self._programs[0].detect(frame)


def settled(before: pd.DataFrame, after: pd.DataFrame) -> pd.DataFrame:
    """`after` with the types that pandas could not help losing: it has none for a column without values, and no
    integer that is missing. The next program sees what it saw when it was proved, alone, through Arrow.
    """
    lost = {}
    for name in after.columns.intersection(before.columns):
        old, new = before[name].dtype, after[name].dtype
        if old == new:
            continue
        missing = after[name].isna()
        if missing.all():
            lost[name] = pd.Int64Dtype() if old.kind in "iu" and len(after) else old
        elif old.kind in "iu" and new.kind == "f" and missing.any() and (after[name].dropna() % 1 == 0).all():
            lost[name] = pd.Int64Dtype()
    return after.astype(lost) if lost else after


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
    if (held := buffers(one)) is not None and held is buffers(other):
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
