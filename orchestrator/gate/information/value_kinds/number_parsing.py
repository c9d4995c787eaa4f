"""Reads the one number that a cell holds, as people write numbers. Called by the check on information."""

import re
import unicodedata
from decimal import Decimal, InvalidOperation
from typing import Any

from orchestrator.gate.information.remembered import remembered

_NUMBER = re.compile(r"[+-]?\d[\d.,'\u2019 \u00a0\u202f]*\d|[+-]?\d|[+-]?(?<![^\W\d_])[.,]\d+")  # str.13 is 13
_GROUPED = re.compile(r"[+-]?(?!0)\d{1,3}([., '\u2019\u00a0\u202f])\d{3}(?:\1\d{3})*")
_POWER = re.compile(r"\s*([+-]?\d+(?:\.\d+[eE][+-]?\d{1,2}|[eE][+-]\d{1,2}))\s*")  # 4.2E+01; 12E4 may be a code
_TIMES_TEN = re.compile(  # 7.5 x 10^1 and 7.5\u00d710\u00b9
    r"\s*([+-]?\d{1,15}(?:\.\d{1,15})?)\s?[x\u00d7\u00b7*]\s?10"
    r"(?:\s?(?:\^|\*\*)\s?([+-]?\d{1,2})|([\u207a\u207b]?[\u2070\u00b9\u00b2\u00b3\u2074-\u2079]{1,2}))\s*"
)
_RAISED = str.maketrans("\u207a\u207b\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079", "+-0123456789")
_MIXED = re.compile(r"\D*?(?<![\d/.,+-])(\d{1,4}) ([1357])/([248])(?![\d/.,])\D*")  # 27 1/2 days: no date
_VULGAR = re.compile(r"[^\d+-]*(\d{1,4}) ?([¼½¾⅛⅜⅝⅞])\D*")
_NO_CENTS = re.compile(r"(?<=\d)[.,](?:[-\u2013\u2014]{1,2}|=)(?!\s?\d)")  # 12,- and 15.—
_ARABIC_MARKS = {0x066B: ".", 0x066C: ","}  # before decimals and between thousands
MAX_LENGTH = 60
HALF = Decimal("0.5")
FLOAT_NOISE = Decimal("1e-12")  # of a number that was computed with floats


def reading(value: Any) -> Decimal | None:
    """The number in the cell, None when there is none, more than one, or when its meaning is ambiguous."""
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, int | float | Decimal):
        return _decimal(str(value))
    return _of_text(value) if isinstance(value, str) and len(value) <= MAX_LENGTH else None


@remembered
def _of_text(text: str) -> Decimal | None:
    if not any(map(str.isdecimal, text)):
        return None
    text = _NO_CENTS.sub("", text if text.isascii() else text.translate(_ARABIC_MARKS))
    if power := _POWER.fullmatch(text):
        return _decimal(power[1])
    if times := _TIMES_TEN.fullmatch(text):
        return _decimal(f"{times[1]}e{times[2] or times[3].translate(_RAISED)}")
    if mixed := _MIXED.fullmatch(text):
        return Decimal(mixed[1]) + Decimal(mixed[2]) / Decimal(mixed[3])
    if vulgar := _VULGAR.fullmatch(text):
        return Decimal(vulgar[1]) + Decimal(unicodedata.numeric(vulgar[2]))
    found = _NUMBER.findall(text)
    return _plain(found[0].strip()) if len(found) == 1 else None


def _plain(text: str) -> Decimal | None:
    grouped = _GROUPED.fullmatch(text)
    if grouped and grouped[1] != ".":
        return _decimal(re.sub(r"[., '\u2019\u00a0\u202f]", "", text))
    if re.search(r"['\u2019\s\u00a0\u202f]", text):
        whole, mark, fraction = text.rpartition("." if "." in text else ",")
        if not mark:
            whole, fraction = text, ""
        if not _GROUPED.fullmatch(whole):
            return None
        return _decimal(re.sub(r"[., '\u2019\u00a0\u202f]", "", whole) + ("." + fraction if fraction else ""))
    dots, commas = text.count("."), text.count(",")
    if dots > 1 and commas > 1:
        return None
    if dots and commas:
        last = max(text.rfind("."), text.rfind(","))
        mark = text[last]
        if text.count(mark) > 1:
            return None
        return _decimal(re.sub(r"[.,]", "", text[:last]) + "." + text[last + 1 :])
    if dots > 1 or commas > 1:
        return _decimal(re.sub(r"[.,]", "", text)) if grouped else None
    return _decimal(text.replace(",", "."))


def _decimal(text: str) -> Decimal | None:
    try:
        number = Decimal(text)
    except InvalidOperation:
        return None
    return number if number.is_finite() else None


def apart(one: Decimal, other: Decimal) -> bool:
    """Whether two finite numbers are two numbers: two whole ones always, others by more than floats are off."""
    if one == one.to_integral_value() and other == other.to_integral_value():
        return one != other
    return abs(one - other) > FLOAT_NOISE * max(abs(one), abs(other))


def loses_precision(before: Any, after: Any) -> bool:
    """Whether `after` is `before` with decimal places rounded or cut away."""
    one, other = reading(before), reading(after)
    if one is None or other is None or one == other:
        return False
    if isinstance(after, str) and after.rstrip().endswith("%") and "%" not in str(before):
        one *= 100
    if not apart(one, other) or _is_scaled(one, other):
        return False
    places, kept = _places(one), _places(other)
    return kept < places and abs(one - other) < Decimal(1).scaleb(-kept)


def _is_scaled(one: Decimal, other: Decimal) -> bool:
    """Whether less than a half becomes one or more, which no rounding makes: 0.1 cm as 1.0 mm."""
    return 0 < one < HALF and other >= 1


def _places(number: Decimal) -> int:
    exponent = number.normalize().as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0
