# data: products
"""Weights in grams and kilograms, as kilograms without unit."""
from decimal import Decimal
import re

CONTRACT = {
    "modifies": ["weight"],
    "examples": [
        {"input": {"weight": "1500 g"}, "output": {"weight": "1.5"}},
        {"input": {"weight": "12.5 kg"}, "output": {"weight": "12.5"}},
        {"input": {"weight": "53kg"}, "output": {"weight": "53"}},
    ],
}
_WEIGHT = re.compile(r"([0-9]+(?:\.[0-9]+)?)\s*(kg|g)")


def _kg(value):
    if not isinstance(value, str):
        return value
    match = _WEIGHT.fullmatch(value)
    if not match:
        return value
    number = Decimal(match[1])
    if match[2] == "g":
        number = number / 1000
    return f"{number.normalize():f}"


def detect(df):
    return df["weight"].str.fullmatch(_WEIGHT.pattern, na=False)


def weight_kg(df):
    """Kilograms as plain numbers."""
    out = df.copy()
    out["weight"] = out["weight"].map(_kg)
    return out
