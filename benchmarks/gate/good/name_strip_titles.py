# data: staff
"""Academic titles and suffixes do not belong into names."""
import re

CONTRACT = {
    "modifies": ["titled"],
    "examples": [
        {"input": {"titled": "Dr. Zoë García"}, "output": {"titled": "Zoë García"}},
        {"input": {"titled": "Ken Thompson, PhD"}, "output": {"titled": "Ken Thompson"}},
        {"input": {"titled": "Tim Smith-Jones Jr."}, "output": {"titled": "Tim Smith-Jones"}},
    ],
}
_FRONT = re.compile(r"^(?:(?:Dr|Mr|Mrs|Ms)\.? )+")
_BACK = re.compile(r"(?:,? (?:Jr\.|PhD))+$")


def _bare(name):
    return _BACK.sub("", _FRONT.sub("", name))


def detect(df):
    return df["titled"].map(lambda v: isinstance(v, str) and _bare(v) != v).astype(bool)


def names_without_titles(df):
    """The bare name."""
    out = df.copy()
    out["titled"] = out["titled"].map(lambda v: _bare(v) if isinstance(v, str) else v)
    return out
