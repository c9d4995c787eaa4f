"""City names carry stray blanks."""
CONTRACT = {"shape": "table", "modifies": ["city"]}
def detect(df):
    return df["city"].str.strip() != df["city"]
def trim_city(df):
    """Strip leading and trailing blanks from city."""
    out = df.copy()
    out["city"] = out["city"].str.strip()
    return out
