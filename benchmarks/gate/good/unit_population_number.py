# data: places
"""Populations as plain integers."""
import re
from decimal import Decimal

CONTRACT = {
    "modifies": ["population"],
    "examples": [
        {"input": {"population": "5,188,109"}, "output": {"population": "5188109"}},
        {"input": {"population": "2.6 million"}, "output": {"population": "2600000"}},
    ],
}


def _people(value):
    if not isinstance(value, str):
        return value
    if re.fullmatch(r"[0-9]{1,3}(,[0-9]{3})+", value):
        return value.replace(",", "")
    if re.fullmatch(r"[0-9]{1,3}\.[0-9]{1,3} million", value):
        return str(int(Decimal(value.split()[0]) * 1_000_000))
    return value


def detect(df):
    return df["population"].map(lambda v: isinstance(v, str) and _people(v) != v).astype(bool)


def population_integers(df):
    """No commas, no words."""
    out = df.copy()
    out["population"] = out["population"].map(_people)
    return out
