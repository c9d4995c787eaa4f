"""Whether a column that a function returned still holds the input's very values. Called by frames.py.

Such a column is not sent: the host has it, in whatever type it came. So types that pandas has no word for (maps, narrow
lists, decimals of 256 bits) come back bit for bit where nobody touches them.
"""

from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa


def column_array(frame: Any, place: int) -> Any:
    """What a column holds its values in. A Series made of it, the public way, costs ten times as much."""
    return frame._get_column_array(place)  # noqa: SLF001


def buffers(array: Any) -> pa.ChunkedArray | None:
    """What a text column holds its values in; the same object as before means that nothing was written."""
    return array.__arrow_array__() if type(array) is pd.arrays.ArrowStringArray else None


def same_values(one: Any, other: Any) -> bool:
    """Whether two arrays hold the same values of the same type, bit for bit: NaN is itself, and 0.0 is not -0.0."""
    if type(one.dtype) is not type(other.dtype) or one.dtype != other.dtype or len(one) != len(other):
        return False
    if one.dtype == object:
        return all(_alike(x, y) for x, y in zip(one, other, strict=True))
    if isinstance(one.dtype, np.dtype):
        left, right = (np.ascontiguousarray(np.asarray(array)).view(np.uint8) for array in (one, other))
        return np.array_equal(left, right)
    return bool(one.equals(other))


def _alike(one: Any, other: Any) -> bool:
    if one is other:
        return True
    if type(one) is not type(other):
        return False
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(_alike, one, other))
    if isinstance(one, dict):
        return list(one) == list(other) and all(map(_alike, one.values(), other.values()))
    if isinstance(one, float):
        return repr(one) == repr(other)  # NaN and the sign of zero
    return bool(one == other)
