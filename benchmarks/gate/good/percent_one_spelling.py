# data: orders
"""Discounts spell percent in three ways."""
CONTRACT = {
    "modifies": ["discount"],
    "examples": [
        {"input": {"discount": "5 percent"}, "output": {"discount": "5%"}},
        {"input": {"discount": "12.5 %"}, "output": {"discount": "12.5%"}},
    ],
}
_PERCENT = r"^([0-9]+(?:\.[0-9]+)?) ?(?:%|percent)$"


def detect(df):
    col = df["discount"]
    return col.str.match(_PERCENT, na=False) & ~col.str.match(r"^[0-9]+(?:\.[0-9]+)?%$", na=False)


def percent_sign(df):
    """A number and a percent sign."""
    return df.assign(discount=df["discount"].str.replace(_PERCENT, r"\1%", regex=True))
