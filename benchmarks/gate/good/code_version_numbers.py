# data: products
"""Versions without the letter."""
CONTRACT = {
    "modifies": ["version"],
    "examples": [
        {"input": {"version": "v8.1"}, "output": {"version": "8.1"}},
        {"input": {"version": "version 0.15"}, "output": {"version": "0.15"}},
    ],
}


def detect(df):
    return df["version"].str.contains(r"^(?:v|V|version )[0-9]+\.[0-9]+$", na=False)


def bare_versions(df):
    """8.1, not v8.1."""
    return df.assign(version=df["version"].str.replace(r"^(?:v|V|version )([0-9]+\.[0-9]+)$", r"\1", regex=True))
