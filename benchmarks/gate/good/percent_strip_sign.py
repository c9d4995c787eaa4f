# data: orders
"""Discounts as bare numbers."""
CONTRACT = {"modifies": ["discount"]}


def discount_numbers(df):
    """Drop the percent sign or word."""
    out = df.copy()
    out["discount"] = out["discount"].str.replace(r"^([0-9.]+)\s*(?:%|percent)$", r"\1", regex=True)
    return out
