"""What keeps the functions of an exported `cleaning_functions.py` from each other's state. Read as text by `export`.

In the sandbox each has a process of its own, and is given what Arrow could carry of the one before it. In the file all
share a process, with the program that imports it: a function could lower the precision of decimals for the next one, or
hand it dates whose methods lie; and the program's own settings could make of any function another one. A process there
ends after some tables of so many rows: what a function does with more of them was never proved.
"""

import contextvars
import sys
import threading
import warnings
from collections.abc import Callable
from io import TextIOBase
from types import CodeType, ModuleType
from typing import Any, Self

import numpy as np
import pandas as pd

# --- contract ---
from orchestrator.registry.export.standalone_contract import as_declared, own_copy  # `export` puts that text before

# --- end of contract ---

ROWS = 12_800  # of the largest table that a function is given where it is proved and applied
TABLES = 4  # that a process is given there


class Proved:
    """A function of a module that is loaded anew after as many calls as one process of the sandbox gets.

    Raises KeyError where the module has no such function, and what the module raises.
    """

    def __init__(self, code: CodeType, module: str, function: str, *, by_row: bool) -> None:
        self._code, self._module, self._function = code, module, function
        self._calls = ROWS if by_row else TABLES
        self._lock = threading.Lock()
        self._load()

    def __call__(self, *given: Any) -> Any:
        with self._lock:
            if not self._left:
                self._load()
            self._left -= 1
            call = self._call
        return in_own_context(call, *given)

    def _load(self) -> None:
        module = ModuleType(self._module)
        sys.modules[self._module] = module  # dataclasses look their module up
        in_own_context(exec, self._code, module.__dict__)  # this file's purpose
        self._call, self._left = module.__dict__[self._function], self._calls


def applied(function: Any, frame: pd.DataFrame, module: str) -> Any:
    """What the function makes of the frame, in parts of as many rows as were proved, and which rows are left.

    A function that was proved gives the same for a table and for its parts. Raises what it raises, and ValueError.
    """
    made, left = [], []
    touched = (*(function.modifies or ()), *function.drops) if function.drops_rows else ()
    for start in range(0, max(len(frame), 1), ROWS):
        part = frame.iloc[start : start + ROWS].reset_index(drop=True)
        result = plain_values(function.apply(own_copy(part)), module)
        places = rows_left(part, result, touched)
        left.append(places + start)
        made.append(as_declared(function, part, result.reset_index(drop=True), places))
    if len(made) == 1:
        return made[0], left[0]
    return pd.concat(made, ignore_index=True), np.concatenate(left)


def in_own_context(call: Callable[..., Any], *given: Any) -> Any:
    """What the call gives. What is set for decimals and for numpy's errors is what Python begins with, and what the
    call sets ends with it. No warning is an error: where a function was proved, none was. Nobody sees what the call
    prints: it could be taken for the program's own words, or for rows.
    """
    with _SILENCE:
        if all(action != "error" for action, *_ in warnings.filters):
            return contextvars.Context().run(call, *given)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return contextvars.Context().run(call, *given)


class _Silence(TextIOBase):
    """Stands in the place of standard output and errors and keeps nothing, as long as any thread is in it.

    What other threads print in that time is lost as well; what they had opened before is not touched.
    """

    def __init__(self) -> None:
        self._lock, self._inside = threading.Lock(), 0
        self._streams: tuple[Any, Any] = (None, None)

    def write(self, text: str) -> int:
        return len(text)

    def __enter__(self) -> Self:
        with self._lock:
            if not self._inside:
                self._streams = sys.stdout, sys.stderr
                sys.stdout = sys.stderr = self
            self._inside += 1
        return self

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._inside -= 1
            if not self._inside:
                out, err = self._streams
                sys.stdout = out if sys.stdout is self else sys.stdout
                sys.stderr = err if sys.stderr is self else sys.stderr


_SILENCE = _Silence()


def plain_values(frame: pd.DataFrame, module: str) -> pd.DataFrame:
    """The frame without values of classes that the module made: plain ones in their place, as in the sandbox."""
    for place, dtype in enumerate(frame.dtypes):
        if pd.api.types.is_object_dtype(dtype) and any(_is_made_by(value, module) for value in frame.iloc[:, place]):
            import pyarrow as pa

            made = pa.array(frame.iloc[:, place], from_pandas=True).to_pylist()
            frame.isetitem(place, pd.Series(made, dtype=object).array)
    return frame


def as_passed_on(before: pd.DataFrame, after: pd.DataFrame) -> pd.DataFrame:
    """`after` with the types in which the next function gets it in the sandbox, where a column or its type is new."""
    known = {name: before[name].dtype for name in before.columns}
    new = {name: _passed_on(after[name]) for name in after.columns if known.get(name) != after[name].dtype}
    given = {name: dtype for name, dtype in new.items() if dtype is not None}
    return after.astype(given) if given else after


def _passed_on(column: "pd.Series[Any]") -> Any:
    """The type that Arrow makes of it and pandas of that; None where it stays."""
    dtype, missing = column.dtype, bool(column.isna().any())
    if isinstance(dtype, pd.StringDtype):
        return "str"
    if pd.api.types.is_object_dtype(dtype):
        kind = pd.api.types.infer_dtype(column, skipna=True)
        whole = {"string": "str", "boolean": "bool", "integer": "int64", "floating": "float64"}
        return ({"boolean": "boolean", "integer": "Int64"} if missing else {}).get(kind, whole.get(kind))
    if isinstance(dtype, pd.ArrowDtype):
        return None
    own = getattr(dtype, "numpy_dtype", None)  # of the types that have a mask of what is missing
    return own if own is not None and (not missing or own.kind == "f") else None


def rows_left(given: pd.DataFrame, made: pd.DataFrame, touched: tuple[str, ...]) -> Any:
    """Which of the given rows a result has, by its labels, as the sandbox reads them; where they are numbered anew, by
    the columns that the function does not touch. Raises ValueError.
    """
    places, rows = made.index.to_numpy(), len(given)
    named = made.index.is_unique
    if len(places) and (places.dtype.kind != "i" or places.min() < 0 or places.max() >= rows or not named):
        raise ValueError("it gave the rows other labels, which do not say which rows these are")
    if len(places) < rows and places.tolist() == list(range(len(places))):
        names = [name for name in given.columns if name in made.columns and name not in touched]
        places = _by_content(given[names], made[names]) if names else places
    return places.astype("int64")


def _by_content(given: pd.DataFrame, made: pd.DataFrame) -> Any:
    """The places of the first given rows, in order, that are alike; the labels where not every row is found."""
    have = enumerate(map(repr, given.itertuples(index=False, name=None)))
    wanted = map(repr, made.itertuples(index=False, name=None))
    found = [next((place for place, row in have if row == one), -1) for one in wanted]
    return made.index.to_numpy() if -1 in found else pd.Index(found).to_numpy()


def _is_made_by(value: Any, module: str) -> bool:
    if isinstance(value, list | tuple | set | frozenset):
        return type(value).__module__ == module or any(_is_made_by(one, module) for one in value)
    if isinstance(value, dict):
        return type(value).__module__ == module or any(_is_made_by(one, module) for kv in value.items() for one in kv)
    return type(value).__module__ == module
