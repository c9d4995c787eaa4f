# data: papers
"""ISSNs as 1234-567X."""
import re

CONTRACT = {
    "modifies": ["issn"],
    "examples": [
        {"input": {"issn": "12345678"}, "output": {"issn": "1234-5678"}},
        {"input": {"issn": "ISSN 7804-428x"}, "output": {"issn": "7804-428X"}},
    ],
}


def _issn(text):
    found = re.fullmatch(r"(?:ISSN )?([0-9]{4})-?([0-9]{3}[0-9Xx])", text)
    if not found:
        return text
    return "-".join([found.group(1), found.group(2).upper()])


def detect(df):
    return df["issn"].map(lambda v: isinstance(v, str) and _issn(v) != v).astype(bool)


def issn_shape(df):
    """Four, a dash, four."""
    out = df.copy()
    out["issn"] = [v if not isinstance(v, str) else _issn(v) for v in out["issn"]]
    return out
