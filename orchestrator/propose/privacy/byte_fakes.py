"""Fakes of words with bytes that are no UTF-8, for a model that writes a parser. Called by `parser_writer`.

Such a byte is mostly a letter of a text in another encoding. A fake for each byte that is always the same one would be
a cipher that anybody solves, and the masker takes each for a word of its own. So these words have new fakes each time:
of the same length, with bytes, letters and digits in the same places.
"""

import re
import secrets
import string
from collections.abc import Callable

from orchestrator.core.errors import UsageError

_BYTE = r"\\x[89a-f][0-9a-f]"
_WORD = re.compile(rf"\w*{_BYTE}(?:{_BYTE}|\w)*")
_PLACE = re.compile(rf"{_BYTE}|[A-Z]|[^\W\d_]|\d")
_NO_TEXT = re.compile(rb"[\0\x1b]|\A(?:\xff\xfe|\xfe\xff)")


def check_text(head: bytes) -> None:
    """Raises UsageError where bytes below 128 are no letters of their own, as in UTF-16: they would be shown."""
    if _NO_TEXT.search(head):
        raise UsageError(
            "A model cannot be shown fakes of these lines: they are in UTF-16, or in another encoding with zero bytes "
            "or escapes.",
            advice="Convert the file to UTF-8 first: iconv -f UTF-16 -t UTF-8.",
        )


def faked_line(line: str, mask: Callable[[str], str]) -> str:
    """The line, whose bytes that are no UTF-8 are escapes; `mask` makes the fakes of all that is beside their words."""
    made, end = [], 0
    for word in _WORD.finditer(line):
        made += [mask(line[end : word.start()]), _PLACE.sub(_another, word[0])]
        end = word.end()
    return "".join([*made, mask(line[end:])])


def _another(place: re.Match[str]) -> str:
    if place[0].startswith("\\"):
        return f"\\x{128 + secrets.randbelow(128):02x}"
    if place[0].isdigit():
        return secrets.choice(string.digits)
    return secrets.choice(string.ascii_uppercase if place[0].isupper() else string.ascii_lowercase)
