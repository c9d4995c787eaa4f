# data: parcels
"""Whether it is paid is sometimes a word."""
CONTRACT = {
    "shape": "record",
    "modifies": ["paid"],
    "examples": [
        {"input": {"paid": "yes"}, "output": {"paid": True}},
        {"input": {"paid": "N"}, "output": {"paid": False}},
        {"input": {"paid": True}, "output": {"paid": True}},
    ],
}
_WORDS = {"yes": True, "y": True, "no": False, "n": False}


def detect(record):
    paid = record.get("paid")
    return isinstance(paid, str) and paid.lower() in _WORDS


def paid_as_bool(record):
    """True or False."""
    return {**record, "paid": _WORDS[record["paid"].lower()]} if detect(record) else record
