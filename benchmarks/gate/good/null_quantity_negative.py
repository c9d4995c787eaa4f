# data: orders
"""-1 stands for an unknown quantity."""
CONTRACT = {"modifies": ["quantity"], "examples": [{"input": {"quantity": -1}, "output": {"quantity": None}}]}


def detect(df):
    return (df["quantity"] == -1).fillna(False).astype(bool)


def quantity_unknown(df):
    """-1 to null."""
    return df.assign(quantity=df["quantity"].where(~detect(df)))
