# data: staff
"""Heights in feet, metres and centimetres."""
import re

CONTRACT = {
    "modifies": ["height"],
    "examples": [
        {"input": {"height": "5'11\""}, "output": {"height": "180"}},
        {"input": {"height": "1.62 m"}, "output": {"height": "162"}},
        {"input": {"height": "150cm"}, "output": {"height": "150"}},
    ],
}


def _height(text):
    found = re.fullmatch(r"([0-9]{3}) ?cm", text)
    if found:
        return found[1]
    found = re.fullmatch(r"([12])\.([0-9]{2}) m", text)
    if found:
        return found[1] + found[2]
    found = re.fullmatch(r"([4-7])'([0-9]|1[01])\"", text)
    if found:
        inches = int(found[1]) * 12 + int(found[2])
        return str(round(inches * 2.54))
    return text


def detect(df):
    return df["height"].map(lambda v: isinstance(v, str) and _height(v) != v).astype(bool)


def height_cm(df):
    """Whole centimetres."""
    out = df.copy()
    out["height"] = [_height(v) if isinstance(v, str) else v for v in out["height"]]
    return out
