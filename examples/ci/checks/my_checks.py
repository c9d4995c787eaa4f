"""A team's own acceptance checks, for `cleanroom verify --checks`: called for every function, on every sample."""

import pandas as pd


def check_order_numbers_are_unique(before: pd.DataFrame, after: pd.DataFrame) -> str | None:
    """order numbers that are as unique after as they were before"""
    lost = before["id"].nunique() - after["id"].nunique()
    return f"{lost} order numbers are gone" if lost else None


def check_no_cell_grows(before: pd.DataFrame, after: pd.DataFrame) -> str | None:
    """no text longer than before: these functions remove and replace, they add nothing"""
    for column in before.columns.intersection(after.columns):
        longer = after[column].str.len() > before.loc[after.index, column].str.len()
        if longer.any():
            return f"{int(longer.sum())} cells of {column} are longer than before"
    return None
