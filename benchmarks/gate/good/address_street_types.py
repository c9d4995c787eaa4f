# data: places
"""Street types are abbreviated."""
import re

CONTRACT = {
    "modifies": ["street"],
    "examples": [
        {"input": {"street": "12 Main St."}, "output": {"street": "12 Main Street"}},
        {"input": {"street": "9 Oak Ave"}, "output": {"street": "9 Oak Avenue"}},
        {"input": {"street": "9 Oak street"}, "output": {"street": "9 Oak Street"}},
    ],
}
_TYPES = {"st": "Street", "street": "Street", "ave": "Avenue", "avenue": "Avenue", "rd": "Road", "road": "Road"}
_LAST = re.compile(r"^(.* )(\w+)\.?$")


def _street(value):
    if not isinstance(value, str):
        return value
    match = _LAST.match(value)
    if match and match.group(2).lower() in _TYPES:
        return match.group(1) + _TYPES[match.group(2).lower()]
    return value


def detect(df):
    return df["street"].map(lambda v: isinstance(v, str) and _street(v) != v).astype(bool)


def street_types(df):
    """Street, Avenue, Road."""
    out = df.copy()
    out["street"] = out["street"].map(_street)
    return out
