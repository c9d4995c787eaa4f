# data: parcels
"""The due dates of the lines are written in three ways."""
import re

CONTRACT = {
    "shape": "record",
    "modifies": ["lines"],
    "examples": [
        {
            "input": {"lines": [{"sku": "MUG-1", "due": "05.11.2021"}, {"sku": "MUG-2", "due": "2021/12/30"}]},
            "output": {"lines": [{"sku": "MUG-1", "due": "2021-11-05"}, {"sku": "MUG-2", "due": "2021-12-30"}]},
        },
    ],
}
_SLASHES = re.compile(r"([0-9]{4})/([0-9]{2})/([0-9]{2})")
_DOTS = re.compile(r"([0-9]{2})\.([0-9]{2})\.([0-9]{4})")


def _iso(due):
    if not isinstance(due, str):
        return due
    if match := _SLASHES.fullmatch(due):
        return "-".join(match.groups())
    if match := _DOTS.fullmatch(due):
        return "-".join(reversed(match.groups()))
    return due


def _line(line):
    return {**line, "due": _iso(line["due"])} if isinstance(line, dict) and "due" in line else line


def detect(record):
    lines = record.get("lines")
    return isinstance(lines, list) and any(
        isinstance(line, dict) and _iso(line.get("due")) != line.get("due") for line in lines
    )


def iso_due(record):
    """ISO dates."""
    lines = record.get("lines")
    if not isinstance(lines, list):
        return record
    return {**record, "lines": [_line(line) for line in lines]}
