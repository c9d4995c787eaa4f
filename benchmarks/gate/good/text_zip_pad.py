# data: customers
"""ZIP codes lost their leading zeros."""
import re

CONTRACT = {
    "shape": "text",
    "modifies": ["zip"],
    "examples": [{"input": "501", "output": "00501"}, {"input": "12345-6789", "output": "12345-6789"}],
}


def detect(text):
    return re.fullmatch(r"[0-9]{3,4}", text) is not None


def pad_zip(text):
    """Five digits."""
    return text.zfill(5) if detect(text) else text
