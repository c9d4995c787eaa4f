"""Replaces values in the text of a JSON value and leaves every other byte of it as it was.

Used by the JSON writers, and copied into exported files by `registry.export`, so it imports nothing of this package.
A number that nobody changed keeps its digits: 1.10 is not written as 1.1, and 1e400 not as Infinity.
"""

import json
import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

_decode_at = json.JSONDecoder().raw_decode
_BLANK = re.compile(r"[ \t\n\r]*")
Dump = Callable[[Any], str]


class _Part(NamedTuple):
    """One member of an object or element of a list: what stands before its value, and the value's text."""

    name: str
    before: str  # of a member: blanks, the key and the colon; without the comma
    text: str


def renewed(text: str, before: Any, after: Any, dump: Dump) -> str:
    """The text of `before` made that of `after`: only what differs is written anew, by `dump`."""
    if before is after:
        return text
    if isinstance(before, dict) and isinstance(after, dict) and before and after:
        return _object(text, before, after, dump)
    if isinstance(before, list) and isinstance(after, list) and len(before) == len(after) and before:
        parts, tail = _parts(text)
        pairs = zip(parts, before, after, strict=True)
        return "[" + ",".join(part.before + renewed(part.text, old, new, dump) for part, old, new in pairs) + tail
    made = dump(after)
    return text if made == dump(before) else made


def constant_in(text: str) -> str:
    """NaN or Infinity where one of them stands in the text for a number: JSON has none. Empty where none does."""
    found = list[str]()
    if "NaN" in text or "Infinity" in text:
        json.loads(text, parse_constant=found.append, parse_int=len)
    return found[0] if found else ""


def _object(text: str, before: dict[str, Any], after: dict[str, Any], dump: Dump) -> str:
    parts, tail = _parts(text)
    first, *others = parts
    lead, gap = _blanks(first.before), _blanks(others[0].before) if others else None
    made = list[str]()
    for part in parts:
        if part.name in after:
            stands = part.before if made or part is first else lead + part.before.lstrip(" \t\n\r")
            made.append(stands + renewed(part.text, before[part.name], after[part.name], dump))
    colon = first.before[_end_of_key(first.before) :]
    for name, value in after.items():
        if name not in before:
            blanks = (dump([1, 1])[3:-2] if gap is None else gap) if made else lead
            made.append(blanks + dump(name) + colon + dump(value))
    return "{" + ",".join(made) + tail


def _parts(text: str) -> tuple[Sequence[_Part], str]:
    """The members of the object, or the elements of the list, and what stands after the last one."""
    named, start, found = text[0] == "{", 1, list[_Part]()
    while True:
        at = _after_blanks(text, start)
        name = ""
        if named:
            name, at = _decode_at(text, at)
            at = _after_blanks(text, text.index(":", at) + 1)
        _, end = _decode_at(text, at)
        found.append(_Part(name, text[start:at], text[at:end]))
        after = _after_blanks(text, end)
        if text[after] != ",":
            return found, text[end:]
        if after > end:  # blanks before a comma belong to the value
            found[-1] = found[-1]._replace(text=text[at:end])
        start = after + 1


def _after_blanks(text: str, at: int) -> int:
    found = _BLANK.match(text, at)
    return found.end() if found else at


def _blanks(text: str) -> str:
    return text[: len(text) - len(text.lstrip(" \t\n\r"))]


def _end_of_key(text: str) -> int:
    return _decode_at(text, text.index('"'))[1]
