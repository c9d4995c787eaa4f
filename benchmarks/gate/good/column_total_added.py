# data: orders
"""The month of the order is wanted as a number."""
CONTRACT = {"modifies": [], "adds": ["placed_month"]}


def month_column(df):
    """1 to 12."""
    out = df.copy()
    out["placed_month"] = [d.month if hasattr(d, "month") and d == d else None for d in out["placed"]]
    out["placed_month"] = out["placed_month"].astype("Int64")
    return out
