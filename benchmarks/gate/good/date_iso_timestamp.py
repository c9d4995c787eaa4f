# data: events
"""Start times use T, Z and German dots."""
import re

CONTRACT = {
    "modifies": ["start"],
    "examples": [
        {"input": {"start": "2020-01-02T03:04:05Z"}, "output": {"start": "2020-01-02 03:04:05"}},
        {"input": {"start": "17.08.2008 10:56"}, "output": {"start": "2008-08-17 10:56:00"}},
        {"input": {"start": "2020-01-02T03:04:05"}, "output": {"start": "2020-01-02 03:04:05"}},
    ],
}


def _stamp(s):
    s = re.sub(r"^([0-9]{4}-[0-9]{2}-[0-9]{2})T([0-9]{2}:[0-9]{2}:[0-9]{2})Z?$", r"\1 \2", s)
    return re.sub(r"^([0-9]{2})\.([0-9]{2})\.([0-9]{4}) ([0-9]{2}:[0-9]{2})$", r"\3-\2-\1 \4:00", s)


def detect(df):
    return df["start"].map(lambda s: _stamp(s) != s if isinstance(s, str) else False).astype(bool)


def plain_timestamps(df):
    """YYYY-MM-DD HH:MM:SS everywhere."""
    out = df.copy()
    out["start"] = out["start"].map(lambda s: _stamp(s) if isinstance(s, str) else s)
    return out
