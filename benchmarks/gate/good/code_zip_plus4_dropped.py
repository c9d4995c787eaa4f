# data: customers
"""Only the five-digit ZIP is wanted; the rest goes to a column of its own."""
CONTRACT = {
    "modifies": ["zip"],
    "adds": ["zip4"],
    "examples": [{"input": {"zip": "12345-6789"}, "output": {"zip": "12345", "zip4": "6789"}}],
}


def split_zip(df):
    """ZIP and +4."""
    out = df.copy()
    parts = out["zip"].str.extract(r"^([0-9]{5})-([0-9]{4})$")
    hit = parts[0].notna()
    before = out["zip4"] if "zip4" in out.columns else parts[1]
    out["zip4"] = parts[1].fillna(before)
    out["zip"] = out["zip"].mask(hit, parts[0])
    return out
