# data: places
"""A comma before the ZIP code is missing at times."""
CONTRACT = {
    "modifies": ["address"],
    "examples": [{"input": {"address": "1 Maple St, São Paulo 94212"}, "output": {"address": "1 Maple St, São Paulo, 94212"}}],
}


def detect(df):
    return df["address"].str.contains(r"[^, ] [0-9]{5}$", na=False)


def comma_before_zip(df):
    """City, comma, ZIP."""
    out = df.copy()
    out["address"] = out["address"].str.replace(r"([^, ]) ([0-9]{5})$", r"\1, \2", regex=True)
    return out
