# data: places
"""Opening years are hedged."""
CONTRACT = {
    "modifies": ["opened"],
    "examples": [
        {"input": {"opened": "c. 1985"}, "output": {"opened": "1985"}},
        {"input": {"opened": "1907?"}, "output": {"opened": "1907"}},
    ],
}


def detect(df):
    return df["opened"].str.fullmatch(r"c\. [0-9]{4}|[0-9]{4}\?", na=False)


def opening_years(df):
    """The year without hedges."""
    out = df.copy()
    out["opened"] = out["opened"].mask(detect(out), out["opened"].str.extract(r"([0-9]{4})", expand=False))
    return out
