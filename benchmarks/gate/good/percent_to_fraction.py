# data: orders
"""Rates as fractions."""
from decimal import Decimal
import re

CONTRACT = {
    "modifies": ["rate"],
    "examples": [
        {"input": {"rate": "68%"}, "output": {"rate": "0.68"}},
        {"input": {"rate": "7%"}, "output": {"rate": "0.07"}},
    ],
}


def _fraction(value):
    if isinstance(value, str) and re.fullmatch(r"[0-9]{1,3}(\.[0-9]+)?%", value):
        return str(Decimal(value[:-1]) / 100)
    return value


def detect(df):
    return df["rate"].str.endswith("%", na=False) & (df["rate"].map(_fraction) != df["rate"])


def rates_as_fractions(df):
    """68% is 0.68."""
    out = df.copy()
    out["rate"] = out["rate"].map(_fraction)
    return out
