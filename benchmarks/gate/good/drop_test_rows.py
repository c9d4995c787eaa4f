# data: customers
"""Rows with impossible ages are test rows."""
CONTRACT = {"modifies": [], "drops_rows": True}


def detect(df):
    return df["age"].isin([999, -1])


def drop_test_customers(df):
    """No test rows."""
    return df.loc[~detect(df)].copy()
