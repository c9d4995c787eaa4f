# data: products
"""Volumes say ounces in several ways."""
CONTRACT = {
    "modifies": ["volume"],
    "examples": [
        {"input": {"volume": "12.0 oz."}, "output": {"volume": "12"}},
        {"input": {"volume": "77 ounce"}, "output": {"volume": "77"}},
        {"input": {"volume": "12 oz"}, "output": {"volume": "12"}},
    ],
}
_OZ = r"^([0-9]+)(?:\.0+)?\s*(?:oz\.?|ounces?)$"


def detect(df):
    return df["volume"].str.contains(_OZ, regex=True, na=False)


def ounces(df):
    """The number of ounces."""
    out = df.copy()
    out["volume"] = out["volume"].str.replace(_OZ, r"\1", regex=True)
    return out
