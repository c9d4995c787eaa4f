# data: parcels
"""Some coordinates are texts."""
import re

CONTRACT = {
    "shape": "record",
    "modifies": ["to"],
    "examples": [
        {
            "input": {"to": {"city": "Oslo", "geo": {"lat": "59.9", "lon": 10.7}}},
            "output": {"to": {"city": "Oslo", "geo": {"lat": 59.9, "lon": 10.7}}},
        },
    ],
}


def _is_text_number(value):
    return isinstance(value, str) and re.fullmatch(r"-?[0-9]{1,3}\.[0-9]{1,8}", value) is not None


def _geo(record):
    to = record.get("to")
    geo = to.get("geo") if isinstance(to, dict) else None
    return geo if isinstance(geo, dict) else {}


def detect(record):
    geo = _geo(record)
    return _is_text_number(geo.get("lat")) or _is_text_number(geo.get("lon"))


def geo_as_numbers(record):
    """Latitude and longitude as numbers."""
    if not detect(record):
        return record
    geo = dict(_geo(record))
    for key in ("lat", "lon"):
        if _is_text_number(geo.get(key)):
            geo[key] = float(geo[key])
    return {**record, "to": {**record["to"], "geo": geo}}
