# data: places
"""Area units are spelled in four ways."""
CONTRACT = {
    "modifies": ["area"],
    "examples": [
        {"input": {"area": "6185 sqft"}, "output": {"area": "6185 ft²"}},
        {"input": {"area": "27 m2"}, "output": {"area": "27 m²"}},
    ],
}
_UNITS = {"sq ft": "ft²", "sqft": "ft²", "m2": "m²"}


def detect(df):
    return df["area"].str.contains(r"^[0-9]+ (?:sq ft|sqft|m2)$", na=False)


def area_units(df):
    """ft² and m²."""
    out = df.copy()
    parts = out["area"].str.extract(r"^([0-9]+) (sq ft|sqft|m2)$")
    out["area"] = (parts[0] + " " + parts[1].map(_UNITS)).fillna(out["area"])
    return out
