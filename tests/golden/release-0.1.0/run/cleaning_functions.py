"""Cleaning functions that cleanroom proved before it wrote them here. Needs pandas, and pyarrow for Parquet.

    import cleaning_functions; clean_frame = cleaning_functions.clean(frame)
    python cleaning_functions.py IN OUT

Each function stands below as the text that passed its checks, in a namespace of its own. Here they run in
your process, without the sandbox; `cleanroom apply` runs the same functions locked away.

Applied in this order:
   1. trim_blanks: Stray blanks stand around the texts of city.
   2. plain_numbers_in_amount: Numbers in amount are not all written as plain numbers.
   3. iso_dates_in_day: Dates in day are written in 2 formats.
   4. correct_spelling_in_city: Some texts in city are written in several ways or misspelt.
"""

import argparse
import copy
import hashlib
import linecache
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
import pandas as pd


class Function(NamedTuple):
    """A function as it was promoted: `apply` takes and returns a DataFrame, a dict or a str, as its shape says.

    A function of texts cleans every text in its columns.
    """

    name: str
    source: str
    apply: Callable[[Any], Any]
    shape: str = "table"
    columns: tuple[str, ...] = ()


def _load(name: str, sha256: str, text: str, shape: str = "table", columns: tuple[str, ...] = ()) -> Function:
    """Run the source in a module of its own and take its function. Refuses a text other than the proved one."""
    source = text[1:]  # the first line break only makes the listing readable
    if hashlib.sha256(source.encode()).hexdigest() != sha256:
        raise ImportError(f"{name} is not the text that was proved: it was changed after its export")
    module = ModuleType(f"{__name__}.{name}")
    filename = f"<{name} of {Path(__file__).name}>"
    linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)
    sys.modules[module.__name__] = module  # dataclasses look their module up
    exec(compile(source, filename, "exec", dont_inherit=True), module.__dict__)  # noqa: S102 - this file's purpose
    return Function(name, source, module.__dict__[name], shape, columns)



# ── 1. trim_blanks ─────────────────────────────────────────────────────────────────────────────────────────
# Stray blanks stand around the texts of city.
# version 1, changes: city
_function_1 = _load(
    "trim_blanks",
    "bf153e08257bd0f304f0020bde2a887bdac863561d67da524186abf7283fe372",
    r'''
"""Stray blanks stand around the texts of city."""

import functools
import re

import pandas as pd

CONTRACT = {
    'shape': 'table',
    'modifies': ['city'],
    'examples': [
        {'input': {'city': ' Paris'}, 'output': {'city': 'Paris'}},
        {'input': {'city': ' London'}, 'output': {'city': 'London'}},
        {'input': {'city': ' LONDON'}, 'output': {'city': 'LONDON'}},
    ],
}

_COLUMNS = ['city']


def _trim(value: str) -> str:
    """The text with plain spaces, no invisible characters, and nothing around it."""
    value = re.sub("[\u00a0\u2007\u202f]", " ", value)
    return re.sub("[\u200b\u2060\ufeff]", "", value).strip()


def _fix(value):
    return _trim(value)


def detect(df):
    """True where a row still has the issue."""
    fix = functools.cache(_fix)
    flagged = pd.Series(False, index=df.index)
    for name in _COLUMNS:
        wrong = [isinstance(cell, str) and fix(cell) != cell for cell in df[name].tolist()]
        flagged = flagged | pd.Series(wrong, index=df.index, dtype=bool)
    return flagged


def trim_blanks(df):
    """Strip blanks at both ends; make odd spaces plain and drop invisible characters."""
    fix = functools.cache(_fix)
    out = df.copy()
    for name in _COLUMNS:
        cells = [fix(cell) if isinstance(cell, str) else cell for cell in df[name].tolist()]
        out[name] = pd.Series(cells, index=df.index, dtype=df[name].dtype)
    return out
''',
)

# ── 2. plain_numbers_in_amount ─────────────────────────────────────────────────────────────────────────────
# Numbers in amount are not all written as plain numbers.
# version 1, changes: amount
_function_2 = _load(
    "plain_numbers_in_amount",
    "8f12ea9557979d2ab395f45844cdedec7293306c6f0b3121c1856e210dda4c45",
    r'''
"""Numbers in amount are not all written as plain numbers."""

import decimal
import functools
import re

import pandas as pd

CONTRACT = {
    'shape': 'table',
    'modifies': ['amount'],
    'examples': [
        {'input': {'amount': '1,058'}, 'output': {'amount': '1058'}},
        {'input': {'amount': '1,107'}, 'output': {'amount': '1107'}},
        {'input': {'amount': '1,195'}, 'output': {'amount': '1195'}},
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


def _fix(value):
    return _uniform_number(value, units=_UNITS, words=_WORDS, mark=_MARK, places=_PLACES, drop_zero=_DROP_ZERO, style=_STYLE)


def detect(df):
    """True where a row still has the issue."""
    fix = functools.cache(_fix)
    flagged = pd.Series(False, index=df.index)
    for name in _COLUMNS:
        wrong = [isinstance(cell, str) and fix(cell) != cell for cell in df[name].tolist()]
        flagged = flagged | pd.Series(wrong, index=df.index, dtype=bool)
    return flagged


def plain_numbers_in_amount(df):
    """Write every number plainly."""
    fix = functools.cache(_fix)
    out = df.copy()
    for name in _COLUMNS:
        cells = [fix(cell) if isinstance(cell, str) else cell for cell in df[name].tolist()]
        out[name] = pd.Series(cells, index=df.index, dtype=df[name].dtype)
    return out
''',
)

# ── 3. iso_dates_in_day ────────────────────────────────────────────────────────────────────────────────────
# Dates in day are written in 2 formats.
# version 1, changes: day
_function_3 = _load(
    "iso_dates_in_day",
    "050c3c32f447f9e949a1d920e9d8f2e041cb1b99d6202a4f199d46fab996594a",
    r'''
"""Dates in day are written in 2 formats."""

import datetime as dt
import functools
import re

import pandas as pd

CONTRACT = {
    'shape': 'table',
    'modifies': ['day'],
    'examples': [
        {'input': {'day': '18/02/2024'}, 'output': {'day': '2024-02-18'}},
        {'input': {'day': '13/01/2024'}, 'output': {'day': '2024-01-13'}},
        {'input': {'day': '13/07/2024'}, 'output': {'day': '2024-07-13'}},
    ],
}

_COLUMNS = ['day']
_ORDERS = {'/': 'dmy'}
_MONTHS = {
    'january': '1',
    'jan': '1',
    'february': '2',
    'feb': '2',
    'march': '3',
    'mar': '3',
    'april': '4',
    'apr': '4',
    'may': '5',
    'june': '6',
    'jun': '6',
    'july': '7',
    'jul': '7',
    'august': '8',
    'aug': '8',
    'september': '9',
    'sep': '9',
    'sept': '9',
    'october': '10',
    'oct': '10',
    'november': '11',
    'nov': '11',
    'december': '12',
    'dec': '12',
}
_FORM = 'yyyy-mm-dd'
_OLD = []


def _read_date(value: str, orders: dict[str, str], months: dict[str, str]) -> dt.date | None:
    """The date in a text; `orders` says per separator what comes first: "mdy", "dmy" or "ymd"."""
    value = re.sub(r"[ T]00:00(:00(\.0+)?)?Z?$", "", value)
    if match := re.fullmatch(r"(\d{4})([-/.])(\d{1,2})\2(\d{1,2})", value):
        year, month, day = match[1], match[3], match[4]
    elif match := re.fullmatch(r"(\d{1,2})([-/. ])(\d{1,2})\2(\d{4}|\d{2})", value):
        first, second, year = match[1], match[3], match[4]
        order = orders.get(match[2], "")
        if len(year) == 4:
            told = "dmy" if int(first) > 12 else "mdy" if int(second) > 12 else order
            if told not in ("dmy", "mdy") or (order and told != order):
                return None
            order = told
        if not order:
            return None
        given = dict(zip(order, (first, second, year)))
        year, month, day = given["y"], given["m"], given["d"]
        if len(year) < 4:
            year = str(int(year) + (2000 if int(year) < 69 else 1900))
    elif match := re.fullmatch(r"(\d{4})年(\d{1,2})月(\d{1,2})日", value):
        year, month, day = match.groups()
    elif match := re.fullmatch(r"([^\W\d_]{3,10})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})", value):
        month, day, year = match.groups()
    elif match := re.fullmatch(r"(\d{1,2})(?:st|nd|rd|th|\.)?[ -]([^\W\d_]{3,10})\.?,?[ -](\d{4})", value):
        day, month, year = match.groups()
    else:
        return None
    if month.isalpha():
        month = months.get(month.lower(), "0")
    try:
        return dt.date(int(year), int(month), int(day))
    except ValueError:
        return None


def _write_date(date: dt.date, form: str, months: dict[str, str]) -> str:
    """The date in a format such as yyyy-mm-dd, d.m.yy or "mmmm d, yyyy"."""
    names = [name.title() for name in months if months[name] == str(date.month)]
    parts = {
        "yyyy": f"{date.year:04}", "yy": f"{date.year % 100:02}", "mmmm": names[0], "mmm": names[0][:3],
        "mm": f"{date.month:02}", "m": str(date.month), "dd": f"{date.day:02}", "d": str(date.day),
    }  # fmt: skip
    return re.sub("y+|m+|d+", lambda token: parts[token[0]], form)


def _same_dates(value: str, orders: dict[str, str], months: dict[str, str], form: str, old: list[str]) -> str:
    """The date in the one format; a text that is no date, or no clear one, or has the format already, as it is."""
    if len(value) >= 40 or any(sign.isdigit() and not sign.isascii() for sign in value):
        return value
    if value not in old:
        mark = re.sub("[ymd]", "", form)[:1]
        known = _read_date(value, {mark: re.sub(r"(.)\1*", r"\1", re.sub("[^ymd]", "", form))}, months)
        if known is not None and _write_date(known, form, months) == value:
            return value
    found = _read_date(value, orders, months)
    written = value if found is None else _write_date(found, form, months)
    return value if written in old else written


def _fix(value):
    return _same_dates(value, orders=_ORDERS, months=_MONTHS, form=_FORM, old=_OLD)


def detect(df):
    """True where a row still has the issue."""
    fix = functools.cache(_fix)
    flagged = pd.Series(False, index=df.index)
    for name in _COLUMNS:
        wrong = [isinstance(cell, str) and fix(cell) != cell for cell in df[name].tolist()]
        flagged = flagged | pd.Series(wrong, index=df.index, dtype=bool)
    return flagged


def iso_dates_in_day(df):
    """Write dates as yyyy-mm-dd; leave what is no clear date."""
    fix = functools.cache(_fix)
    out = df.copy()
    for name in _COLUMNS:
        cells = [fix(cell) if isinstance(cell, str) else cell for cell in df[name].tolist()]
        out[name] = pd.Series(cells, index=df.index, dtype=df[name].dtype)
    return out
''',
)

# ── 4. correct_spelling_in_city ────────────────────────────────────────────────────────────────────────────
# Some texts in city are written in several ways or misspelt.
# version 1, changes: city
_function_4 = _load(
    "correct_spelling_in_city",
    "1cc7ac1a29feed9e98e1ed2e0122508deb33c8e3224966fcfe7ee7baafb90c11",
    r'''
"""Some texts in city are written in several ways or misspelt."""

import functools

import pandas as pd

CONTRACT = {
    'shape': 'table',
    'modifies': ['city'],
    'examples': [
        {'input': {'city': 'BERLIN'}, 'output': {'city': 'Berlin'}},
        {'input': {'city': 'PARIS'}, 'output': {'city': 'Paris'}},
        {'input': {'city': 'LONDON'}, 'output': {'city': 'London'}},
    ],
}

_COLUMNS = ['city']
_LISTED = ['Berlin', 'Paris', 'London']
_WRITTEN = {'berlin': 'Berlin', 'paris': 'Paris', 'london': 'London'}
_SLIPS = False
_KEEP = []


def _edits(left: str, right: str, limit: int) -> int:
    """Letters lost, added, replaced or swapped with the next one; `limit` + 1 where there are more than that."""
    if left == right:
        return 0
    start = 0
    while start < min(len(left), len(right)) and left[start] == right[start]:
        start += 1
    end = 0
    while end < min(len(left), len(right)) - start and left[-1 - end] == right[-1 - end]:
        end += 1
    left, right = left[start : len(left) - end], right[start : len(right) - end]
    if abs(len(left) - len(right)) > limit or min(len(left), len(right)) > 4 * limit + 4:
        return limit + 1
    before: list[int] = []
    row = list(range(len(right) + 1))
    for i, a in enumerate(left, 1):
        older, before, row = before, row, [i]
        for j, b in enumerate(right, 1):
            row.append(min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (a != b)))
            if i > 1 and j > 1 and a == right[j - 2] and left[i - 2] == b:
                row[j] = min(row[j], older[j - 2] + 1)
    return min(row[-1], limit + 1)


def _fingerprint(value: str) -> str:
    """What stays of a text when case, wrapping quotes, separators and "&" or "and" do not count."""
    plain = value.casefold().replace("&", " and ").replace("_", " ").replace("-", " ")
    return " ".join(plain.strip(" \"'.,;").split())


def _is_inflection(word: str, right: str) -> bool:
    """Whether two words differ by a beginning or an ending that has a meaning: hypo- and hyper-, -er and -ee."""
    for one, other in ((word, right), (right, word)):
        for first, second in (("hyper", "hypo"), ("inter", "intra"), ("micro", "macro"), ("pre", "pro"), ("ab", "ad")):
            if one.startswith(first) and other.startswith(second) and one[len(first) :] == other[len(second) :]:
                return True
    endings = ("s", "es", "e", "ed", "er", "or", "ee", "y", "ly", "al", "ic", "ing", "en", "in", "a", "o", "an", "ian")
    stems = []
    for text in (word, right):
        own = [end for end in endings if text.endswith(end) and not (end == "s" and text.endswith("ss"))]
        stems.append({text, *(text[: -len(end)] for end in own)})
    return any(len(stem) >= 3 for stem in stems[0] & stems[1])


def _slips(text: str, listed: str) -> int:
    """How many slips make `text` out of `listed`, word by word; 9 where the difference is more than slips."""
    words, right = text.casefold().split(), listed.casefold().split()
    if len(words) != len(right):
        joined = len(listed) >= 8 and abs(len(words) - len(right)) == 1
        return 1 if joined and "".join(words) == "".join(right) else 9
    slips = 0
    for place, (word, wanted) in enumerate(zip(words, right)):
        if word == wanted:
            continue
        limit = 2 if len(wanted) >= 9 else 1
        starts_alike = word[0] == wanted[0] or place > 0
        if not (word.isalpha() and wanted.isalpha() and len(wanted) >= 4 and starts_alike):
            return 9
        edits = _edits(word, wanted, limit)
        slips += 9 if edits > limit or _is_inflection(word, wanted) else edits
    return slips if len(listed) >= 6 and slips <= 2 else 9


def _respell(value: str, listed: list[str], written: dict[str, str], slips: bool, keep: list[str]) -> str:
    """The listed text that was meant; a text that is listed, to be kept, or near none or several, as it is."""
    if value in listed or value in keep or len(value) > 100:
        return value
    meant = written.get(_fingerprint(value))
    if meant is not None or not slips:
        return meant or value
    near = sorted((_slips(value, text), text) for text in listed)[:2]
    if not near or near[0][0] > 2 or (len(near) > 1 and near[1][0] == near[0][0]):
        return value
    return near[0][1]


def _fix(value):
    return _respell(value, listed=_LISTED, written=_WRITTEN, slips=_SLIPS, keep=_KEEP)


def detect(df):
    """True where a row still has the issue."""
    fix = functools.cache(_fix)
    flagged = pd.Series(False, index=df.index)
    for name in _COLUMNS:
        wrong = [isinstance(cell, str) and fix(cell) != cell for cell in df[name].tolist()]
        flagged = flagged | pd.Series(wrong, index=df.index, dtype=bool)
    return flagged


def correct_spelling_in_city(df):
    """Write the 3 common texts in one way and correct slips of the keyboard."""
    fix = functools.cache(_fix)
    out = df.copy()
    for name in _COLUMNS:
        cells = [fix(cell) if isinstance(cell, str) else cell for cell in df[name].tolist()]
        out[name] = pd.Series(cells, index=df.index, dtype=df[name].dtype)
    return out
''',
)

FUNCTIONS: tuple[Function, ...] = (
    _function_1,
    _function_2,
    _function_3,
    _function_4,
)


def clean(frame: pd.DataFrame) -> pd.DataFrame:
    """A copy of the frame with every function applied, in order."""
    cleaned = frame.copy()
    if FUNCTIONS and FUNCTIONS[0].shape != "table":
        return _clean_rows(cleaned)
    for function in FUNCTIONS:
        cleaned = _settled(cleaned, function.apply(cleaned.copy()))
    return cleaned


def clean_record(record: dict[str, Any]) -> dict[str, Any]:
    """The record with every function of records and texts applied, in order; the one that is given stays as it is."""
    for function in FUNCTIONS:
        record = copy.deepcopy(record)
        if function.shape == "record":
            record = function.apply(record)
        for name in function.columns:
            if isinstance(record.get(name), str):
                record[name] = function.apply(record[name])
    return record


def _clean_rows(frame: pd.DataFrame) -> pd.DataFrame:
    """The frame with each row cleaned as a record in which a missing value is None; in place."""
    columns = {str(name): [_plain_value(value) for value in frame[name].tolist()] for name in frame.columns}
    given = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    made = [clean_record(record) for record in given]
    for name in dict.fromkeys(key for record in made for key in record):
        values = [record.get(name) for record in made]
        if name not in columns:
            frame[name] = values
        elif values != columns[name]:
            frame[name] = pd.Series(values, index=frame.index, dtype=_fitting(frame[name].dtype, values))
    return frame.drop(columns=[name for name in columns if made and not any(name in record for record in made)])


def _plain_value(value: Any) -> Any:
    return None if pd.api.types.is_scalar(value) and pd.isna(value) else value


def _fitting(dtype: Any, values: list[Any]) -> Any:
    """The type that the column had, if the values fit it."""
    try:
        pd.Series(values, dtype=dtype)
    except (TypeError, ValueError):
        return object
    return dtype


def _settled(before: pd.DataFrame, after: pd.DataFrame) -> pd.DataFrame:
    """Give back the types that pandas has no word for: a column without values, and an integer that is missing.

    The sandbox does the same between two functions; this file may import nothing of it.
    """
    lost = {}
    for name in after.columns.intersection(before.columns):
        old, new = before[name].dtype, after[name].dtype
        if old == new:
            continue
        missing = after[name].isna()
        if missing.all():
            lost[name] = pd.Int64Dtype() if old.kind in "iu" and len(after) else old
        elif old.kind in "iu" and new.kind == "f" and _are_integers(after[name].dropna(), old):
            lost[name] = pd.Int64Dtype() if missing.any() else old
    return after.astype(lost) if lost else after


def _are_integers(values: "pd.Series[Any]", kind: Any) -> bool:
    """Whether the floats are integers that the type can hold and that floats hold exactly."""
    limits = np.iinfo(kind.numpy_dtype if hasattr(kind, "numpy_dtype") else kind)
    exact = values.between(max(limits.min, -(2**53)), min(limits.max, 2**53)) & (values % 1 == 0)
    return bool(exact.all())



import codecs
import csv
import io
import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import pandas as pd

Clean = Callable[[pd.DataFrame], pd.DataFrame]
_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


def _decode(data: bytes) -> tuple[str, str, bytes]:
    """The text, its codec and its byte order mark."""
    bom, codec = next(((bom, codec) for bom, codec in _BOMS if data.startswith(bom)), (b"", "utf-8"))
    text = data[len(bom) :].decode(codec)
    if "\0" in text:
        raise ValueError("there is a NUL byte; this is no text file")
    return text, codec, bom


# ── CSV: every cell is text, a blank is the empty text; delimiter, quoting, line ends and encoding are kept ──


def _clean_csv(data: bytes, kind: str, clean: Clean) -> bytes:
    text, codec, bom = _decode(data)
    head = text if len(text.encode()) < 2**18 else text.encode()[: 2**18].decode(errors="ignore")
    delimiter = "\t" if kind == "tsv" else _delimiter(head)
    sample = [record for record, _ in zip(_records(head, delimiter), range(500), strict=False)]
    header, line_end, end = sample[0]
    names = [_value(cell) for cell in header]
    if len(set(names)) != len(names) or not all(name.strip() for name in names):
        raise ValueError("every column needs a name of its own in the header")
    csv.field_size_limit(2**31 - 1)
    lines = csv.reader(io.StringIO(text[end:], newline=""), delimiter=delimiter)
    rows = [row or [""] for row in lines if row or len(names) == 1]
    ragged = next((number for number, row in enumerate(rows, start=2) if len(row) != len(names)), None)
    if rows and text.count('"') % 2 and any(c in rows[-1][-1] for c in "\r\n"):
        raise ValueError(f"row {len(rows) + 1}: a quote is opened and never closed")
    if ragged is not None or not text[end:].strip("\r\n"):
        raise ValueError(f"row {ragged} has not as many fields as the header" if ragged else "there are no rows")
    columns = [pd.Series(list(column), dtype="str") for column in zip(*rows, strict=True)]
    cleaned = clean(pd.concat(columns, axis=1, keys=names))
    seen = [r for r, _, _ in (sample[1:] if head == text else sample[1:-1]) if len(r) == len(names)]
    bare = any('"' in cell for row in seen for cell in row if not cell.startswith('"'))
    styles = {name: _style([row[i] for row in seen], header[i], delimiter) for i, name in enumerate(names)}

    def line(row: Any, style: list[tuple[bool, bool]]) -> str:
        return delimiter.join(
            _quoted(cell, *style[i], delimiter, bare=bare, alone=len(row) == 1) for i, cell in enumerate(row)
        )

    order = [str(name) for name in cleaned.columns]
    style = [styles.get(name, (False, False)) for name in order]
    first = text[: end - len(line_end)] if order == names else line(order, style)
    body = zip(*(_texts(cleaned.iloc[:, i]) for i in range(len(order))), strict=True)
    made = (line_end or "\n").join([first, *(line(row, style) for row in body)])
    final = line_end if text.endswith(("\n", "\r")) else ""
    return bom + (made + final).encode(codec)


def _records(text: str, delimiter: str) -> Iterator[tuple[list[str], str, int]]:
    """The records as they stand, quotes included, each with its line end and the position after it."""
    d = re.escape(delimiter)
    pattern = re.compile(rf'("(?:[^"]|"")*+"?[^{d}\r\n]*+|[^{d}\r\n]*+)({d}|\r\n|\n|\r|\Z)')
    at, cells = 0, list[str]()
    while at < len(text) or cells:
        found = pattern.match(text, at)
        if found is None:
            return
        cells.append(found[1])
        at = found.end()
        if found[2] != delimiter:
            yield cells, found[2], at
            cells = []


def _delimiter(head: str) -> str:
    """The delimiter with which most of the first records have as many fields as the header."""
    best, best_score = ",", (0.0, 0)
    for delimiter in ",;\t|":
        records = zip(_records(head, delimiter), range(100), strict=False)
        counts = [len(cells) for (cells, _, _), _ in records if len(cells) > 1 or _value(cells[0])]
        if counts and counts[0] > 1:
            best_score, best = max(
                (best_score, best), ((sum(c == counts[0] for c in counts) / len(counts), counts[0]), delimiter),
                key=lambda pair: pair[0],
            )  # fmt: skip
    return best


def _value(cell: str) -> str:
    if not cell.startswith('"'):
        return cell
    end = cell.rfind('"')
    return cell[1:end].replace('""', '"') + cell[end + 1 :] if end > 0 else cell[1:]


def _style(cells: list[str], header: str, delimiter: str) -> tuple[bool, bool]:
    """Whether text, and whether blanks, stand in quotes in this column without need."""
    values = [(_value(cell), cell.startswith('"')) for cell in cells]
    blanks = [quoted for value, quoted in values if not value]
    texts = [quoted for value, quoted in values if value and not any(c in value for c in f'"\n\r{delimiter}')]
    text = sum(texts) * 2 > len(texts) if texts else header.startswith('"') and any(quoted for _, quoted in values)
    return text, sum(blanks) * 2 > len(blanks) if blanks else text


def _quoted(value: str, text: bool, blank: bool, delimiter: str, *, bare: bool, alone: bool) -> str:
    quote = value.startswith('"') if bare else '"' in value
    needed = quote or any(c in value for c in f"\n\r{delimiter}") or (text if value else blank or alone)
    return '"' + value.replace('"', '""') + '"' if needed else value


def _texts(series: "pd.Series[Any]") -> list[str]:
    if not isinstance(series.dtype, pd.StringDtype):
        import pyarrow as pa

        values = pa.array(series, from_pandas=True).cast(pa.string()).to_pylist()
        return ["" if value is None else value for value in values]
    return ["" if value is pd.NA or value != value else value for value in series.tolist()]  # noqa: PLR0124 - NaN


# ── JSON Lines: rows are written from their own line, only changed cells are put in anew ──


def _clean_jsonl(data: bytes, _kind: str, clean: Clean) -> bytes:
    text, codec, bom = _decode(data)
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    items: list[dict[str, Any]] = [json.loads(line) for line in lines]
    if not items or not all(isinstance(item, dict) for item in items):
        raise ValueError("JSON Lines needs one object per line")
    kinds: dict[str, set[str]] = {}
    for item in items:
        for name, value in item.items():
            kinds.setdefault(name, set()).add(_json_kind(value))
    types = {name: _json_type(found - {"null"}) for name, found in kinds.items()}
    frame = pd.DataFrame({n: _json_series([_cell(i.get(n), t) for i in items], t) for n, t in types.items()})
    cleaned = clean(frame)
    names = [str(name) for name in cleaned.columns]
    dumps = _dumper(lines)
    columns = [[None if pd.isna(v) else v for v in cleaned.iloc[:, i].tolist()] for i in range(len(names))]
    made = []
    for row, *cells in zip(cleaned.index, *columns, strict=True):
        item = items[row]
        dropped = [name for name in types if name not in names and name in item]
        changed = {
            name: cell for name, cell in zip(names, cells, strict=True)
            if (_cell(item.get(name), types[name]) if name in types else None) != cell
        }  # fmt: skip
        if not changed and not dropped:
            made.append(lines[row])
            continue
        renewed = item | {name: _json_value(cell, item.get(name)) for name, cell in changed.items()}
        kept = {name: value for name, value in renewed.items() if name not in dropped}
        made.append(dumps(kept))
    return _json_lines(made, text, codec, bom)


def clean_json_records(data: bytes, clean_record: Callable[[dict[str, Any]], dict[str, Any]]) -> bytes:
    """Clean each line as a record: lists and objects as such, missing keys missing; unchanged lines stay."""
    text, codec, bom = _decode(data)
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    items: list[dict[str, Any]] = [json.loads(line) for line in lines]
    names = list(dict.fromkeys(name for item in items for name in item))
    dumps = _dumper(lines)
    made = []
    for line, item in zip(lines, items, strict=True):
        cleaned = clean_record({name: item[name] for name in names if name in item})
        new = {n: v for n, v in cleaned.items() if n not in item or json.dumps(v) != json.dumps(item[n])}
        same = not new and cleaned.keys() == item.keys()
        made.append(line if same else dumps({n: v for n, v in item.items() if n in cleaned} | new))
    return _json_lines(made, text, codec, bom)


def _dumper(lines: list[str]) -> Callable[[dict[str, Any]], str]:
    """Writes objects as the lines are written: with or without blanks, with or without escapes."""
    separators = (", ", ": ") if '": ' in lines[0] or '":' not in lines[0] else (",", ":")
    ascii_only = any("\\u" in line for line in lines[:1000])
    return json.JSONEncoder(ensure_ascii=ascii_only, separators=separators, default=str).encode


def _json_lines(lines: list[str], text: str, codec: str, bom: bytes) -> bytes:
    line_end = "\r\n" if "\r\n" in text[: 2**20] else "\n"
    final = line_end if lines and text.endswith("\n") else ""
    return (bom if codec == "utf-8" else b"") + (line_end.join(lines) + final).encode()


def _json_kind(value: Any) -> str:
    if isinstance(value, int) and not isinstance(value, bool):
        return "int" if abs(value) <= 2**53 else "big" if -(2**63) <= value < 2**63 else "text"
    return {type(None): "null", bool: "bool", float: "float"}.get(type(value), "text")


def _json_type(found: set[str]) -> str:
    if found in ({"int"}, {"big"}, {"int", "big"}):
        return "int"
    return "float" if found in ({"float"}, {"int", "float"}) else "bool" if found == {"bool"} else "text"


def _json_series(values: list[Any], kind: str) -> "pd.Series[Any]":
    missing = any(value is None for value in values)
    dtype = {"int": "Int64" if missing else "int64", "bool": "boolean" if missing else "bool", "float": "float64"}
    return pd.Series(values, dtype=dtype.get(kind, "str"))


def _cell(value: Any, kind: str) -> Any:
    """A JSON value as a cell of its column; lists, objects and mixed values are text that holds JSON."""
    if value is None or kind not in ("text", "float") or (kind == "text" and isinstance(value, str)):
        return value
    return float(value) if kind == "float" else json.dumps(value, ensure_ascii=False)


def _json_value(cell: Any, before: Any) -> Any:
    """A cell as the JSON value that it stands for; `before` is what stood there."""
    if isinstance(cell, str) and before is not None and not isinstance(before, str):
        try:
            made = json.loads(cell)
        except ValueError:
            return cell
        return made if isinstance(made, type(before)) else cell
    if isinstance(cell, float) and isinstance(before, int) and not isinstance(before, bool) and cell.is_integer():
        return int(cell)
    return cell



import io
from collections.abc import Callable
from typing import Any

import pandas as pd

# ── Parquet: stored types, compression, row groups and metadata are kept ──


def clean_parquet(data: bytes, _kind: str, clean: Callable[[pd.DataFrame], pd.DataFrame]) -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    with pq.ParquetFile(io.BytesIO(data)) as file:
        stored, table = file.schema_arrow, file.read()
        group = file.metadata.row_group(0) if file.metadata.num_row_groups else None
        compression = group.column(0).compression.lower() if group else "snappy"
        rows = group.num_rows if group else 2**17
    columns = {name: _plain(table.column(name)) for name in stored.names}
    frame = pd.DataFrame({name: _arrow_series(column) for name, column in columns.items()})
    cleaned = clean(frame)
    arrays, fields = [], []
    for position, name in enumerate(map(str, cleaned.columns)):
        array = _arrow_array(cleaned.iloc[:, position], columns.get(name))
        field = stored.field(name) if name in columns else pa.field(name, array.type)
        fits = name not in columns or columns[name].type == array.type
        fields.append(field if fits else pa.field(name, array.type))
        arrays.append(_restored(array, fields[-1].type))
    metadata = dict(stored.metadata or {})
    if [field.name for field in fields] != stored.names:
        metadata.pop(b"pandas", None)  # it describes columns that are no longer there
    made = pa.table(arrays, schema=pa.schema(fields, metadata=metadata or None))
    sink = io.BytesIO()
    with pq.ParquetWriter(sink, made.schema, compression=compression.replace("uncompressed", "none")) as writer:
        writer.write_table(made, row_group_size=max(1, min(rows, 1_000_000)))
    return sink.getvalue()


def _plain(column: Any) -> Any:
    import pyarrow as pa

    if pa.types.is_dictionary(column.type):
        return column.cast(column.type.value_type)
    return column.cast(pa.string()) if pa.types.is_string_view(column.type) else column


def _restored(array: Any, kind: Any) -> Any:
    import pyarrow as pa

    if pa.types.is_dictionary(kind):
        return array.cast(kind.value_type).dictionary_encode().cast(kind)
    return array.cast(kind)


def _arrow_series(column: Any) -> Any:
    """The column for pandas: integers and booleans with missing values stay such, nested values are objects."""
    import pyarrow as pa

    kind = column.type
    if column.null_count and (pa.types.is_integer(kind) or pa.types.is_boolean(kind)):
        name = "boolean" if pa.types.is_boolean(kind) else str(kind).replace("u", "U").replace("int", "Int")
        return pd.Series(column.to_pylist(), dtype=name)
    if pa.types.is_nested(kind):
        return pd.Series(column.to_pylist(), dtype=object)
    return column.to_pandas()


def _arrow_array(series: "pd.Series[Any]", before: Any) -> Any:
    """The values as Arrow has them: of the type that the column had, where that loses nothing."""
    import pyarrow as pa
    import pyarrow.compute as pc

    keeps_nan = before is not None and pa.types.is_floating(before.type) and not before.null_count
    array = pa.array(series, from_pandas=not (keeps_nan and pc.any(pc.is_nan(before)).as_py()))
    array = array.combine_chunks() if isinstance(array, pa.ChunkedArray) else array
    array = array.cast(pa.string()) if pa.types.is_large_string(array.type) else array
    if before is None or array.type == before.type:
        return array
    try:
        return array.cast(before.type)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        return array


CLEANERS = {"csv": _clean_csv, "tsv": _clean_csv, "jsonl": _clean_jsonl, "parquet": clean_parquet}

def clean_file(source: Path, target: Path) -> None:
    """Clean a CSV, TSV, JSON Lines or Parquet file; the result appears whole or not at all. Raises ValueError."""
    kind = _kind(source)
    if _kind(target) != kind:
        raise ValueError(f"{source.name} and {target.name} must be of the same kind")
    if os.path.realpath(source) == os.path.realpath(target) or (target.exists() and source.samefile(target)):
        raise ValueError("input and output are the same file; name another output")
    by_row = bool(FUNCTIONS) and FUNCTIONS[0].shape != "table"
    data = source.read_bytes()
    made = clean_json_records(data, clean_record) if by_row and kind == "jsonl" else CLEANERS[kind](data, kind, clean)
    descriptor, name = tempfile.mkstemp(prefix=f".{target.name[:100]}.", dir=target.resolve().parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(made)
            file.flush()
            os.fsync(file.fileno())
        mask = os.umask(0o022)
        os.umask(mask)
        Path(name).chmod(target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~mask)
        Path(name).replace(target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


_KINDS = {".csv": "csv", ".txt": "csv", ".tsv": "tsv", ".tab": "tsv", ".jsonl": "jsonl", ".ndjson": "jsonl"}
_KINDS |= {".parquet": "parquet", ".pq": "parquet"}


def _kind(path: Path) -> str:
    kind = _KINDS.get(path.suffix.lower())
    if kind is None:
        raise ValueError(f"{path.name}: only CSV, TSV, JSON Lines and Parquet files can be cleaned")
    return kind


def main() -> None:
    parser = argparse.ArgumentParser(description="Clean a CSV, TSV, JSON Lines or Parquet file with these functions.")
    parser.add_argument("source", type=Path, metavar="IN")
    parser.add_argument("target", type=Path, metavar="OUT")
    options = parser.parse_args()
    try:
        clean_file(options.source, options.target)
    except ValueError as error:  # UnicodeDecodeError and JSONDecodeError are among them
        parser.exit(2, f"{parser.prog}: {options.source}: {error}\n")
    except OSError as error:
        parser.exit(3, f"{parser.prog}: {error.filename or options.target}: {error.strerror}\n")


if __name__ == "__main__":
    main()
