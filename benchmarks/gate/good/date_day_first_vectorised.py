# data: orders
"""European day-first dates to ISO."""
CONTRACT = {
    "modifies": ["day_first"],
    "examples": [
        {"input": {"day_first": "25/12/2020"}, "output": {"day_first": "2020-12-25"}},
        {"input": {"day_first": "3/4/2011"}, "output": {"day_first": "2011-04-03"}},
        {"input": {"day_first": "07-11-2003"}, "output": {"day_first": "2003-11-07"}},
    ],
}
_PATTERN = r"^\s*(0?[1-9]|[12][0-9]|3[01])[/-](0?[1-9]|1[0-2])[/-]([12][0-9]{3})\s*$"


def detect(df):
    return df["day_first"].str.match(_PATTERN, na=False).astype(bool)


def day_first_to_iso(df):
    """d/m/Y and d-m-Y to Y-m-d."""
    out = df.copy()
    parts = out["day_first"].str.extract(_PATTERN)
    hit = parts[0].notna()
    iso = parts[2] + "-" + parts[1].str.zfill(2) + "-" + parts[0].str.zfill(2)
    out["day_first"] = out["day_first"].where(~hit, iso)
    return out
