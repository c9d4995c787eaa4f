# data: papers
"""Abstracts repeat the word abstract."""
CONTRACT = {
    "modifies": ["abstract"],
    "examples": [
        {"input": {"abstract": "ABSTRACT desk chair"}, "output": {"abstract": "desk chair"}},
        {"input": {"abstract": "Abstract: desk chair"}, "output": {"abstract": "desk chair"}},
    ],
}
_LABEL = r"^(?:\s*abstract\b[:\s]*)+"


def detect(df):
    return df["abstract"].str.match(_LABEL, case=False, na=False)


def unlabelled_abstracts(df):
    """Without the label."""
    out = df.copy()
    out["abstract"] = out["abstract"].str.replace(_LABEL, "", case=False, regex=True)
    return out
