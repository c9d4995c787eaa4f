# data: orders
"""Shipping dates come as month/day/year; ISO 8601 is wanted."""
import re
from datetime import date

CONTRACT = {
    "modifies": ["shipped_on"],
    "examples": [
        {"input": {"shipped_on": "03/14/2021"}, "output": {"shipped_on": "2021-03-14"}},
        {"input": {"shipped_on": "1/5/1999"}, "output": {"shipped_on": "1999-01-05"}},
        {"input": {"shipped_on": "2021-03-14"}, "output": {"shipped_on": "2021-03-14"}},
    ],
}
_US = re.compile(r"([0-9]{1,2})/([0-9]{1,2})/([0-9]{4})")


def _iso(value):
    if not isinstance(value, str):
        return value
    match = _US.fullmatch(value.strip())
    if match is None:
        return value
    month, day, year = (int(part) for part in match.groups())
    try:
        return date(year, month, day).isoformat()
    except ValueError:
        return value


def detect(df):
    return df["shipped_on"].map(lambda v: isinstance(v, str) and _iso(v) != v).astype(bool)


def shipped_on_to_iso(df):
    """Turn m/d/Y into Y-m-d; leave everything else alone."""
    out = df.copy()
    out["shipped_on"] = out["shipped_on"].map(_iso)
    return out
