# data: staff
"""Weekly hours with decimal commas and units."""
CONTRACT = {
    "modifies": ["hours"],
    "examples": [
        {"input": {"hours": "36,5"}, "output": {"hours": "36.5"}},
        {"input": {"hours": "40 hrs"}, "output": {"hours": "40"}},
    ],
}


def detect(df):
    return df["hours"].str.fullmatch(r"[0-9]+,[0-9]|[0-9]+ hrs", na=False)


def hours_plain(df):
    """Decimal points, no unit."""
    out = df.copy()
    hit = detect(df)
    out["hours"] = out["hours"].mask(hit, out["hours"].str.replace(",", ".").str.replace(" hrs", ""))
    return out
