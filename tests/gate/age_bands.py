"""A table of ages, and a function that adds the band of each: what the tests of added columns judge."""

import pyarrow as pa

AGES = [(row * 7) % 90 for row in range(90)]
TABLE = pa.table({"id": [f"P{row}" for row in range(90)], "age": [str(age) for age in AGES]})
SOURCE = """import pandas as pd
CONTRACT = {"modifies": [], "adds": ["band"]}
def bands(df):
    'The band of each age.'
    ages = pd.to_numeric(df["age"], errors="coerce")
    return df.assign(band=[(LIMITS) if a == a else None for a in ages])
"""
