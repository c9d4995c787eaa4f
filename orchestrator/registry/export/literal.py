"""Source text as a Python literal that people can still read as code. Called by `export`.

Where it is possible the text is written verbatim between raw triple quotes. Where it is not (both kinds of quotes, a
backslash at the end, carriage returns) or where it would look different from what it is (control characters, marks
that reorder text on the screen), exactly those characters are escaped.
"""

import unicodedata

from orchestrator.data.writing.lookalikes import hidden_places, is_unseen

_DELIMITERS = ("'''", '"""')


def literal(text: str) -> str:
    """An expression whose value is the text, spread over the same lines as the text."""
    if not any(_hidden(char) for char in text) and not text.endswith("\\"):
        for delimiter in _DELIMITERS:
            if delimiter not in text and not text.endswith(delimiter[0]):
                return f"r{delimiter}{text}{delimiter}"
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'''{''.join(_escape(char) if _hidden(char) else char for char in escaped)}'''"


def name_literal(name: str) -> str:
    """An expression on one line whose value is the name of a column; nothing in it passes for something else."""
    if not name.isprintable() or hidden_places(name):
        return ascii(name)
    return repr(name)


def one_line(text: str, limit: int = 200) -> str:
    """The text fit for a comment or a docstring: one line, nothing hidden, nothing that could end it."""
    plain = " ".join(text[: 4 * limit].replace("\\", "/").replace('"', "'").split())
    shown = "".join(f"<U+{ord(char):04X}>" if _hidden(char) else char for char in plain)
    return shown if len(shown) <= limit else f"{shown[: limit - 1]}…"


def _hidden(char: str) -> bool:
    """Characters that cannot be seen, that reorder text, or that Python's parser would change."""
    if char in "\n\t":
        return False
    return is_unseen(char) or unicodedata.category(char) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")


def _escape(char: str) -> str:
    code = ord(char)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
