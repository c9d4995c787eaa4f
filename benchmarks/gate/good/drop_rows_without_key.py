# data: papers
"""Papers without a title are of no use."""
CONTRACT = {"modifies": [], "drops_rows": True}


def detect(df):
    return df["title"].isna()


def drop_untitled(df):
    """Keep rows with a title."""
    return df[df["title"].notna()]
