# data: products
"""Ratings repeat the scale."""
CONTRACT = {
    "modifies": ["rating"],
    "examples": [
        {"input": {"rating": "4.5/5"}, "output": {"rating": "4.5"}},
        {"input": {"rating": "3.0 stars"}, "output": {"rating": "3.0"}},
        {"input": {"rating": "1.0 / 5"}, "output": {"rating": "1.0"}},
    ],
}


def detect(df):
    return df["rating"].str.contains(r"^[0-5]\.[0-9](?: ?/ ?5| stars)$", na=False)


def bare_ratings(df):
    """Only the number."""
    out = df.copy()
    out["rating"] = out["rating"].str.replace(r"^([0-5]\.[0-9])(?: ?/ ?5| stars)$", r"\1", regex=True)
    return out
