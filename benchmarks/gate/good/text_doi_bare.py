# data: articles
"""DOIs carry prefixes."""
import re

CONTRACT = {"shape": "text", "modifies": ["doi"]}
_PREFIX = re.compile(r"(?:https://doi\.org/|doi:)+(?=10\.)")


def detect(text):
    return _PREFIX.match(text) is not None


def bare_doi(text):
    """10.1234/x alone."""
    return _PREFIX.sub("", text, count=1) if detect(text) else text
