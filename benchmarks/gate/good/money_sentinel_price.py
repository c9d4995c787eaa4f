# data: orders
"""-99 stands for an unknown price, and zero is not negative."""
import numpy as np

CONTRACT = {"modifies": ["unit_price"], "examples": [{"input": {"unit_price": -99.0}, "output": {"unit_price": None}}]}


def detect(df):
    return df["unit_price"].eq(-99.0)


def price_sentinel(df):
    """-99 to null."""
    out = df.copy()
    out["unit_price"] = np.where(detect(out), np.nan, out["unit_price"])
    return out
