# data: events
"""Messages carry markup and line ends."""
import re

CONTRACT = {
    "modifies": ["message"],
    "examples": [
        {"input": {"message": "<b>lamp desk</b>"}, "output": {"message": "lamp desk"}},
        {"input": {"message": "mug <br/>"}, "output": {"message": "mug"}},
    ],
}
_TAG = re.compile(r"</?(?:b|i|br)\s*/?>", re.I)


def _plain(value):
    if not isinstance(value, str):
        return value
    while _TAG.search(value):
        value = _TAG.sub("", value)
    return value.strip()


def detect(df):
    return df["message"].map(lambda v: isinstance(v, str) and _plain(v) != v).astype(bool)


def plain_messages(df):
    """Text only."""
    out = df.copy()
    out["message"] = out["message"].map(_plain)
    return out
