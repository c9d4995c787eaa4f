# data: products
"""-999 means that nobody counted."""
import pandas as pd

CONTRACT = {"modifies": ["stock"]}


def stock_sentinel(df):
    """-999 to null."""
    out = df.copy()
    out["stock"] = [None if (not pd.isna(v) and v == -999) else v for v in df["stock"]]
    out["stock"] = out["stock"].astype("Int64")
    return out
