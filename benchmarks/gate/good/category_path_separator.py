# data: products
"""Category paths use several separators."""
import re

CONTRACT = {
    "modifies": ["category"],
    "examples": [
        {"input": {"category": "Home>Kitchen"}, "output": {"category": "Home > Kitchen"}},
        {"input": {"category": "home / kitchen"}, "output": {"category": "Home > Kitchen"}},
        {"input": {"category": "garden "}, "output": {"category": "Garden"}},
    ],
}


def _path(text):
    parts = [part.strip() for part in re.split(r"[>/]", text)]
    return " > ".join(part[:1].upper() + part[1:] for part in parts)


def detect(df):
    return df["category"].map(lambda c: isinstance(c, str) and _path(c) != c).astype(bool)


def category_paths(df):
    """A > B."""
    out = df.copy()
    known = out["category"].notna()
    out.loc[known, "category"] = out.loc[known, "category"].map(_path)
    return out
