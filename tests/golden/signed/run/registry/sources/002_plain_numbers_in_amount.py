"""Numbers in amount are not all written as plain numbers."""

import decimal
import functools
import re

import pandas as pd

CONTRACT = {
    'shape': 'table',
    'modifies': ['amount'],
    'examples': [
        {'input': {'amount': '1,627'}, 'output': {'amount': '1627'}},
        {'input': {'amount': '2,071'}, 'output': {'amount': '2071'}},
        {'input': {'amount': '2,194'}, 'output': {'amount': '2194'}},
    ],
}

_COLUMNS = ['amount']
_UNITS = {'': 0}
_WORDS = {}
_MARK = '.'
_PLACES = 0
_DROP_ZERO = True
_STYLE = '1'


def _split_number(value: str) -> tuple[str, str, str] | None:
    """What stands around the digits (folded), the sign, the digits with separators; None where it is no number."""
    digits = r"\d{1,3}(?: \d{3})+[.,]\d{1,2}|\d+(?:[.,]\d+)*"
    match = re.fullmatch(rf"([^\d\s.,()+-]{{0,4}})\s?(-?)({digits})\s?([^\d(),;:/+-]{{0,12}})", value)
    if match is None:
        return None
    before, sign, digits, after = match.groups()
    return (before + after).strip(" .").casefold(), sign, digits


def _plain_number(digits: str, mark: str) -> str | None:
    """Digits with separators as a plain number; `mark`: the decimal mark, ",." with points between thousands, or ""."""
    if " " in digits:  # thousands, before a decimal part
        return digits.replace(" ", "").replace(",", ".")
    if re.fullmatch(r"\d+" if mark[:1] == "," else r"\d+|\d+\.\d+", digits):
        return digits
    if re.fullmatch(r"[1-9]\d{0,2}(,\d{3})+\.\d+|[1-9]\d{0,2}(,\d{3}){2,}", digits):
        return digits.replace(",", "")
    if re.fullmatch(r"[1-9]\d{0,2}(\.\d{3})+(,\d+)?" if mark == ",." else r"[1-9]\d{0,2}(\.\d{3})+,\d+", digits):
        return digits.replace(".", "").replace(",", ".")
    if mark == "." and re.fullmatch(r"[1-9]\d{0,2},\d{3}", digits):
        return digits.replace(",", "")
    if re.fullmatch(r"\d+,\d+" if mark == "," else r"\d+,(\d{1,2}|\d{4,})|0,\d+", digits):
        return digits.replace(",", ".")
    return None


def _scaled(number: str, power: int, places: int) -> str | None:
    """The number times a power of ten, with as many places as the column has; None where that would lose some."""
    if len(number) > 20:
        return None
    exact = decimal.Decimal(number).scaleb(power)
    rounded = exact.quantize(decimal.Decimal(1).scaleb(-places))
    return str(rounded) if rounded == exact else None


def _without_noise(number: str) -> str:
    """0.10400000000000001 as 0.104: what adding binary fractions left behind."""
    if re.fullmatch(r"\d{1,6}\.\d*(0{6,}\d{1,3}|9{6,}\d{0,3})", number) and len(number) > 14:
        return format(round(float(number), 9), ".9f").rstrip("0").rstrip(".")
    return number


def _uniform_number(
    value: str, units: dict[str, int], words: dict[str, str], mark: str, places: int, drop_zero: bool, style: str
) -> str:
    """The number in the column's style; a text that is no number, or no clear one, stays as it is."""
    if len(value) > 40:
        return value
    if value.casefold() in words:
        return words[value.casefold()]
    unit, sign, digits = _split_number(value) or ("", "", "")
    number = _plain_number(digits, mark) if unit in units else None
    if number is not None and units[unit]:
        number = _scaled(number, units[unit], places)
    if number is None:
        return value
    number = _without_noise(number)
    if drop_zero:
        number = re.sub(r"\.0+$", "", number)
    return style.replace("1", sign + number)


def _repair(column):
    """The repair of the texts of a column, which remembers what it has seen."""
    return functools.cache(lambda value: _uniform_number(value, units=_UNITS, words=_WORDS, mark=_MARK, places=_PLACES, drop_zero=_DROP_ZERO, style=_STYLE))


def detect(df):
    """True where a row still has the issue."""
    flagged = pd.Series(False, index=df.index)
    for name in _COLUMNS:
        fix = _repair(name)
        wrong = [isinstance(cell, str) and fix(cell) != cell for cell in df[name].tolist()]
        flagged = flagged | pd.Series(wrong, index=df.index, dtype=bool)
    return flagged


def plain_numbers_in_amount(df):
    """Write every number plainly."""
    out = df.copy()
    for name in _COLUMNS:
        fix = _repair(name)
        cells = [fix(cell) if isinstance(cell, str) else cell for cell in df[name].tolist()]
        out[name] = pd.Series(cells, index=df.index, dtype=df[name].dtype)
    return out
