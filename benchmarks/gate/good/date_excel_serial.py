# data: staff
"""Hiring dates arrive as Excel day numbers."""
from datetime import date, timedelta

CONTRACT = {
    "modifies": ["hired"],
    "examples": [
        {"input": {"hired": "43831"}, "output": {"hired": "2020-01-01"}},
        {"input": {"hired": "36526"}, "output": {"hired": "2000-01-01"}},
    ],
}


def _is_serial(value):
    return isinstance(value, str) and value.isascii() and value.isdigit() and len(value) == 5


def detect(df):
    return df["hired"].map(_is_serial).astype(bool)


def serial_to_date(df):
    """Excel serial numbers to ISO dates."""
    out = df.copy()
    epoch = date(1899, 12, 30)
    out["hired"] = [(epoch + timedelta(days=int(v))).isoformat() if _is_serial(v) else v for v in out["hired"]]
    return out
