"""Reads numbers that people wrote, exactly. Called by cleaning functions, in the sandbox and in exported files.

All numbers are texts: what is read is written again digit by digit, and no float ever stands in between.

Frozen: what was proved with version 1 must go on running with exactly this text. A change makes a version 2 beside it.
"""

import re

__all__ = ["parse_number", "scale_number", "split_number"]

_LONGEST = 200
_BLANK = re.compile(r"[ \u00a0\u2007\u2009\u202f]+")
_MINUS = "-\u2212\u2013"
_MARKS = ".,' \u2019_"
_SIGN = f"[{_MINUS}+]"
_SYMBOL = r"(?:US|CA|AU|[ACRS]|HK|NZ)?\$|[£¥€₹₽₺₩]"
_WORD = r"(?![eE][0-9])[^\W\d_]{1,20}"
_WRITTEN = re.compile(
    rf"(?P<sign>{_SIGN})? ?(?P<before>{_SYMBOL}|[A-Za-z]{{3}}\b)? ?(?P<inner>{_SIGN})? ?"
    rf"(?P<number>[.,]?[0-9](?:[0-9{_MARKS}]*[0-9])?) ?(?P<behind>[{_MINUS}](?= |$))? ?"
    rf"(?P<after>{_SYMBOL}|[%‰°]|°[CF]|{_WORD}(?:/{_WORD})?[23²³]?\.?)?"
)
_PLAIN = re.compile(r"-?[0-9]{1,200}(?:\.[0-9]{1,200})?")


def parse_number(value: object, decimal: str, *units: str) -> str | None:
    """("1.234,50 kg", ",", "kg") is "1234.50".

    `decimal`: "." or ","; the other one, blanks and apostrophes are thousands marks, in groups of three. Anything else
    beside the number than one of the `units` (as "kg", "EUR", "%") is no reason to guess: the result is None.
    """
    found = split_number(value, decimal)
    if found is None:
        return None
    number, unit = found
    known = {each.casefold() for each in units if isinstance(each, str)}
    return number if not unit or unit.casefold() in known else None


def split_number(value: object, decimal: str) -> tuple[str, str] | None:
    """("5,5 %", ",") is ("5.5", "%")."""
    if not isinstance(value, str) or decimal not in (".", ",") or len(value) > _LONGEST:
        return None
    text = _BLANK.sub(" ", value).strip()
    brackets = text.startswith("(") and text.endswith(")")  # as accountants write what is less than nothing
    match = _WRITTEN.fullmatch(text[1:-1].strip() if brackets else text)
    if match is None:
        return None
    signs = ["-"] * brackets + [sign for sign in match.group("sign", "inner", "behind") if sign]
    if len(signs) > 1 or (match["before"] and match["after"]):
        return None
    number = _plain(match["number"], decimal)
    if number is None or (decimal == "," and _plain(number, decimal) not in (None, number)):
        return None  # 1,125 would become 1.125, which reads as 1125 the next time
    negative = signs not in ([], ["+"]) and number.strip("0.")
    return (f"-{number}" if negative else number), match["before"] or match["after"] or ""


def scale_number(number: object, factor: str) -> str | None:
    """("950", "0.001") is "0.950", exactly."""
    if not isinstance(number, str) or not isinstance(factor, str):
        return None
    if not _PLAIN.fullmatch(number) or not _PLAIN.fullmatch(factor):
        return None
    places = sum(len(each.partition(".")[2]) for each in (number, factor))
    product = int(number.replace(".", "")) * int(factor.replace(".", ""))
    digits = str(abs(product)).zfill(places + 1)
    text = f"{digits[:-places]}.{digits[-places:]}" if places else digits
    return f"-{text}" if product < 0 else text


def _plain(text: str, decimal: str) -> str | None:
    """The digits without thousands marks, with a point; None where the marks are not where they belong."""
    whole, point, fraction = text.partition(decimal)
    if point and not (fraction.isascii() and fraction.isdecimal()):
        return None
    marks = {mark for mark in whole if mark in _MARKS}
    if len(marks) > 1 or decimal in marks:
        return None
    if marks:
        first, *groups = whole.split(marks.pop())
        if not 1 <= len(first) <= 3 or first[0] == "0" or any(len(group) != 3 for group in groups):
            return None
        whole = "".join([first, *groups])
    if len(whole) > 1 and whole[0] == "0":  # a code rather than a number
        return None
    return f"{whole or '0'}.{fraction}" if fraction else whole
