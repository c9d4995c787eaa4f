# data: events
"""Guest and nobody are no users."""
CONTRACT = {
    "modifies": ["user"],
    "examples": [
        {"input": {"user": "GUEST"}, "output": {"user": None}},
        {"input": {"user": "nobody"}, "output": {"user": None}},
        {"input": {"user": "guest"}, "output": {"user": None}},
    ],
}


def detect(df):
    return df["user"].str.lower().isin(["guest", "nobody"])


def no_placeholder_users(df):
    """Null for placeholder accounts."""
    out = df.copy()
    out.loc[detect(out), "user"] = None
    return out
