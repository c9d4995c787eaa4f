# data: customers
"""999 and -1 stand for an unknown age."""
CONTRACT = {
    "modifies": ["age"],
    "examples": [{"input": {"age": 999}, "output": {"age": None}}, {"input": {"age": 44}, "output": {"age": 44}}],
}


def detect(df):
    return ((df["age"] < 0) | (df["age"] > 130)).fillna(False).astype(bool)


def age_sentinels(df):
    """Impossible ages to null."""
    out = df.copy()
    out["age"] = out["age"].mask(detect(df))
    return out
