# data: orders
"""Placeholder dates of the old system."""
import datetime

CONTRACT = {"modifies": ["placed"]}
_LIMIT = datetime.date(2022, 3, 1)


def detect(df):
    return df["placed"].map(lambda d: isinstance(d, datetime.date) and d >= _LIMIT).astype(bool)


def placed_not_after_migration(df):
    """Orders were not placed after the migration."""
    out = df.copy()
    out["placed"] = [None if isinstance(d, datetime.date) and d >= _LIMIT else d for d in out["placed"]]
    return out
