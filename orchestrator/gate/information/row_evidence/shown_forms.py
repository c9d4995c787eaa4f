"""Forms of the numbers that an added column is computed from, and which of them the examples have. For added_rows.py.

A function that reads `400 m` rightly may misread `400 ft`, one that reads `9.50` may misread `9,50`, and a discount of
nothing says nothing of one of ten percent.
"""

import re
from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Any

from orchestrator.gate.information.null_tokens import holds_something
from orchestrator.gate.information.value_kinds.moments import moments
from orchestrator.gate.information.value_kinds.number_parsing import reading
from orchestrator.gate.information.value_kinds.units import names_unit

MOST_FORMS = 12  # of a column; one with more is no column of a few forms
LONGEST = 60
_NUMBER = re.compile(r"(\d+)(?:([.,])(\d+))?")
_SAID = re.compile(r"\d{1,15}(?:[.,]\d{1,15})?")
_LEVELS = re.compile(r"\d[.,]\d+[.,]\d")
_BLANKS = re.compile(r"\s+")
_PLAIN, _CODE = re.compile(r"\d+[.,]\d+"), re.compile(r"[^\W\d_]\d")
_WORD = re.compile(r"[^\W\d_]+")
_SIZED = re.compile(
    r"(\d{1,9}(?:[.,]\d{1,6})?)\s?(M|[kK]|[mM]n|[mM]io|[bB]n|(?i:mrd|thousand|tsd|lakh|million|crore|billion)s?)(?![^\W_])"
)
_Form = tuple[str, tuple[str, ...]]
"""What stands around the numbers, and of each number its kind."""


def forms_unshown(cells: Sequence[Any], made: Sequence[Any], shown: Iterable[tuple[Any, Any]]) -> list[int]:
    """The first row of each form that no example has; nothing where the forms are too many.

    `made`: what becomes of each cell. Where that is a number of the cell it was read, and nothing is computed; but the
    number of a unit must not be read where an example converts another one.
    """
    shown = [*shown]
    converts = any(_computed(*one) and _has_word(one[0]) for one in shown)
    first: dict[_Form, int] = {}
    for row, (cell, value) in enumerate(zip(cells, made, strict=True)):
        read = converts and _has_word(cell) and holds_something(value)
        if (read or _computed(cell, value)) and (form := _form(cell)) is not None:
            first.setdefault(form, row)
    known = {form for cell, _ in shown if (form := _form(cell)) is not None}
    if not known or len(first) > MOST_FORMS:
        return []
    return [row for form, row in first.items() if not any(_covers(one, form) for one in known)]


def size_left_out(cells: Sequence[Any], made: Sequence[Any], shown: Iterable[Any]) -> int | None:
    """The first row whose value is the number in front of a word for thousands or millions that no example has.

    The number stands in the cell, and yet the value is another one than the cell says: `$4M` as 4. Of at least half of
    such cells, or it is there by chance. `shown`: the cells of the examples.
    """
    known = {size.casefold() for cell in shown if isinstance(cell, str) for _, size in _SIZED.findall(cell[:LONGEST])}
    sized, found = 0, []
    for row, (cell, value) in enumerate(zip(cells, made, strict=True)):
        number = None if isinstance(value, bool) else reading(value)
        parts = _SIZED.findall(cell) if number and isinstance(cell, str) and len(cell) <= LONGEST else []
        sized += bool(parts)
        said = {Decimal(text.replace(",", ".")) for text, size in parts if size.casefold() not in known}
        found += [row] if number is not None and abs(number) in said else []
    return found[0] if found and 2 * len(found) >= sized else None


def _computed(cell: Any, value: Any) -> bool:
    """Whether the value is a number that does not stand in the cell."""
    number = None if isinstance(value, bool) else reading(value)
    if number is None or not isinstance(cell, str):
        return number is not None
    said = {Decimal(found.replace(",", mark)) for mark in (".", "") for found in _SAID.findall(cell)}
    return abs(number) not in said


def _has_word(cell: Any) -> bool:
    return isinstance(cell, str) and _WORD.search(cell) is not None


def _form(cell: Any) -> _Form | None:
    """None of words, times and codes, and of what is no text and no number."""
    if isinstance(cell, bool) or not isinstance(cell, str | int | float | Decimal) or not holds_something(cell):
        return None
    if not isinstance(cell, str):
        return "", ("9" if cell else "0",)
    text = cell.strip().casefold()
    if len(text) > LONGEST or not any(map(str.isdigit, text)) or _LEVELS.search(text):
        return None
    if _CODE.search(text) or (moments(text) and not _PLAIN.fullmatch(text)):
        return None
    if not all(names_unit(word) or word == "x" for word in _WORD.findall(text)):
        return None
    return _BLANKS.sub(" ", _NUMBER.sub("9", text.lstrip("+-"))), tuple(_kind(*one) for one in _NUMBER.findall(text))


def _kind(whole: str, mark: str, decimals: str) -> str:
    return "0" if not int(whole) and not int(decimals or 0) else f"9{mark}{mark and 9}"


def _covers(shown: _Form, form: _Form) -> bool:
    """Whether it is the same form; a number with decimals speaks for a whole one, and any for nothing."""
    if shown[0] != form[0]:
        return False
    return all(one in ("0", other, other[0]) for one, other in zip(form[1], shown[1], strict=False))
