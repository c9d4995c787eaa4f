# data: products
"""SKUs as AA-9999."""
import re

CONTRACT = {
    "modifies": ["sku"],
    "examples": [
        {"input": {"sku": " ab 1234"}, "output": {"sku": "AB-1234"}},
        {"input": {"sku": "AB1234"}, "output": {"sku": "AB-1234"}},
        {"input": {"sku": "ab-0007"}, "output": {"sku": "AB-0007"}},
    ],
}
_SKU = re.compile(r"\s*([A-Za-z]{2})[ -]?([0-9]{4,6})\s*")


def _sku(value):
    match = _SKU.fullmatch(value) if isinstance(value, str) else None
    return f"{match.group(1).upper()}-{match.group(2)}" if match else value


def detect(df):
    return df["sku"].map(_sku).ne(df["sku"]) & df["sku"].notna()


def sku_shape(df):
    """Two letters, a dash, the number."""
    out = df.copy()
    out["sku"] = out["sku"].map(_sku)
    return out
