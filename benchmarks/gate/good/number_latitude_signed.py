# data: events
"""Latitudes with hemispheres."""
import re

CONTRACT = {
    "modifies": ["latitude"],
    "examples": [
        {"input": {"latitude": "22.06° S"}, "output": {"latitude": "-22.06"}},
        {"input": {"latitude": "55.36 N"}, "output": {"latitude": "55.36"}},
    ],
}
_HEMISPHERE = re.compile(r"([0-9]{1,2}(?:\.[0-9]+)?)°? ([NS])")


def _signed(value):
    if not isinstance(value, str):
        return value
    match = _HEMISPHERE.fullmatch(value)
    if match is None:
        return value
    degrees, hemisphere = match.groups()
    if hemisphere == "S":
        return "-" + degrees
    return degrees


def detect(df):
    return df["latitude"].str.contains(r"^[0-9]{1,2}(?:\.[0-9]+)?°? [NS]$", na=False)


def signed_latitudes(df):
    """South is negative."""
    out = df.copy()
    out["latitude"] = out["latitude"].map(_signed)
    return out
