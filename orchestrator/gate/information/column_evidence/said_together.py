"""What codes and words a column writes beside each other: `1 - Critical`, `Kenya (KEN)`. Called by equivalence.py.

Where each code has one word and each word one code, the column itself says what the code alone, or with the same label
in front (`Sev 1`), stands for.
"""

import re
from collections.abc import Iterable

ENOUGH = 3  # different pairs that make a list
_CODE_FIRST = re.compile(r"\s*(\d{1,4}|[A-Z]{1,4})\s*[-\u2013:.)=/]\s*([^\W\d_][^\d()\[\]]*?)\s*")
_CODE_LAST = re.compile(r"\s*([^\W\d_][^\d()\[\]]*?)\s*[(\[]\s*(\d{1,4}|[A-Z]{1,4})\s*[)\]]\s*")
_LABELLED = re.compile(r"\s*(?:[^\W\d_]+\.?\s*)?(\d{1,4})\s*")


class SaidTogether:
    """The words of the codes of one column; none where a code has two words, or a word two codes."""

    def __init__(self, texts: Iterable[str]) -> None:
        pairs = {pair for text in texts if (pair := _pair(text)) is not None}
        codes, words = {code for code, _ in pairs}, {word for _, word in pairs}
        one_to_one = len(pairs) == len(codes) == len(words) >= ENOUGH
        self._words = dict(pairs) if one_to_one else {}
        self._codes = {word: code for code, word in self._words.items()}

    def known(self, before: str, after: str) -> bool | None:
        """Whether one is the code and the other its word; None where the column does not say."""
        for one, other in ((before, after), (after, before)):
            word, code = self._words.get(_code(one), ""), self._codes.get(_plain(other), "")
            if word and code:
                return word == _plain(other)
        return None


def _pair(text: str) -> tuple[str, str] | None:
    if match := _CODE_FIRST.fullmatch(text):
        return match[1], _plain(match[2])
    match = _CODE_LAST.fullmatch(text)
    return None if match is None else (match[2], _plain(match[1]))


def _code(text: str) -> str:
    match = _LABELLED.fullmatch(text)
    return text.strip() if match is None else match[1]


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())
