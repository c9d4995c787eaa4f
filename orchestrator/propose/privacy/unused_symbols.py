"""Symbols that nobody has used before: cells could be spelt out in them. Called before anything is shown.

Letters, what is read as letters, digits and marks have fakes; ASCII's signs are shown. Of the other symbols only those
are shown that are in use where nothing was computed yet.
"""

import re
import unicodedata
from collections.abc import Collection, Iterator
from typing import Any

import pyarrow as pa

from orchestrator.data.record_tables import MARK, is_records
from orchestrator.data.writing.letterlike import LETTERLIKE

_LETTERLIKE = re.compile(f"[{LETTERLIKE}]")
ODD = "\u25a1"  # stands for a symbol that is not shown


def symbols_of(*texts: str) -> frozenset[str]:
    """The characters of the texts that are neither letter, digit nor ASCII."""
    return frozenset(c for text in texts if not text.isascii() for c in text if not c.isascii() and not c.isalnum())


def without_unused(text: str, used: Collection[str]) -> str:
    """The text with ODD for every symbol that is neither ASCII's nor in use."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(c if _is_plain(c) or c in used else ODD for c in text)


def new_symbols(table: pa.Table, before: pa.Table, *said: str) -> frozenset[str]:
    """The symbols that functions have brought into the rows: they are in the table, and not in `before` or `said`."""
    return symbols_of(*_texts(table)) - symbols_of(*said, *_texts(before))


def without_new_symbols(table: pa.Table, before: pa.Table, *said: str) -> pa.Table:
    """The rows that functions made of those `before`, with ODD for every symbol that is in neither them nor `said`."""
    used = {c for text in (*said, *_texts(before)) if not (text.isascii() and text.isprintable()) for c in text}
    marked = is_records(table)

    def one(value: Any) -> Any:
        if isinstance(value, str):
            start = len(MARK) if marked and value.startswith(MARK) else 0
            return value[:start] + without_unused(value[start:], used)
        if isinstance(value, dict):
            return {name: one(inner) for name, inner in value.items()}
        return [one(inner) for inner in value] if isinstance(value, list) else value

    for place, field in enumerate(table.schema):
        if _holds_text(field.type):
            cells = [one(value) for value in table.column(place).to_pylist()]
            table = table.set_column(place, field, pa.array(cells, field.type))
    return table


def _texts(table: pa.Table) -> Iterator[str]:
    """The names of the columns, and every text in them."""
    yield from table.column_names
    for column in table.columns:
        if _holds_text(column.type):
            waiting = column.to_pylist()
            while waiting:
                value = waiting.pop()
                if isinstance(value, str):
                    yield value
                elif isinstance(value, list | dict):
                    waiting.extend(value.values() if isinstance(value, dict) else value)


def _holds_text(kind: pa.DataType) -> bool:
    return pa.types.is_nested(kind) or any(
        is_kind(kind) for is_kind in (pa.types.is_string, pa.types.is_large_string, pa.types.is_dictionary)
    )


def _is_plain(char: str) -> bool:
    """Whether it is one of the characters that are masked, or one of ASCII's that are shown."""
    if char.isalnum() or " " <= char <= "~" or char in "\t\n\r" or unicodedata.category(char)[0] == "M":
        return True
    return _LETTERLIKE.match(char) is not None
