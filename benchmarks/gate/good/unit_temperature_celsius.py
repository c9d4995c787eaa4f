# data: events
"""Temperatures in Fahrenheit and Celsius."""
import re

CONTRACT = {
    "modifies": ["temperature"],
    "examples": [
        {"input": {"temperature": "50F"}, "output": {"temperature": "10.0 °C"}},
        {"input": {"temperature": "-4 C"}, "output": {"temperature": "-4.0 °C"}},
    ],
}
_PATTERN = re.compile(r"(-?[0-9]{1,3}) ?°?([CF])")


def _celsius(value):
    if isinstance(value, str) and (m := _PATTERN.fullmatch(value)):
        degrees = int(m[1])
        if m[2] == "F":
            degrees = (degrees - 32) * 5 / 9
        return f"{degrees:.1f} °C"
    return value


def detect(df):
    return df["temperature"].map(lambda v: isinstance(v, str) and bool(_PATTERN.fullmatch(v))).astype(bool)


def celsius(df):
    """One decimal, degrees Celsius."""
    out = df.copy()
    out["temperature"] = out["temperature"].map(_celsius)
    return out
