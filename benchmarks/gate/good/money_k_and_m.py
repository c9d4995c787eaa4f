# data: orders
"""Budgets are shortened with k and M."""
from decimal import Decimal
import re

CONTRACT = {
    "modifies": ["budget"],
    "examples": [
        {"input": {"budget": "85k"}, "output": {"budget": "85000"}},
        {"input": {"budget": "1.2M"}, "output": {"budget": "1200000"}},
    ],
}
_SHORT = re.compile(r"^([0-9]+(?:\.[0-9]+)?)([kM])$")
_FACTOR = {"k": 1_000, "M": 1_000_000}


def _expand(value):
    match = _SHORT.match(value) if isinstance(value, str) else None
    if not match:
        return value
    number = Decimal(match.group(1)) * _FACTOR[match.group(2)]
    if number != number.to_integral_value():
        return value
    return str(int(number))


def detect(df):
    return df["budget"].map(lambda v: _expand(v) != v if isinstance(v, str) else False).astype(bool)


def expand_budget(df):
    """Whole units."""
    out = df.copy()
    out["budget"] = out["budget"].map(_expand)
    return out
