# data: staff
"""Skills: stray blanks and case twins."""
CONTRACT = {
    "modifies": ["skills"],
    "examples": [{"input": {"skills": "SQL , R , sql"}, "output": {"skills": "sql,r"}}],
}


def _skills(text):
    seen = []
    for item in text.split(","):
        item = item.strip().lower()
        if item and item not in seen:
            seen.append(item)
    return ",".join(seen)


def detect(df):
    return df["skills"].map(lambda v: isinstance(v, str) and _skills(v) != v and _skills(v) != "").astype(bool)


def skill_lists(df):
    """Lower case, no repeats, first one first."""
    out = df.copy()
    rows = detect(out)
    out.loc[rows, "skills"] = out.loc[rows, "skills"].map(_skills)
    return out
