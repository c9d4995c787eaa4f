"""Text from cells, source and messages as safe HTML in which nothing is hidden. Called by every part of the report.

Autoescaping keeps markup inert; this module shows what a reader would otherwise not see: control characters and
escape sequences, marks that reorder text, invisible characters, many combining marks in a row, and blanks at the
ends of a cell.
"""

import json
import unicodedata
from collections.abc import Callable
from typing import Any

from markupsafe import Markup, escape

from orchestrator.data.writing.lookalikes import hidden_places

MAX_CELL = 240
MAX_MARKS = 4  # combining marks in a row, more than any language needs

_HIDDEN = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp", "Zs")
_BLANKS = {"\n": "⏎", "\r": "CR", "\t": "⇥", " ": "·", "\u00a0": "⍽"}
_CONTROLS = (
    "NUL", "SOH", "STX", "ETX", "EOT", "ENQ", "ACK", "BEL", "BS", "TAB", "LF", "VT", "FF", "CR", "SO", "SI",
    "DLE", "DC1", "DC2", "DC3", "DC4", "NAK", "SYN", "ETB", "CAN", "EM", "SUB", "ESC", "FS", "GS", "RS", "US",
)  # fmt: skip


def shown(text: str, limit: int = 2000) -> Markup:
    """A message or a name: every hidden character marked, long text cut with its length."""
    return _cut(text, limit, lambda part: _render(part, keep="\n"))


def cell(value: Any, limit: int = MAX_CELL) -> Markup:
    """A cell's value: missing, text, number or nested value, each with its own CSS class."""
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
    if text.isascii() and text.isprintable():
        return escape(text)  # nothing is hidden: most of a report is such text
    return _render(text, keep="\t")


def _cut(text: str, limit: int, render: Callable[[str], Markup]) -> Markup:
    if len(text) <= limit:
        return render(text)
    rest = f"{len(text) - limit:,}"
    return Markup('{}<span class="cut">… {} more characters</span>').format(render(text[:limit]), rest)


def _cell_text(text: str) -> Markup:
    """Blanks are drawn where they are easily missed: at both ends, in a row, and those that only look like a space."""
    start, end = len(text) - len(text.lstrip(" ")), len(text.rstrip(" "))

    def is_drawn(at: int) -> bool:
        char = text[at]
        if char != " ":
            return char in _BLANKS
        return at < start or at >= end or text[at - 1] == " " or text[at + 1] == " "

    return _render(text, is_drawn=is_drawn)


def _render(text: str, keep: str = "", is_drawn: Callable[[int], bool] = lambda _: False) -> Markup:
    parts: list[Markup] = []
    places = hidden_places(text)
    at = 0
    while at < len(text):
        char = text[at]
        marks = _marks(text, at)
        if marks > MAX_MARKS:
            parts.append(_span("hidden-char", "combining marks", f"{marks} combining marks"))
            at += marks
            continue
        if is_drawn(at):
            parts.append(_span("blank", _name(char), _BLANKS[char]))
        elif at in places or (_is_hidden(char) and char not in keep):
            parts.append(_span("hidden-char", _name(char), _sign(char)))
        else:
            parts.append(escape(char))
        at += 1
    return Markup("").join(parts)


def _marks(text: str, start: int) -> int:
    """How many combining marks stand here in a row."""
    at = start
    while at < len(text) and text[at] > "~" and unicodedata.combining(text[at]):
        at += 1
    return at - start


def _is_hidden(char: str) -> bool:
    return not " " <= char <= "~" and unicodedata.category(char) in _HIDDEN


def _sign(char: str) -> str:
    number = ord(char)
    if char in _BLANKS:
        return _BLANKS[char]
    return _CONTROLS[number] if number < len(_CONTROLS) else "DEL" if number == 0x7F else f"U+{number:04X}"


def _span(css: str, title: str, text: str) -> Markup:
    return Markup('<span class="{}" title="{}">{}</span>').format(css, title, text)


def _name(char: str) -> str:
    return f"U+{ord(char):04X} {unicodedata.name(char, 'control character')}"
