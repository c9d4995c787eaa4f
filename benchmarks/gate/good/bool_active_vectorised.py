# data: staff
"""Active flags in one spelling."""
CONTRACT = {"modifies": ["active"]}


def detect(df):
    return df["active"].isin(["T", "F", "t", "f", "TRUE", "FALSE"])


def active_flags(df):
    """true and false."""
    out = df.copy()
    first = out["active"].str[0].str.lower()
    rows = detect(out)
    out.loc[rows & (first == "t"), "active"] = "true"
    out.loc[rows & (first == "f"), "active"] = "false"
    return out
