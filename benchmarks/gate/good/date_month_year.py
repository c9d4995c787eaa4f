# data: orders
"""Months are written out or with slashes."""
import re

_NAMES = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_WORD = re.compile(r"^([A-Za-z]{3,9})\.? (\d{4})$", re.ASCII)
_SLASH = re.compile(r"^(0[1-9]|1[0-2])/(\d{4})$", re.ASCII)
CONTRACT = {
    "modifies": ["month_name"],
    "examples": [
        {"input": {"month_name": "March 2020"}, "output": {"month_name": "2020-03"}},
        {"input": {"month_name": "Dec 1999"}, "output": {"month_name": "1999-12"}},
        {"input": {"month_name": "07/2015"}, "output": {"month_name": "2015-07"}},
    ],
}


def _month(value):
    if not isinstance(value, str):
        return value
    word = _WORD.match(value)
    if word and word.group(1).lower()[:3] in _NAMES:
        return f"{word.group(2)}-{_NAMES.index(word.group(1).lower()[:3]) + 1:02d}"
    slash = _SLASH.match(value)
    if slash:
        return f"{slash.group(2)}-{slash.group(1)}"
    return value


def detect(df):
    return df["month_name"].notna() & (df["month_name"] != df["month_name"].map(_month))


def months_to_iso(df):
    """Months as YYYY-MM."""
    return df.assign(month_name=df["month_name"].map(_month))
