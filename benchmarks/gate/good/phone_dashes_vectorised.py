# data: customers
"""Phone numbers as 555-123-4567."""
CONTRACT = {
    "modifies": ["phone"],
    "examples": [
        {"input": {"phone": "(555) 123-4567"}, "output": {"phone": "555-123-4567"}},
        {"input": {"phone": "5551234567"}, "output": {"phone": "555-123-4567"}},
    ],
}


def phone_dashes(df):
    """Three groups with dashes."""
    out = df.copy()
    digits = out["phone"].str.replace(r"[^0-9]", "", regex=True).str.replace(r"^1([0-9]{10})$", r"\1", regex=True)
    ok = digits.str.fullmatch(r"[0-9]{10}", na=False)
    shaped = digits.str[:3] + "-" + digits.str[3:6] + "-" + digits.str[6:]
    out["phone"] = out["phone"].mask(ok, shaped)
    return out
