"""Undoes what word processors make of code: typographic quotes, odd blanks, tabs. Strings keep every character.

What is in a string may be the very thing that a function is about, such as the quotes that it replaces: only what
stands outside of strings, and the marks around them, is written otherwise. Called by `code_extraction`.
"""

import re
from collections.abc import Iterator

_DOUBLE, _SINGLE = '"\u201c\u201d\u201e', "'\u2018\u2019\u201a"
_START = re.compile(f"[#{_DOUBLE}{_SINGLE}]")
_LINE_END = re.compile(r"[\n\u2028\u2029]")
_INDENTATION = re.compile(r"(?<=\n)[ \t]+")
_OUTSIDE = {
    **str.maketrans("\u00a0\u202f\u2007\u3000\u2028\u2029", "    \n\n"),
    **str.maketrans("\uff08\uff09\uff1a\uff0c\uff3b\uff3d\uff1d", "():,[]="),
    **dict.fromkeys(map(ord, "\ufeff\u200b\u200c\u200d\u2060")),
}


def plain_typography(code: str) -> str:
    """The code with plain quotes around its strings and plain blanks between its words."""
    return "".join(text.translate(_OUTSIDE) if outside else text for text, outside in _segments(code))


def plain_indentation(code: str, width: int) -> str:
    """The code with blanks for the tabs at the beginning of its lines; a tab is as wide as so many."""
    expanded = [
        _INDENTATION.sub(lambda found: found.group().expandtabs(width), text) if outside else text
        for text, outside in _segments("\n" + code)
    ]
    return "".join(expanded)[1:]


def _segments(code: str) -> Iterator[tuple[str, bool]]:
    """The code in pieces, strings with plain quotes around them, and whether each stands outside of strings."""
    at = 0
    while (found := _START.search(code, at)) is not None:
        yield code[at : found.start()], True
        at = found.start()
        if found.group() == "#":
            line_end = _LINE_END.search(code, at)
            end = line_end.start() if line_end else len(code)
            yield code[at:end], False
        else:
            end, text = _string(code, at)
            yield text, False
        at = end
    yield code[at:], True


def _string(code: str, start: int) -> tuple[int, str]:
    """Where the string that begins here ends, and the string with plain quotes."""
    kind = _DOUBLE if code[start] in _DOUBLE else _SINGLE
    wide = 3 if len(code[start : start + 3]) == 3 and all(char in kind for char in code[start : start + 3]) else 1
    opening = code[start : start + wide]
    ends = kind[0] if opening == kind[0] * wide else kind  # a plain quote is not closed by a typographic one
    at = inner = start + wide
    while at < len(code):
        if code[at] == "\\":
            at += 2
        elif code[at] == "\n" and wide == 1:
            break
        elif len(code[at : at + wide]) == wide and all(char in ends for char in code[at : at + wide]):
            return at + wide, kind[0] * wide + code[inner:at] + kind[0] * wide
        else:
            at += 1
    at = min(at, len(code))
    return at, kind[0] * wide + code[inner:at]
