# data: orders
"""The amount's currency goes to a column of its own."""
CONTRACT = {"modifies": [], "adds": ["amount_currency"]}


def amount_currency(df):
    """USD where the amount says so."""
    out = df.copy()
    says = out["amount"].str.contains(r"\$|USD", na=False)
    out["amount_currency"] = says.map({True: "USD", False: None})
    return out
