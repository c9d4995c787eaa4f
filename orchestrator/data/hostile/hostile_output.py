"""The one exception of hostile decoding, and strict JSON. Used by the modules that read what a sandbox sent back.

Nothing here imports pandas or Arrow, so that hostile bytes are first read by plain, memory-safe Python.
"""

import json
import re
from typing import Any

from orchestrator.data.text import clean_text

MAX_DEPTH = 32
_MAX_DIGITS = 18
# An unclosed string is matched to the end of the text: otherwise the search would take quadratic time.
_BRACKETS = re.compile(r'"(?:[^"\\]|\\.?)*+"?|[\[\]{}]', re.DOTALL)


class HostileOutput(ValueError):
    """The output of a sandbox violates docs/wire.md. In a verdict: the candidate's failure."""


def strict_json(data: bytes, *, max_depth: int = MAX_DEPTH, max_digits: int = _MAX_DIGITS) -> Any:
    """Parse strict JSON: no NaN, no duplicate keys, no huge numbers, no deep nesting, only UTF-8.

    Raises HostileOutput.
    """
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise HostileOutput("a header is not UTF-8") from None
    _check_depth(text, max_depth)
    try:
        return json.loads(
            text,
            object_pairs_hook=_object,
            parse_int=lambda digits: _integer(digits, max_digits),
            parse_float=_float,
            parse_constant=_constant,
        )
    except HostileOutput:
        raise
    except (ValueError, RecursionError) as error:
        raise HostileOutput(f"a header is not JSON: {clean_text(str(error), 200)}") from None


def _check_depth(text: str, max_depth: int) -> None:
    """Count the brackets outside strings, before a recursive parser sees them."""
    if text.count("[") + text.count("{") <= max_depth:
        return
    depth = 0
    for token in _BRACKETS.finditer(text):
        if token[0] in "[{":
            depth += 1
            if depth > max_depth:
                raise HostileOutput(f"a header is nested deeper than {max_depth}")
        elif token[0] in "]}":
            depth -= 1


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise HostileOutput("a header has the same key twice")
    return made


def _integer(digits: str, most: int) -> int:
    if len(digits) > most:
        raise HostileOutput("a header holds an integer of too many digits")
    return int(digits)


def _float(digits: str) -> float:
    value = float(digits)
    if len(digits) > 64 or value in (float("inf"), float("-inf")):
        raise HostileOutput("a header holds a number that is out of range")
    return value


def _constant(word: str) -> float:
    raise HostileOutput(f"a header holds {word}")
