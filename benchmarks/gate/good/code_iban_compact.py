# data: staff
"""IBANs without blanks, upper case."""
CONTRACT = {
    "modifies": ["iban"],
    "examples": [
        {"input": {"iban": "DE82 5769 4981 2809 3979 34"}, "output": {"iban": "DE82576949812809397934"}},
        {"input": {"iban": "de82576949812809397934"}, "output": {"iban": "DE82576949812809397934"}},
    ],
}


def _compact(value):
    if not isinstance(value, str):
        return value
    text = "".join(value.split()).upper()
    return text if len(text) == 22 and text[:2].isalpha() and text[2:].isdigit() else value


def detect(df):
    return df["iban"].map(lambda v: isinstance(v, str) and _compact(v) != v).astype(bool)


def compact_iban(df):
    """The machine's form."""
    out = df.copy()
    out["iban"] = out["iban"].map(_compact)
    return out
