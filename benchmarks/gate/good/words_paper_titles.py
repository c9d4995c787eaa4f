# data: papers
"""Paper titles end in dots and stand in brackets."""
CONTRACT = {
    "modifies": ["title"],
    "examples": [
        {"input": {"title": "[Carpet vase]"}, "output": {"title": "Carpet vase"}},
        {"input": {"title": "Kettle mirror ."}, "output": {"title": "Kettle mirror"}},
    ],
}


def _strip(value):
    if not isinstance(value, str):
        return value
    text = value.strip()
    if text.startswith("[") and text.endswith("]") and len(text) > 2:
        text = text[1:-1]
    text = text.rstrip(" .")
    return text or value


def detect(df):
    return df["title"].notna() & (df["title"].map(_strip).map(_strip) != df["title"])


def paper_titles(df):
    """Bare titles."""
    out = df.copy()
    titles = out["title"]
    for _ in range(30):
        again = titles.map(_strip)
        if again.equals(titles):
            break
        titles = again
    out["title"] = titles
    return out
