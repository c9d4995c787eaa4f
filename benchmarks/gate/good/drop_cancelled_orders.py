# data: orders
"""Cancelled orders do not count."""
CONTRACT = {"drops_rows": True, "modifies": []}


def drop_cancelled(df):
    """Keep what was not cancelled."""
    gone = df["status"].str.strip().str.lower().isin(["cancelled", "canceled"])
    return df[~gone].reset_index(drop=True)
