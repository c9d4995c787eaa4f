# data: events
"""Times of the day with am and pm."""
import re

CONTRACT = {
    "modifies": ["time"],
    "examples": [
        {"input": {"time": "2:05 pm"}, "output": {"time": "14:05"}},
        {"input": {"time": "12:30AM"}, "output": {"time": "00:30"}},
        {"input": {"time": "12:30 pm"}, "output": {"time": "12:30"}},
    ],
}
_AMPM = re.compile(r"(1[0-2]|0?[1-9]):([0-5][0-9])\s*([ap])m", re.I | re.A)


def _to_24h(value):
    if isinstance(value, str):
        found = _AMPM.fullmatch(value.strip())
        if found:
            hour = int(found.group(1)) % 12
            if found.group(3).lower() == "p":
                hour += 12
            return "%02d:%s" % (hour, found.group(2))
    return value


def detect(df):
    return df["time"].map(lambda v: isinstance(v, str) and _AMPM.fullmatch(v.strip()) is not None).astype(bool)


def twenty_four_hours(df):
    """24-hour clock."""
    out = df.copy()
    out["time"] = out["time"].map(_to_24h)
    return out
