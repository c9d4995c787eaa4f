# data: products
"""EAN codes as 13 digits."""
CONTRACT = {"modifies": ["ean"], "examples": [{"input": {"ean": "8 921986 124021"}, "output": {"ean": "8921986124021"}}]}


def detect(df):
    return df["ean"].str.contains(r"^[0-9][ -][0-9]{6}[ -][0-9]{6}$", na=False)


def ean_digits(df):
    """Digits only."""
    out = df.copy()
    rows = detect(out)
    out.loc[rows, "ean"] = out.loc[rows, "ean"].str.replace(r"[ -]", "", regex=True)
    return out
