# data: papers
"""Page ranges with other dashes and labels."""
import re

CONTRACT = {
    "modifies": ["pages"],
    "examples": [
        {"input": {"pages": "pp. 12-19"}, "output": {"pages": "12-19"}},
        {"input": {"pages": "12\u201319"}, "output": {"pages": "12-19"}},
        {"input": {"pages": "12--19"}, "output": {"pages": "12-19"}},
    ],
}
_RANGE = re.compile(r"(?:pp\. )?([0-9]+)\s*[-\u2013]+\s*([0-9]+)")


def _range(value):
    match = _RANGE.fullmatch(value) if isinstance(value, str) else None
    return f"{match.group(1)}-{match.group(2)}" if match else value


def detect(df):
    return (df["pages"].map(_range) != df["pages"]) & df["pages"].notna()


def page_ranges(df):
    """12-19."""
    out = df.copy()
    out["pages"] = out["pages"].map(_range)
    return out
