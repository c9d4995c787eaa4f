# data: products
"""Lengths in mm, m and cm."""
import re
from decimal import Decimal

_FACTOR = {"mm": Decimal("0.1"), "cm": Decimal(1), "m": Decimal(100)}
CONTRACT = {
    "modifies": ["length"],
    "examples": [
        {"input": {"length": "2905mm"}, "output": {"length": "290.5 cm"}},
        {"input": {"length": "3.7 m"}, "output": {"length": "370 cm"}},
        {"input": {"length": "247cm"}, "output": {"length": "247 cm"}},
    ],
}


def _cm(value):
    match = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?) ?(mm|cm|m)", value) if isinstance(value, str) else None
    if match is None:
        return value
    number = (Decimal(match.group(1)) * _FACTOR[match.group(2)]).normalize()
    return "{:f} cm".format(number)


def detect(df):
    return (df["length"].map(_cm) != df["length"]) & df["length"].notna()


def length_cm(df):
    """All lengths in cm."""
    out = df.copy()
    out["length"] = out["length"].map(_cm)
    return out
