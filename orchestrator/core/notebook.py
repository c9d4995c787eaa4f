"""Values as small tables of HTML, which notebooks show (`_repr_html_`). Called by `Verdict` and `RunSummary`.

Texts may come from data: they are escaped, and what cannot be seen is shown as an escape.
"""

from collections.abc import Sequence
from html import escape


def html_table(caption: str, rows: Sequence[Sequence[object]]) -> str:
    """A table without a head; the first cell of a row is its name."""
    cells = ["".join(f'<td style="text-align:left">{_plain(cell)}</td>' for cell in row) for row in rows]
    body = "".join(f"<tr>{row}</tr>" for row in cells)
    return f'<table><caption style="text-align:left"><b>{_plain(caption)}</b></caption>{body}</table>'


def _plain(cell: object) -> str:
    text = str(cell)
    return escape("".join(char if char.isprintable() else f"\\u{ord(char):04x}" for char in text[:500]))
