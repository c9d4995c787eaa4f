# data: orders
"""Negative balances are in brackets or have the sign at the end."""
CONTRACT = {
    "modifies": ["balance"],
    "examples": [
        {"input": {"balance": "(12.50)"}, "output": {"balance": "-12.50"}},
        {"input": {"balance": "12.50-"}, "output": {"balance": "-12.50"}},
        {"input": {"balance": "12.50"}, "output": {"balance": "12.50"}},
    ],
}
_BRACKETS = r"^\(([0-9]+\.[0-9]{2})\)$"
_TRAILING = r"^([0-9]+\.[0-9]{2})-$"


def detect(df):
    return df["balance"].str.match(_BRACKETS, na=False) | df["balance"].str.match(_TRAILING, na=False)


def leading_minus(df):
    """A minus in front."""
    out = df.copy()
    out["balance"] = (
        out["balance"].str.replace(_BRACKETS, r"-\1", regex=True).str.replace(_TRAILING, r"-\1", regex=True)
    )
    return out
