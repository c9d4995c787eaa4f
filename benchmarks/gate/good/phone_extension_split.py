# data: customers
"""Fax numbers carry extensions; the extension gets a column of its own."""
CONTRACT = {
    "modifies": ["fax"],
    "adds": ["fax_extension"],
    "examples": [
        {"input": {"fax": "555-123-4567 x12"}, "output": {"fax": "555-123-4567", "fax_extension": "12"}},
        {"input": {"fax": "555-123-4567 ext. 7"}, "output": {"fax": "555-123-4567", "fax_extension": "7"}},
        {"input": {"fax": "555-123-4567"}, "output": {"fax": "555-123-4567", "fax_extension": None}},
    ],
}
_EXT = r"\s*(?:x|ext\.?)\s*([0-9]+)\s*$"


def split_extension(df):
    """Move the extension out of fax."""
    out = df.copy()
    found = out["fax"].str.extract(_EXT, expand=False)
    if "fax_extension" in out.columns:
        found = found.fillna(out["fax_extension"])
    out["fax_extension"] = found
    out["fax"] = out["fax"].str.replace(_EXT, "", regex=True)
    return out
