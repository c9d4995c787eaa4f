# data: papers
"""Journals have several titles."""
CONTRACT = {
    "modifies": ["journal"],
    "examples": [
        {"input": {"journal": "J. Data"}, "output": {"journal": "Journal of Data"}},
        {"input": {"journal": "NATURE"}, "output": {"journal": "Nature"}},
        {"input": {"journal": "Proc. VLDB"}, "output": {"journal": "PVLDB"}},
    ],
}
_TITLES = {
    "J. Data": "Journal of Data",
    "J Data": "Journal of Data",
    "NATURE": "Nature",
    "nature": "Nature",
    "Proc. VLDB": "PVLDB",
}


def detect(df):
    return df["journal"].isin(set(_TITLES))


def journal_titles(df):
    """The full title, once."""
    out = df.copy()
    out["journal"] = [_TITLES[j] if j in _TITLES else j for j in out["journal"]]
    return out
