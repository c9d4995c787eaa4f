# data: places
"""Some elevations repeat the unit of the column."""
CONTRACT = {"modifies": ["elevation"], "examples": [{"input": {"elevation": "-12m"}, "output": {"elevation": "-12"}}]}


def detect(df):
    return df["elevation"].str.fullmatch(r"-?[0-9]+ ?m", na=False)


def elevation_metres(df):
    """Numbers only."""
    out = df.copy()
    rows = detect(out)
    out.loc[rows, "elevation"] = out.loc[rows, "elevation"].str.rstrip("m").str.strip()
    return out
