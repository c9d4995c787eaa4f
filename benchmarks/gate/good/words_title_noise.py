# data: products
"""Product titles shout."""
import re

CONTRACT = {
    "modifies": ["title"],
    "examples": [
        {"input": {"title": "NEW: lamp towel"}, "output": {"title": "lamp towel"}},
        {"input": {"title": "lamp towel!!!"}, "output": {"title": "lamp towel"}},
        {"input": {"title": "  lamp towel..."}, "output": {"title": "lamp towel"}},
    ],
}


def _quiet(text):
    text = re.sub(r"^\s*(?:NEW:\s*)*", "", text)
    return re.sub(r"[!.\s]+$", "", text)


def detect(df):
    return df["title"].map(lambda v: isinstance(v, str) and v != _quiet(v) and bool(_quiet(v))).astype(bool)


def quiet_titles(df):
    """No prefix, no exclamation marks."""
    out = df.copy()
    rows = detect(out)
    out.loc[rows, "title"] = out.loc[rows, "title"].map(_quiet)
    return out
