# data: customers
"""Fax numbers as ten digits where nothing else is in them."""
import numpy as np

CONTRACT = {"modifies": ["fax"], "examples": [{"input": {"fax": "555-123-4567"}, "output": {"fax": "5551234567"}}]}


def detect(df):
    return df["fax"].str.match(r"^[0-9]{3}-[0-9]{3}-[0-9]{4}$", na=False).to_numpy()


def fax_digits(df):
    """Drop the dashes."""
    out = df.copy()
    out["fax"] = np.where(detect(df), df["fax"].str.replace("-", "", regex=False), df["fax"])
    out["fax"] = out["fax"].astype(df["fax"].dtype)
    return out
