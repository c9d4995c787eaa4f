# data: places
"""Abbreviated street types, with a chain of replacements."""
CONTRACT = {
    "modifies": ["street"],
    "examples": [{"input": {"street": "703 Oak St."}, "output": {"street": "703 Oak Street"}}],
}


def long_streets(df):
    """Write street types out."""
    out = df.copy()
    out["street"] = (
        out["street"]
        .str.replace(r"\bSt\.?$|\bstreet$", "Street", regex=True)
        .str.replace(r"\bAve\.?$", "Avenue", regex=True)
        .str.replace(r"\bRd\.?$", "Road", regex=True)
    )
    return out
