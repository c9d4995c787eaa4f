# data: orders
"""Order dates are written in four ways."""
from datetime import datetime

CONTRACT = {
    "modifies": ["date"],
    "examples": [
        {"input": {"date": "31.12.2019"}, "output": {"date": "2019-12-31"}},
        {"input": {"date": "2019/02/03"}, "output": {"date": "2019-02-03"}},
        {"input": {"date": "5 May 2001"}, "output": {"date": "2001-05-05"}},
    ],
}
_FORMATS = ["%d.%m.%Y", "%Y/%m/%d", "%d %B %Y"]


def _parse(text):
    for fmt in _FORMATS:
        try:
            return datetime.strptime(text.strip(), fmt).strftime("%Y-%m-%d")
        except ValueError:
            pass
    return text


def detect(df):
    flags = []
    for value in df["date"]:
        flags.append(isinstance(value, str) and _parse(value) != value)
    return flags


def normalise_order_date(df):
    """Every order date as YYYY-MM-DD."""
    out = df.copy()
    out["date"] = [_parse(v) if isinstance(v, str) else v for v in out["date"]]
    return out
