# data: places
"""The ZIP code is part of the address; it is wanted as a column."""
CONTRACT = {
    "modifies": [],
    "adds": ["zip"],
    "examples": [{"input": {"address": "1 Main St, Lima, 91659"}, "output": {"zip": "91659"}}],
}


def zip_of_address(df):
    """The last five digits."""
    out = df.copy()
    out["zip"] = out["address"].str.extract(r"([0-9]{5})$", expand=False)
    return out
