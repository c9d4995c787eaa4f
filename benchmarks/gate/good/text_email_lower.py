# data: customers
"""Addresses are in several cases and carry blanks."""
CONTRACT = {"shape": "text", "modifies": ["email"]}


def detect(text):
    return text != text.strip().casefold().strip()


def lower_email(text):
    """Lower case, stripped."""
    return text.strip().casefold().strip()
