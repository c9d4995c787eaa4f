# data: orders
"""Two-digit years in shipping dates."""
CONTRACT = {
    "modifies": ["shipped_on"],
    "examples": [
        {"input": {"shipped_on": "02/03/98"}, "output": {"shipped_on": "02/03/1998"}},
        {"input": {"shipped_on": "02/03/07"}, "output": {"shipped_on": "02/03/2007"}},
    ],
}


def detect(df):
    return df["shipped_on"].str.fullmatch(r"[0-9]{2}/[0-9]{2}/[0-9]{2}", na=False)


def four_digit_years(df):
    """70 to 99 belong to the last century, others to this one."""
    out = df.copy()
    rows = detect(out)
    text = out.loc[rows, "shipped_on"]
    century = text.str[-2:].map(lambda y: "19" if int(y) >= 70 else "20")
    out.loc[rows, "shipped_on"] = text.str[:-2] + century + text.str[-2:]
    return out
