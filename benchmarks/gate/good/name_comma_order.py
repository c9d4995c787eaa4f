# data: customers
"""Some names are written last name first."""
CONTRACT = {
    "modifies": ["full_name"],
    "examples": [
        {"input": {"full_name": "Hopper, Grace"}, "output": {"full_name": "Grace Hopper"}},
        {"input": {"full_name": "Alan Turing"}, "output": {"full_name": "Alan Turing"}},
    ],
}


def _first_last(value):
    if not isinstance(value, str) or value.count(",") != 1:
        return value
    last, first = (part.strip() for part in value.split(","))
    if not first or not last:
        return value
    return f"{first} {last}"


def detect(df):
    return (df["full_name"].map(_first_last) != df["full_name"]) & df["full_name"].notna()


def first_name_first(df):
    """Grace Hopper, not Hopper, Grace."""
    out = df.copy()
    out["full_name"] = out["full_name"].map(_first_last)
    return out
