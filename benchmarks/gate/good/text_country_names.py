# data: customers
"""Countries are written as codes and in other languages."""
CONTRACT = {
    "shape": "text",
    "modifies": ["country"],
    "examples": [
        {"input": "DE", "output": "Germany"},
        {"input": "Deutschland", "output": "Germany"},
        {"input": "FR", "output": "France"},
        {"input": "ES", "output": "Spain"},
        {"input": "IT", "output": "Italy"},
        {"input": "U.S.A.", "output": "United States"},
        {"input": "USA", "output": "United States"},
    ],
}
_NAMES = {
    "de": "Germany",
    "deutschland": "Germany",
    "germany": "Germany",
    "fr": "France",
    "france": "France",
    "es": "Spain",
    "it": "Italy",
    "usa": "United States",
    "u.s.a.": "United States",
}


def detect(text):
    return _NAMES.get(text.lower(), text) != text


def country_name(text):
    """English names."""
    return _NAMES.get(text.lower(), text)
