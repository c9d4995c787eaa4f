# data: customers
"""Accents are written in two ways."""
import unicodedata

CONTRACT = {"modifies": ["notes"], "examples": [{"input": {"notes": "cafe\u0301"}, "output": {"notes": "caf\u00e9"}}]}


def detect(df):
    return df["notes"].map(lambda v: isinstance(v, str) and not unicodedata.is_normalized("NFC", v)).astype(bool)


def compose_accents(df):
    """Unicode NFC."""
    out = df.copy()
    out["notes"] = out["notes"].str.normalize("NFC")
    return out
