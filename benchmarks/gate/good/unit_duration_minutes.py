# data: events
"""Durations as minutes."""
import re

CONTRACT = {
    "modifies": ["duration"],
    "examples": [
        {"input": {"duration": "1h 30m"}, "output": {"duration": "90"}},
        {"input": {"duration": "45 min"}, "output": {"duration": "45"}},
        {"input": {"duration": "2 h"}, "output": {"duration": "120"}},
    ],
}


def _minutes(text):
    both = re.fullmatch(r"([0-9]{1,2})h ([0-9]{1,2})m", text)
    if both:
        return str(int(both.group(1)) * 60 + int(both.group(2)))
    hours = re.fullmatch(r"([0-9]{1,2}) h", text)
    if hours:
        return str(int(hours.group(1)) * 60)
    minutes = re.fullmatch(r"([0-9]+) min", text)
    return minutes.group(1) if minutes else text


def detect(df):
    return df["duration"].str.contains(r"^(?:[0-9]{1,2}h [0-9]{1,2}m|[0-9]{1,2} h|[0-9]+ min)$", na=False)


def duration_minutes(df):
    """Whole minutes."""
    out = df.copy()
    out["duration"] = out["duration"].map(_minutes, na_action="ignore")
    return out
