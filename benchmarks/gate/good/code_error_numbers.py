# data: events
"""Error codes as E and four digits."""
CONTRACT = {
    "modifies": ["code"],
    "examples": [{"input": {"code": "42"}, "output": {"code": "E0042"}}, {"input": {"code": "E1779"}, "output": {"code": "E1779"}}],
}


def detect(df):
    return df["code"].str.fullmatch("[0-9]{1,4}", na=False)


def error_codes(df):
    """E0042."""
    out = df.copy()
    bare = detect(out)
    out.loc[bare, "code"] = "E" + out.loc[bare, "code"].str.rjust(4, "0")
    return out
