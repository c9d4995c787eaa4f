# data: parcels
"""Cities stand in several cases and with stray blanks."""
CONTRACT = {
    "shape": "record",
    "modifies": ["to"],
    "examples": [
        {"input": {"to": {"city": " OSLO "}}, "output": {"to": {"city": "Oslo"}}},
        {"input": {"to": {"city": "new york", "zip": "10001"}}, "output": {"to": {"city": "New York", "zip": "10001"}}},
    ],
}


def _city(record):
    to = record.get("to")
    city = to.get("city") if isinstance(to, dict) else None
    return city if isinstance(city, str) else None


def _spelled(city):
    city = city.strip()
    return city.title() if city.isupper() or city.islower() else city


def detect(record):
    city = _city(record)
    return city is not None and _spelled(city) != city


def spell_city(record):
    """One spelling per city."""
    city = _city(record)
    if city is None:
        return record
    return {**record, "to": {**record["to"], "city": _spelled(city)}}
