"""Gives a DataFrame the types back that pandas could not help losing. Called by tables.py between two functions.

The exported `cleaning_functions.py` holds a copy of this text (registry/export): it imports pandas and numpy only.
"""

from typing import Any

import numpy as np
import pandas as pd


def restore_lost_types(before: pd.DataFrame, after: pd.DataFrame) -> pd.DataFrame:
    """`after` with the types of `before` that pandas has no word for: a column without values, and integers of which
    some are missing (pandas makes floats of them). The next function gets the types that it had when it was verified.
    """
    lost = {}
    for name in after.columns.intersection(before.columns):
        old, new = before[name].dtype, after[name].dtype
        if old == new:
            continue
        missing = after[name].isna()
        if missing.all():
            lost[name] = pd.Int64Dtype() if old.kind in "iu" and len(after) else old
        elif old.kind in "iu" and new.kind == "f" and _are_integers(after[name].dropna(), old):
            lost[name] = pd.Int64Dtype() if missing.any() else old
    return after.astype(lost) if lost else after


def _are_integers(values: "pd.Series[Any]", kind: Any) -> bool:
    """Whether the floats are integers that the type can hold and that floats hold exactly."""
    limits = np.iinfo(kind.numpy_dtype if hasattr(kind, "numpy_dtype") else kind)
    exact = values.between(max(limits.min, -(2**53)), min(limits.max, 2**53)) & (values % 1 == 0)
    return bool(exact.all())
