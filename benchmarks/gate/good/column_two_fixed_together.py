# data: places
"""Country code and region in upper and title case."""
CONTRACT = {
    "modifies": ["country_code", "unit"],
    "examples": [{"input": {"country_code": "fr", "unit": "#9"}, "output": {"country_code": "FR", "unit": "No. 9"}}],
}


def detect(df):
    small = df["country_code"].str.fullmatch("[A-Za-z]{2}", na=False) & ~df["country_code"].str.isupper().fillna(False).astype(bool)
    return small | df["unit"].str.match(r"#[0-9]+$", na=False)


def codes_and_units(df):
    """FR and No. 9."""
    out = df.copy()
    code = out["country_code"].str.fullmatch("[A-Za-z]{2}", na=False)
    out["country_code"] = out["country_code"].where(~code, out["country_code"].str.upper())
    out["unit"] = out["unit"].str.replace(r"^#([0-9]+)$", r"No. \1", regex=True)
    return out
