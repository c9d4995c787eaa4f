# data: staff
"""Scores of minus zero."""
CONTRACT = {"modifies": ["score"]}


def positive_zero(df):
    """-0.0 is 0.0."""
    out = df.copy()
    out["score"] = out["score"] + 0.0
    return out
