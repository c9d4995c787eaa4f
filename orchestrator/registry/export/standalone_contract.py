"""Holds the functions of an exported `cleaning_functions.py` to what they declare. Read as text by `export`.

The same as `run.rows.contract` holds them to in the sandbox, with the same words. There a batch is cut until the rows
are found on which a function fails; here nothing is written.
"""

import copy
import math
from typing import Any

import numpy as np
import pandas as pd


def own_copy(frame: pd.DataFrame) -> pd.DataFrame:
    """A copy of which no part is shared, so that what a function changes in place shows against the frame."""
    made = frame.copy()
    for place, dtype in enumerate(frame.dtypes):
        if pd.api.types.is_object_dtype(dtype) and any(
            isinstance(value, list | dict | set | np.ndarray) for value in frame.iloc[:, place]
        ):
            made.isetitem(place, pd.Series(copy.deepcopy(frame.iloc[:, place].tolist()), dtype=object).array)
    return made


def as_declared(function: Any, given: pd.DataFrame, made: pd.DataFrame, left: Any) -> pd.DataFrame:
    """What the function made, with columns that it adds at the end. Raises ValueError for what it does not declare.

    `left`: the places of the given rows that are left, in their order.
    """
    if not function.drops_rows and (len(left) != len(given) or (left != np.arange(len(given))).any()):
        moved = f"{len(given)} rows went in and {len(left)} came out"
        raise ValueError(moved if len(left) != len(given) else "rows were moved or lost")
    if (np.diff(left) <= 0).any():
        raise ValueError("rows were moved, doubled or made up")
    names, there = list(given.columns), list(made.columns)
    stay = [name for name in names if name not in function.drops]
    added = [name for name in function.adds if name not in stay]
    if gone := [name for name in (*stay, *added) if name not in there]:
        raise ValueError(f"the column '{gone[0]}' is gone")
    if extra := [name for name in there if name not in stay and name not in added]:
        raise ValueError(f"the column '{extra[0]}' appeared")
    if [name for name in there if name in stay] != stay:
        raise ValueError("the columns came back in another order")
    kept = given if len(left) == len(given) else given.take(left)
    for place, name in enumerate(stay):
        before, after = (frame.loc[:, frame.columns == name] for frame in (kept, made))
        nth = stay[:place].count(name)  # of columns of one name
        _refuse_changed(function, name, before.iloc[:, nth], after.iloc[:, nth])
    return made if not added else made[[*stay, *added]]


def as_declared_record(function: Any, given: dict[str, Any], made: Any) -> dict[str, Any]:
    """The record that the function made. Raises TypeError or ValueError for what it does not declare, or is no JSON."""
    if not isinstance(made, dict):
        raise TypeError(f"it returned a {type(made).__name__} instead of a dict")
    free = {*(function.modifies or ()), *function.adds}
    for key in (*given, *(key for key in made if key not in given)):
        if key in given and key in made and _same(given[key], made[key]):
            continue
        if key not in free and function.modifies is not None and not (key in function.drops and key not in made):
            raise ValueError(f"the key '{key}' {'changed, which it does not declare' if key in given else 'appeared'}")
        if key in made and not _is_json(made[key]):
            raise TypeError(f"the value of '{key}' is or holds something that JSON does not have")
    return {key: value for key, value in made.items() if key not in function.drops or key in function.adds}


def as_text(made: Any) -> str:
    """The text that a function of texts made. Raises TypeError where it is none."""
    if type(made) is not str:
        raise TypeError(f"it returned a {type(made).__name__} instead of a str")
    return made


def _is_json(value: Any) -> bool:
    if type(value) is list:
        return all(map(_is_json, value))
    if type(value) is dict:
        return all(type(key) is str for key in value) and all(map(_is_json, value.values()))
    return value is None or type(value) in (str, int, bool) or (type(value) is float and math.isfinite(value))


def _refuse_changed(function: Any, name: Any, before: "pd.Series[Any]", after: "pd.Series[Any]") -> None:
    if function.modifies is not None and name not in function.modifies and name not in function.adds:
        if not _all_same(before, after):
            raise ValueError(f"the column '{name}' changed, which it does not declare")
    elif not before.isna().all() and not after.isna().all() and _is_text(before) is not _is_text(after):
        raise ValueError(f"the column '{name}' was {before.dtype} and came back as {after.dtype}")


def _all_same(before: "pd.Series[Any]", after: "pd.Series[Any]") -> bool:
    if before.dtype == after.dtype and not pd.api.types.is_object_dtype(before.dtype):
        return bool(before.reset_index(drop=True).equals(after.reset_index(drop=True)))
    return all(_same(*pair) for pair in zip(before.tolist(), after.tolist(), strict=True))


def _same(before: Any, after: Any) -> bool:
    if before is after:
        return True
    missing = [pd.api.types.is_scalar(value) and bool(pd.isna(value)) for value in (before, after)]
    if any(missing):
        return all(missing)
    if isinstance(before, np.ndarray) or isinstance(after, np.ndarray):
        return repr(before) == repr(after)
    return isinstance(before, bool) is isinstance(after, bool) and bool(before == after)


def _is_text(column: "pd.Series[Any]") -> bool:
    return isinstance(column.dtype, pd.StringDtype) or pd.api.types.infer_dtype(column, skipna=True) == "string"
