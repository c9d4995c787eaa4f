# data: papers
"""Open access as yes and no; other words stay."""
CONTRACT = {
    "modifies": ["open_access"],
    "examples": [
        {"input": {"open_access": "Y"}, "output": {"open_access": "yes"}},
        {"input": {"open_access": "No"}, "output": {"open_access": "no"}},
        {"input": {"open_access": "gold"}, "output": {"open_access": "gold"}},
    ],
}


def detect(df):
    return df["open_access"].isin(["Yes", "Y", "No", "N"])


def open_access_words(df):
    """Yes, Y, No and N."""
    return df.assign(open_access=df["open_access"].replace(["Yes", "Y"], "yes").replace(["No", "N"], "no"))
