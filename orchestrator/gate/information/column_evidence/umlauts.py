"""Umlauts that were written out, where other cells have them: `Erloese` as `Erl\u00f6se`. Called by equivalence.py."""

import re
from collections.abc import Iterable
from functools import cached_property

_WRITTEN_OUT = {
    0xE4: "ae", 0xF6: "oe", 0xFC: "ue", 0xDF: "ss", 0xE6: "ae", 0xF8: "oe", 0xE5: "aa",
}  # fmt: skip
_WORD = re.compile(r"[^\W\d_]+")


class Umlauts:
    """The words of the cells that stay. `michael` is no `mich\u00e4l` unless another cell says so."""

    def __init__(self, stay: Iterable[str]) -> None:
        self._stay = stay

    def put_back(self, before: str, after: str) -> bool:
        """Whether only such letters change, and other cells have each word that changes as it is then."""
        if before.casefold() == after.casefold() or _written_out(before) != _written_out(after):
            return False
        olds, news = (_WORD.findall(text.lower()) for text in (before, after))
        changed = [new for old, new in zip(olds, news, strict=False) if old != new]
        return len(olds) == len(news) and all(new in self._words for new in changed)

    @cached_property
    def _words(self) -> set[str]:
        return {word for text in self._stay for word in _WORD.findall(text.lower())}


def _written_out(text: str) -> str:
    return text.lower().translate(_WRITTEN_OUT)
