# data: customers
"""US states as two-letter codes."""
CONTRACT = {
    "modifies": ["state"],
    "examples": [
        {"input": {"state": "California"}, "output": {"state": "CA"}},
        {"input": {"state": "tx"}, "output": {"state": "TX"}},
    ],
}
_STATES = {"California": "CA", "Texas": "TX", "New York": "NY", "Ohio": "OH", "ca": "CA", "tx": "TX"}


def detect(df):
    return df["state"].isin(list(_STATES))


def state_codes(df):
    """Names and lower case to codes."""
    out = df.copy()
    out["state"] = out["state"].map(lambda s: _STATES.get(s, s))
    return out
