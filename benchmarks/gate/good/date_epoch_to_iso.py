# data: events
"""Epoch seconds and milliseconds to UTC timestamps."""
from datetime import datetime, timezone

CONTRACT = {
    "modifies": ["epoch"],
    "examples": [
        {"input": {"epoch": "1600000000"}, "output": {"epoch": "2020-09-13T12:26:40Z"}},
        {"input": {"epoch": "1600000000000"}, "output": {"epoch": "2020-09-13T12:26:40Z"}},
    ],
}


def _seconds(value):
    if not isinstance(value, str) or not value.isascii() or not value.isdigit():
        return None
    if len(value) in (9, 10):
        return int(value)
    if len(value) in (12, 13):
        return int(value) // 1000
    return None


def detect(df):
    return df["epoch"].map(lambda v: _seconds(v) is not None).astype(bool)


def epoch_to_iso(df):
    """Unix time to ISO 8601 in UTC."""
    out = df.copy()
    made = []
    for value in out["epoch"]:
        seconds = _seconds(value)
        if seconds is None:
            made.append(value)
        else:
            made.append(datetime.fromtimestamp(seconds, tz=timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"))
    out["epoch"] = made
    return out
