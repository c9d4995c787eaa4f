# data: customers
"""ZIP codes lost their leading zeros."""
CONTRACT = {
    "modifies": ["zip"],
    "examples": [
        {"input": {"zip": "501"}, "output": {"zip": "00501"}},
        {"input": {"zip": "12345-6789"}, "output": {"zip": "12345-6789"}},
    ],
}


def detect(df):
    return df["zip"].str.fullmatch(r"[0-9]{3,4}", na=False)


def pad_zip(df):
    """Five digits."""
    out = df.copy()
    out["zip"] = out["zip"].where(~detect(out), out["zip"].str.zfill(5))
    return out
