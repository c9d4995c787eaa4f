# data: customers
"""Names carry stray blanks."""
CONTRACT = {
    "shape": "text",
    "modifies": ["name", "full_name"],
    "examples": [{"input": " Ada  Lovelace\t", "output": "Ada Lovelace"}, {"input": "O'Neil", "output": "O'Neil"}],
}


def _single(text):
    return " ".join(text.split())


def detect(text):
    return _single(text) != text


def single_blanks(text):
    """One blank between words and none around them."""
    return _single(text)
