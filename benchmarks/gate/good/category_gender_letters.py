# data: customers
"""Gender as M and F."""
CONTRACT = {
    "modifies": ["gender"],
    "examples": [
        {"input": {"gender": "male"}, "output": {"gender": "M"}},
        {"input": {"gender": "FEMALE"}, "output": {"gender": "F"}},
    ],
}


def detect(df):
    return df["gender"].str.fullmatch(r"m|f|male|female", case=False, na=False) & ~df["gender"].isin(["M", "F"])


def gender_letters(df):
    """The first letter, upper case."""
    out = df.copy()
    rows = detect(df)
    out["gender"] = out["gender"].where(~rows, out["gender"].str[0].str.upper())
    return out
