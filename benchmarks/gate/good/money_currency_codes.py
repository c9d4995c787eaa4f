# data: orders
"""Currencies as ISO codes."""
CONTRACT = {
    "modifies": ["currency"],
    "examples": [
        {"input": {"currency": "$"}, "output": {"currency": "USD"}},
        {"input": {"currency": "eur"}, "output": {"currency": "EUR"}},
        {"input": {"currency": "£"}, "output": {"currency": "GBP"}},
    ],
}
_CODES = {"$": "USD", "usd": "USD", "€": "EUR", "eur": "EUR", "£": "GBP", "gbp": "GBP"}


def detect(df):
    return df["currency"].isin(_CODES.keys())


def currency_codes(df):
    """Signs and lower case to codes."""
    out = df.copy()
    out["currency"] = out["currency"].replace(_CODES)
    return out
