# data: customers
"""Letters with accents are composed in two ways."""
import unicodedata

CONTRACT = {"shape": "text", "modifies": ["notes"]}


def composed(text):
    """NFC."""
    return unicodedata.normalize("NFC", text)
