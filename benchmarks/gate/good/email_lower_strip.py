# data: customers
"""E-mail addresses in one case."""
CONTRACT = {
    "modifies": ["email"],
    "examples": [{"input": {"email": " Ada.1@Example.COM "}, "output": {"email": "ada.1@example.com"}}],
}


def detect(df):
    return df["email"].str.strip().str.lower().ne(df["email"]) & df["email"].notna()


def lower_emails(df):
    """Lower case without blanks."""
    out = df.copy()
    out["email"] = out["email"].str.strip().str.lower()
    return out
