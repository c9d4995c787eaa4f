# data: customers
"""US phone numbers to E.164."""
import re

CONTRACT = {
    "modifies": ["phone"],
    "examples": [
        {"input": {"phone": "(555) 123-4567"}, "output": {"phone": "+15551234567"}},
        {"input": {"phone": "1-555-123-4567"}, "output": {"phone": "+15551234567"}},
        {"input": {"phone": "555.123.4567"}, "output": {"phone": "+15551234567"}},
    ],
}


def _e164(value):
    if not isinstance(value, str):
        return value
    digits = re.sub(r"[^0-9]", "", value)
    if len(digits) == 11 and digits.startswith("1"):
        digits = digits[1:]
    if len(digits) != 10:
        return value
    return "+1" + digits


def detect(df):
    fixed = df["phone"].map(_e164)
    return df["phone"].notna() & (fixed != df["phone"])


def phone_e164(df):
    """+1 and ten digits."""
    out = df.copy()
    out["phone"] = out["phone"].map(_e164)
    return out
