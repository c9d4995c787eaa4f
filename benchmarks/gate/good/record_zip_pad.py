# data: parcels
"""ZIP codes lost their leading zeros."""
import re

CONTRACT = {"shape": "record", "modifies": ["to"]}


def detect(record):
    to = record.get("to")
    code = to.get("zip") if isinstance(to, dict) else None
    return isinstance(code, str) and re.fullmatch(r"[0-9]{3,4}", code) is not None


def pad_zip(record):
    """Five digits."""
    if not detect(record):
        return record
    to = dict(record["to"])
    to["zip"] = to["zip"].zfill(5)
    return record | {"to": to}
