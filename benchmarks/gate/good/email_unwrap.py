# data: customers
"""Contacts are wrapped in mailto: and angle brackets."""
CONTRACT = {
    "modifies": ["contact"],
    "examples": [
        {"input": {"contact": "mailto:ada@example.com"}, "output": {"contact": "ada@example.com"}},
        {"input": {"contact": "<ada@example.com>"}, "output": {"contact": "ada@example.com"}},
    ],
}


def _address(value):
    if not isinstance(value, str):
        return value
    text = value
    if text.startswith("<") and text.endswith(">"):
        text = text[1:-1]
    if text.startswith("mailto:"):
        text = text[len("mailto:"):]
    return text if text.count("@") == 1 and not set("<>: ") & set(text) else value


def detect(df):
    return df["contact"].map(lambda v: isinstance(v, str) and _address(v) != v).astype(bool)


def bare_contacts(df):
    """The bare address."""
    return df.assign(contact=df["contact"].map(_address))
