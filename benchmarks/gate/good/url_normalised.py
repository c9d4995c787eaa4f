# data: events
"""URLs miss a scheme, shout and carry trackers."""
import re

CONTRACT = {
    "modifies": ["url"],
    "examples": [
        {"input": {"url": "Example.org/p/1"}, "output": {"url": "https://example.org/p/1"}},
        {"input": {"url": "https://example.com/p/1?utm_source=mail"}, "output": {"url": "https://example.com/p/1"}},
        {"input": {"url": "HTTPS://example.com/p/1/"}, "output": {"url": "https://example.com/p/1"}},
        {"input": {"url": "http://example.com/p/1"}, "output": {"url": "https://example.com/p/1"}},
    ],
}
_URL = re.compile(r"(?:https?://)?([a-z0-9.-]+\.[a-z]{2,})(/[^?\s]*?)/?(?:\?utm_[a-z]+=\w+)?", re.I | re.A)


def _url(value):
    if not isinstance(value, str):
        return value
    match = _URL.fullmatch(value)
    if not match:
        return value
    return "https://" + match.group(1).lower() + match.group(2).rstrip("/")


def detect(df):
    return df["url"].map(lambda v: isinstance(v, str) and _url(v) != v).astype(bool)


def plain_urls(df):
    """https, lower-case host, no tracker."""
    out = df.copy()
    out["url"] = out["url"].map(_url)
    return out
