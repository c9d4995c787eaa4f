# data: customers
"""Country spellings."""
_NAMES = {
    "germany": "Germany", "de": "Germany", "deutschland": "Germany",
    "france": "France", "fr": "France",
    "es": "Spain", "spain": "Spain",
    "it": "Italy", "italy": "Italy",
    "usa": "United States", "u.s.a.": "United States", "united states": "United States",
}
CONTRACT = {
    "modifies": ["country"],
    "examples": [
        {"input": {"country": "DE"}, "output": {"country": "Germany"}},
        {"input": {"country": "Deutschland"}, "output": {"country": "Germany"}},
        {"input": {"country": "U.S.A."}, "output": {"country": "United States"}},
        {"input": {"country": "france"}, "output": {"country": "France"}},
    ],
}


def _country(value):
    return _NAMES.get(value.casefold(), value) if isinstance(value, str) else value


def detect(df):
    return (df["country"].map(_country) != df["country"]) & ~df["country"].isna()


def country_names(df):
    """English names."""
    out = df.copy()
    out["country"] = out["country"].map(_country)
    return out
