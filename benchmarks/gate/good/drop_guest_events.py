# data: events
"""Events of guests are noise."""
CONTRACT = {"modifies": [], "drops_rows": True}


def detect(df):
    return df["user"].fillna("").str.lower().eq("guest")


def drop_guests(df):
    """Everyone but guests."""
    return df[~detect(df)]
