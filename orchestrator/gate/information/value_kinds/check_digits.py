"""Codes that carry check digits: what can be computed of them, nobody has to confirm. Called by equivalence.py.

Sources: ISO 2108 (ISBN), ISO 3297 (ISSN), ISO 13616 (IBAN), GS1 (GTIN), ISO 7064 (ORCID).
"""

import re
from collections.abc import Callable, Iterable, Mapping
from itertools import islice
from math import ceil

MOSTLY = 0.9  # of a column's different cells that are right by the check digit: by chance it is one in ten
MIN_CODES = 5
_LABEL = re.compile(
    r"^(?:(?:e-?)?isbn(?:[- ]?1[03])?|e?-?issn|iban|ean|upc|gtin|orcid|https?://orcid\.org/)\s*:?\s*", re.IGNORECASE
)


def family_of(cells: Iterable[str]) -> Callable[[str], str] | None:
    """What gives the one form of each code in a column of such codes; None when it is no such column."""
    different = [text for text in set(cells) if text.strip()]
    if len(different) < MIN_CODES:
        return None
    can_be_others = len(different) - ceil(MOSTLY * len(different))
    for form in _FAMILIES.values():
        others = islice((text for text in different if not form(text)), can_be_others + 1)
        if len(list(others)) <= can_be_others:  # most columns are ruled out by their first few cells
            return form
    return None


def _compact(text: str) -> str:
    code = _LABEL.sub("", text.strip())
    if code.count(".") == 1:
        return code  # a decimal number
    return re.sub(r"[\s\u2010-\u2015./-]", "", code).upper()


def isbn(text: str) -> str:
    """The thirteen digits of an ISBN; empty when it is none."""
    if sum(map(str.isdigit, text)) < 9:
        return ""
    code = _compact(text)
    if re.fullmatch(r"97[89]\d{10}", code):
        return code if code[-1] == _gs1(code[:-1]) else ""
    if not re.fullmatch(r"\d{9}[\dX]", code):
        return ""
    total = sum((10 - n) * (10 if digit == "X" else int(digit)) for n, digit in enumerate(code))
    return "978" + code[:9] + _gs1("978" + code[:9]) if total % 11 == 0 else ""


def _gtin(text: str) -> str:
    code = _compact(text)
    if not re.fullmatch(r"\d{8}|\d{12,14}", code):
        return ""
    return code.zfill(14) if code[-1] == _gs1(code[:-1]) else ""


def _gs1(body: str) -> str:
    return str(-sum(int(digit) * (1 if n % 2 else 3) for n, digit in enumerate(reversed(body))) % 10)


def _issn(text: str) -> str:
    code = _compact(text)
    if not re.fullmatch(r"\d{7}[\dX]", code):
        return ""
    total = sum((8 - n) * (10 if digit == "X" else int(digit)) for n, digit in enumerate(code))
    return code if total % 11 == 0 else ""


def _iban(text: str) -> str:
    code = _compact(text)
    if not re.fullmatch(r"[A-Z]{2}\d{2}[\dA-Z]{11,30}", code):
        return ""
    return code if int("".join(str(int(char, 36)) for char in code[4:] + code[:4])) % 97 == 1 else ""


def _orcid(text: str) -> str:
    code = _compact(text)
    if not re.fullmatch(r"0000\d{11}[\dX]", code):
        return ""
    total = 0
    for digit in code[:-1]:
        total = (total + int(digit)) * 2
    return code if "0123456789X"[(12 - total % 11) % 11] == code[-1] else ""


_FAMILIES: Mapping[str, Callable[[str], str]] = {
    "isbn": isbn, "gtin": _gtin, "issn": _issn, "iban": _iban, "orcid": _orcid,
}  # fmt: skip
