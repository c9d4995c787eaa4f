# data: orders
"""Dollar amounts to plain decimals, in one chain."""
CONTRACT = {
    "modifies": ["amount"],
    "examples": [{"input": {"amount": "$ 1,234,567.89"}, "output": {"amount": "1234567.89"}}],
}
_MONEY = r"^(?:\$ ?|USD )?[0-9]{1,3}(?:,[0-9]{3})*\.[0-9]{2}(?: USD)?$"


def detect(df):
    return df["amount"].str.contains(_MONEY, na=False) & df["amount"].str.contains(r"[$,A-Z ]", na=False)


def strip_dollars(df):
    """No sign, no code, no commas."""
    rows = detect(df)
    bare = df["amount"].str.replace(r"[$,]|USD| ", "", regex=True)
    return df.assign(amount=df["amount"].where(~rows, bare))
