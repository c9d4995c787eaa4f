# data: customers
"""The mail domain is wanted as a column."""
CONTRACT = {
    "modifies": [],
    "adds": ["domain"],
    "examples": [
        {"input": {"email": "ada@Example.com"}, "output": {"domain": "example.com"}},
        {"input": {"email": None}, "output": {"domain": None}},
    ],
}


def mail_domain(df):
    """What stands after the @."""
    out = df.copy()
    out["domain"] = out["email"].str.extract(r"@([A-Za-z0-9.-]+)\s*$", expand=False).str.lower()
    return out
