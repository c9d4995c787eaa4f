# data: events
"""Host names in lower case."""
CONTRACT = {"modifies": ["host"]}


def lower_hosts(df):
    """Lower case without blanks."""
    out = df.copy()
    out["host"] = out["host"].apply(lambda h: h.strip().lower() if isinstance(h, str) else h)
    return out
