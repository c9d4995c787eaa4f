# data: papers
"""Authors are separated in four ways."""
CONTRACT = {
    "modifies": ["authors"],
    "examples": [
        {"input": {"authors": "Tim Dijkstra and Ken Liskov"}, "output": {"authors": "Tim Dijkstra; Ken Liskov"}},
        {"input": {"authors": "Ada Lovelace;Alan Turing"}, "output": {"authors": "Ada Lovelace; Alan Turing"}},
        {"input": {"authors": "A B & C D"}, "output": {"authors": "A B; C D"}},
    ],
}
_ANY = r"(?:\s*;\s*|\s+and\s+|\s+&\s+)+"


def detect(df):
    return df["authors"].map(lambda v: isinstance(v, str)).astype(bool) & (
        df["authors"].str.replace(_ANY, "; ", regex=True) != df["authors"]
    )


def author_lists(df):
    """Semicolon and blank."""
    out = df.copy()
    out["authors"] = out["authors"].str.replace(_ANY, "; ", regex=True)
    return out
