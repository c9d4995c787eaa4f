# data: customers
"""Names in odd case and with stray blanks."""
CONTRACT = {
    "modifies": ["name"],
    "examples": [
        {"input": {"name": "  ada LOVELACE "}, "output": {"name": "Ada Lovelace"}},
        {"input": {"name": "alan o'neil"}, "output": {"name": "Alan O'Neil"}},
    ],
}


def _title(name):
    return " ".join(name.split()).title() if isinstance(name, str) else name


def detect(df):
    return df["name"].notna() & (df["name"].map(_title) != df["name"])


def title_names(df):
    """Title case, single blanks."""
    out = df.copy()
    out["name"] = out["name"].map(_title)
    return out
