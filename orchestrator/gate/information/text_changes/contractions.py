"""English contractions and what they stand for: `can't` is `cannot`, `I'm` is `I am`. Called by equivalence.py."""

import re

_MARK = re.compile(r"['\u2019]|\bcannot\b", re.IGNORECASE)
_WRITTEN_OUT = tuple(
    (re.compile(pattern.replace("'", "['\u2019]"), re.IGNORECASE), text)
    for pattern, text in (
        (r"\bcan't\b|\bcannot\b", "can not"),
        (r"\bwon't\b", "will not"),
        (r"\bshan't\b", "shall not"),
        (r"(?<=\w)n't\b", " not"),
        (r"(?<=\bi)'m\b", " am"),
        (r"(?<=\w)'re\b", " are"),
        (r"(?<=\w)'ll\b", " will"),
        (r"(?<=\w)'ve\b", " have"),
        (r"\blet's\b", "let us"),
        (r"(?<=\bit)'s\b", " is"),
    )
)


def written_out_alike(before: str, after: str) -> bool:
    """Whether the two differ in nothing but contractions that the one, or the other, writes out."""
    return _MARK.search(before + after) is not None and _written_out(before) == _written_out(after)


def _written_out(text: str) -> str:
    for contraction, words in _WRITTEN_OUT:
        text = contraction.sub(words, text)
    return " ".join(text.casefold().split())
