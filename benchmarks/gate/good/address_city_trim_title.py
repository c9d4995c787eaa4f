# data: places
"""City names."""
CONTRACT = {
    "modifies": ["city"],
    "examples": [
        {"input": {"city": "  new york "}, "output": {"city": "New York"}},
        {"input": {"city": "SÃO paulo"}, "output": {"city": "São Paulo"}},
    ],
}


def detect(df):
    return df["city"].notna() & df["city"].ne(df["city"].str.strip().str.title())


def city_names(df):
    """Trimmed title case."""
    out = df.copy()
    out["city"] = out["city"].str.strip().str.title()
    return out
