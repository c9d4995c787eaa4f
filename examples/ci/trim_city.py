"""City names carry stray blanks."""

import pandas as pd

CONTRACT = {
    "shape": "table",
    "modifies": ["city"],
    "examples": [{"input": {"city": " Bonn"}, "output": {"city": "Bonn"}}],
}


def detect(df: pd.DataFrame) -> pd.Series:
    """Blanks at either end."""
    return df["city"].str.strip() != df["city"]


def trim_city(df: pd.DataFrame) -> pd.DataFrame:
    """Strip leading and trailing blanks from city."""
    out = df.copy()
    out["city"] = out["city"].str.strip()
    return out
