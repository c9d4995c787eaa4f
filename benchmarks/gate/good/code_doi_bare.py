# data: papers
"""DOIs without resolver, lower case."""
CONTRACT = {
    "modifies": ["doi"],
    "examples": [
        {"input": {"doi": "https://doi.org/10.1000/X1"}, "output": {"doi": "10.1000/x1"}},
        {"input": {"doi": "doi:10.1000/x1"}, "output": {"doi": "10.1000/x1"}},
        {"input": {"doi": "http://dx.doi.org/10.1000/x1"}, "output": {"doi": "10.1000/x1"}},
    ],
}
_PREFIXES = ("https://doi.org/", "http://dx.doi.org/", "doi:")


def _doi(value):
    if not isinstance(value, str):
        return value
    bare = value.lower()
    for prefix in _PREFIXES:
        if bare.startswith(prefix):
            bare = bare[len(prefix):]
            break
    return bare if bare.startswith("10.") else value


def detect(df):
    return df["doi"].notna() & (df["doi"].map(_doi) != df["doi"])


def bare_doi(df):
    """10.1000/x1."""
    out = df.copy()
    out["doi"] = out["doi"].map(_doi)
    return out
