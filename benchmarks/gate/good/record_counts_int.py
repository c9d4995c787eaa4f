# data: articles
"""Some counts are digits in a text."""
import re

CONTRACT = {"shape": "record", "modifies": ["counts"]}


def _digits(value):
    return isinstance(value, str) and re.fullmatch(r"[0-9]{1,9}", value) is not None


def detect(record):
    counts = record.get("counts")
    return isinstance(counts, dict) and any(_digits(value) for value in counts.values())


def int_counts(record):
    """Counts as integers."""
    if not detect(record):
        return record
    counts = {key: int(value) if _digits(value) else value for key, value in record["counts"].items()}
    return {**record, "counts": counts}
