# data: papers
"""ISBNs as 13 digits."""
CONTRACT = {
    "modifies": ["isbn"],
    "examples": [
        {"input": {"isbn": "978-0114-631975"}, "output": {"isbn": "9780114631975"}},
        {"input": {"isbn": "ISBN 9783005387594"}, "output": {"isbn": "9783005387594"}},
    ],
}


def isbn_digits(df):
    """Digits only."""
    out = df.copy()
    out["isbn"] = out["isbn"].str.replace(r"^(?:ISBN )?(978)-?([0-9]{4})-?([0-9]{6})$", r"\1\2\3", regex=True)
    return out
