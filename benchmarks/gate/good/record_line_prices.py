# data: parcels
"""Prices of the lines carry a dollar sign and separators of thousands."""
import re

CONTRACT = {"shape": "record", "modifies": ["lines"]}
_PRICE = re.compile(r"\$?([0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(\.[0-9]{2})")


def _plain(price):
    match = _PRICE.fullmatch(price) if isinstance(price, str) else None
    return match[1].replace(",", "") + match[2] if match else price


def detect(record):
    lines = record.get("lines")
    if not isinstance(lines, list):
        return False
    prices = [line.get("price") for line in lines if isinstance(line, dict)]
    return any(isinstance(price, str) and _plain(price) != price for price in prices)


def plain_prices(record):
    """Digits and a decimal point."""
    if not detect(record):
        return record
    lines = []
    for line in record["lines"]:
        if isinstance(line, dict) and "price" in line:
            line = {**line, "price": _plain(line["price"])}
        lines.append(line)
    return {**record, "lines": lines}
