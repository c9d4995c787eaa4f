"""Text from cells, source and messages as safe HTML in which nothing is hidden. Called by every part of the report.

Autoescaping keeps markup inert; this module shows what a reader would otherwise not see: control characters and
escape sequences, marks that reorder text, characters without a shape, blanks at the ends of a cell.
"""

import json
import unicodedata
from typing import Any

from markupsafe import Markup, escape

MAX_CELL = 240
MAX_MARKS = 3  # combining characters in a row; more are a smear over the lines above

_ENDS = {"\n": "⏎", "\r": "␍", "\t": "⇥", " ": "·", "\u00a0": "⍽"}


def shown(text: str, limit: int = 2000) -> Markup:
    """A message or a name: every hidden character marked, long text cut with its length."""
    return _cut(
        text, limit, lambda part: Markup("").join(_mark(char) if _hidden(char) else escape(char) for char in part)
    )


def cell(value: Any, limit: int = MAX_CELL) -> Markup:
    """A cell's value: missing, text, number or nested value, told apart by class."""
    if value is None:
        return Markup('<span class="none">missing</span>')
    if isinstance(value, str):
        if not value:
            return Markup('<span class="none">blank</span>')
        return Markup('<span class="text">{}</span>').format(_cut(value, limit, _cell_text))
    plain = value if isinstance(value, int | float) else json.dumps(value, ensure_ascii=False, default=str)
    return Markup('<span class="value">{}</span>').format(shown(str(plain), limit))


def code(text: str) -> Markup:
    """Source text within one line: as written, hidden characters marked."""
    return Markup("").join(_mark(char) if char != "\t" and _hidden(char) else escape(char) for char in text)


def _cut(text: str, limit: int, render: Any) -> Markup:
    if len(text) <= limit:
        return Markup(render(text))  # noqa: S704 - the renderers escape
    rest = f"{len(text) - limit:,}"
    return Markup('{}<span class="cut">… {} more characters</span>').format(Markup(render(text[:limit])), rest)  # noqa: S704 - the same


def _cell_text(text: str) -> Markup:
    """Blanks are drawn where they are easily missed: at both ends, in a row, and those that only look like a space."""
    parts: list[Markup] = []
    start, end = len(text) - len(text.lstrip(" ")), len(text.rstrip(" "))
    marks = 0
    for at, char in enumerate(text):
        marks = marks + 1 if unicodedata.combining(char) else 0
        doubled = char == " " and (text[at - 1 : at] == " " or text[at + 1 : at + 2] == " ")
        if char in "\n\r\t\u00a0" or (char == " " and (at < start or at >= end or doubled)):
            parts.append(Markup('<span class="blank" title="{}">{}</span>').format(_name(char), _ENDS[char]))
        elif _hidden(char) or marks > MAX_MARKS:
            parts.append(_mark(char))
        else:
            parts.append(escape(char))
    return Markup("").join(parts)


def _hidden(char: str) -> bool:
    if " " <= char <= "~":
        return False
    kind = unicodedata.category(char)
    return (kind in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp") and char != "\n") or (kind == "Zs" and char != " ")


def _mark(char: str) -> Markup:
    number = ord(char)
    if number < 0x20:
        sign = chr(0x2400 + number)
    elif number == 0x7F:
        sign = "␡"
    elif char == "\u00a0":
        sign = "⍽"
    else:
        sign = f"U+{number:04X}"
    return Markup('<span class="hidden-char" title="{}">{}</span>').format(_name(char), sign)


def _name(char: str) -> str:
    return f"U+{ord(char):04X} {unicodedata.name(char, 'control character')}"
