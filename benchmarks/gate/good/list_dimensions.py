# data: products
"""Sizes as A x B x C."""
CONTRACT = {
    "modifies": ["size"],
    "examples": [
        {"input": {"size": "20X88X15 cm"}, "output": {"size": "20 x 88 x 15"}},
        {"input": {"size": "1*2*3"}, "output": {"size": "1 x 2 x 3"}},
    ],
}
_SIZE = r"^([0-9]+)\s*[xX*]\s*([0-9]+)\s*[xX*]\s*([0-9]+)(?: cm)?$"


def detect(df):
    return df["size"].str.match(_SIZE, na=False) & ~df["size"].str.match(r"^[0-9]+ x [0-9]+ x [0-9]+$", na=False)


def dimensions(df):
    """Blanks around x, no unit."""
    out = df.copy()
    parts = df["size"].str.extract(_SIZE)
    rows = detect(df)
    out.loc[rows, "size"] = parts.loc[rows, 0] + " x " + parts.loc[rows, 1] + " x " + parts.loc[rows, 2]
    return out
