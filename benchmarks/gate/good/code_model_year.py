# data: products
"""Model years with two digits."""
CONTRACT = {
    "modifies": ["year"],
    "examples": [{"input": {"year": "'19"}, "output": {"year": "2019"}}, {"input": {"year": "19"}, "output": {"year": "2019"}}],
}


def detect(df):
    return df["year"].str.fullmatch(r"'?[0-9]{2}", na=False)


def model_years(df):
    """Four digits."""
    out = df.copy()
    hit = detect(out)
    out["year"] = out["year"].mask(hit, "20" + out["year"].str[-2:])
    return out
