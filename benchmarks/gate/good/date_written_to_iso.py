# data: papers
"""Publication dates are written in English."""
import pandas as pd

CONTRACT = {
    "modifies": ["published"],
    "examples": [
        {"input": {"published": "January 15, 2003"}, "output": {"published": "2003-01-15"}},
        {"input": {"published": "12 Nov 1997"}, "output": {"published": "1997-11-12"}},
    ],
}


def _dates(column):
    made = pd.Series(pd.NaT, index=column.index, dtype="datetime64[ns]")
    for fmt in ("%B %d, %Y", "%b %d, %Y", "%d %b %Y"):
        made = made.fillna(pd.to_datetime(column, format=fmt, errors="coerce"))
    return made


def detect(df):
    return _dates(df["published"]).notna()


def publication_dates(df):
    """English dates to ISO 8601."""
    out = df.copy()
    when = _dates(out["published"])
    out["published"] = out["published"].mask(when.notna(), when.dt.strftime("%Y-%m-%d"))
    return out
