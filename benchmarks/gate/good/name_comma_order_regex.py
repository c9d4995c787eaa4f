# data: customers
"""Last, First becomes First Last, vectorised."""
CONTRACT = {"modifies": ["full_name"]}
_COMMA = r"^\s*([^,\s][^,]*?)\s*,\s*([^,\s][^,]*?)\s*$"


def detect(df):
    return df["full_name"].str.match(_COMMA, na=False)


def natural_order(df):
    """Swap around the comma."""
    out = df.copy()
    out["full_name"] = out["full_name"].str.replace(_COMMA, r"\2 \1", regex=True)
    return out
