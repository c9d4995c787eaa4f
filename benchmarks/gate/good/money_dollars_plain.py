# data: orders
"""Amounts carry currency signs and grouping commas."""
import re

CONTRACT = {
    "modifies": ["amount"],
    "examples": [
        {"input": {"amount": "$1,234.50"}, "output": {"amount": "1234.50"}},
        {"input": {"amount": "7.00 USD"}, "output": {"amount": "7.00"}},
        {"input": {"amount": "12.34"}, "output": {"amount": "12.34"}},
    ],
}
_AMOUNT = re.compile(r"(?:USD|\$)?\s*([0-9]{1,3}(?:,[0-9]{3})*|[0-9]+)(\.[0-9]+)?\s*(?:USD)?")


def _plain(value):
    if not isinstance(value, str):
        return value
    match = _AMOUNT.fullmatch(value)
    if match is None:
        return value
    return match.group(1).replace(",", "") + (match.group(2) or "")


def detect(df):
    return df["amount"].notna() & (df["amount"] != df["amount"].map(_plain))


def plain_amounts(df):
    """Digits and a decimal point only."""
    out = df.copy()
    out["amount"] = out["amount"].map(_plain)
    return out
