# data: places
"""British postcodes."""
import re

CONTRACT = {
    "modifies": ["postcode"],
    "examples": [
        {"input": {"postcode": "sw1a1aa"}, "output": {"postcode": "SW1A 1AA"}},
        {"input": {"postcode": "Sw2a 5Aa"}, "output": {"postcode": "SW2A 5AA"}},
    ],
}
_POSTCODE = re.compile(r"([A-Za-z]{1,2}[0-9][A-Za-z0-9]?) ?([0-9][A-Za-z]{2})")


def _postcode(value):
    if isinstance(value, str):
        match = _POSTCODE.fullmatch(value)
        if match:
            return (match.group(1) + " " + match.group(2)).upper()
    return value


def detect(df):
    return (df["postcode"] != df["postcode"].map(_postcode)) & df["postcode"].notna()


def postcodes(df):
    """Upper case, one blank."""
    out = df.copy()
    out["postcode"] = out["postcode"].map(_postcode)
    return out
