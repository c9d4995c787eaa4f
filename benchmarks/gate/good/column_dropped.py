# data: customers
"""Gender is not ours to keep."""
CONTRACT = {"modifies": [], "drops": ["gender"]}


def drop_gender(df):
    """Without gender."""
    return df.drop(columns=["gender"], errors="ignore")
