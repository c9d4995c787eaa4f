# data: customers
"""Ten digits without dashes."""
import re

CONTRACT = {"shape": "text", "modifies": ["phone", "fax"]}
_TEN = re.compile(r"([0-9]{3})([0-9]{3})([0-9]{4})")


def detect(text):
    return _TEN.fullmatch(text) is not None


def dashed(text):
    """555-555-5555."""
    match = _TEN.fullmatch(text)
    return "-".join(match.groups()) if match else text
