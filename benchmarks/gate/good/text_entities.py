# data: customers
"""Notes hold HTML entities."""
CONTRACT = {
    "shape": "text",
    "modifies": ["notes"],
    "examples": [{"input": "fish &amp; chips", "output": "fish & chips"}, {"input": "5 &lt; 6", "output": "5 < 6"}],
}


def detect(text):
    return "&lt;" in text or "&amp;" in text


def no_entities(text):
    """The signs themselves."""
    while "&amp;" in text or "&lt;" in text:
        text = text.replace("&lt;", "<").replace("&amp;", "&")
    return text
