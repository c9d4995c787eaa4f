"""Codes that a table program took for numbers: ZIP code "2134" → "02134", EAN "4.006381333931e12" → "4006381333931".

Needed as proof of lost zeros: codes that kept theirs, also two or more that all have, or a column named after postal
codes in which several are short, or that each short code stands in the column with its zeros, and far more often (6
beside 06); of an exponent: most cells are whole codes of the same length. Left alone: every other column of digits, for
there a short number is a small number; codes that another column tells to be whole (Swiss ones beside German ones);
short codes that begin with a zero (0150 Oslo), also in rows that were not seen; and exponents that lost figures
(4.00638E+12).
"""

import re
from collections import Counter

from orchestrator.core.conventions import ColumnConvention
from orchestrator.propose.builtin.repair_rule import RepairRule, RuleFinding
from orchestrator.propose.builtin.working_rows import TextColumn, WorkingRows

_POSTAL = re.compile(r"(?i)(?:^|[^a-z])(?:zip|postal|postcode|plz)|zip_?code")

_COUNTRY = re.compile(r"(?i)country|nation|(?:^|[^a-z])(?:land|pays|pa[ií]s|paese|ctry)(?:[^a-z]|$)")
_MOST_GROUPS = 100
_BY_CHANCE = 0.001
_AS_MANY, _OFTEN = 3, 5
_MOST, _NEARLY = 0.8, 0.95  # of the cells are whole; are whole or short


def _padded(value: str, width: int, least: int) -> str:
    """Short digits with zeros in front; any other text as it is, and so what kept a zero: nothing was lost of it."""
    digits = value.isascii() and value.isdecimal() and value[0] != "0"
    return value.zfill(width) if digits and least <= len(value) < width else value


def _look(column: TextColumn, _convention: ColumnConvention, table: WorkingRows) -> RuleFinding | None:
    """The figures that codes have, and the fewest of one that lost some."""
    sizes = ((width, width - 1 - _zeros_of_all(column, width)) for width in (5, 4, 6, 8))
    found = next((one for one in sizes if _lost_zeros(column, *one)), None) or _known_with_zeros(column)
    if found is None or _are_whole(column, *found, table):
        return None
    return RuleFinding({"width": found[0], "least": found[1]})


def _zeros_of_all(column: TextColumn, width: int) -> int:
    """How many zeros all whole codes begin with, one at least: record numbers of a hospital that never had so many."""
    whole = (text for text in column.counts if len(text) == width and text.isascii() and text.isdecimal())
    zeros = min((width - len(text.lstrip("0")) for text in whole), default=1)
    return min(max(zeros, 1), width - 2)


def _known_with_zeros(column: TextColumn) -> tuple[int, int] | None:
    """As `_look`, where the column has each short code with its zeros, too, in far more rows."""
    counts = {text: count for text, count in column.counts.items() if text.isascii() and text.isdecimal()}
    lengths = Counter[int]()
    for text, count in counts.items():
        lengths[len(text)] += count
    width, rows = max(lengths.items(), key=lambda item: item[1], default=(0, 0))
    short = {text: count for text, count in counts.items() if len(text) < width and text[0] != "0"}
    if not short or rows < _MOST * column.filled or rows + sum(short.values()) < _NEARLY * column.filled:
        return None
    known = all(counts.get(text.zfill(width), 0) >= _AS_MANY * count for text, count in short.items())
    return (width, min(map(len, short))) if known and sum(counts.values()) == rows + sum(short.values()) else None


def _are_whole(column: TextColumn, width: int, least: int, table: WorkingRows) -> bool:
    """Whether another column tells why codes are short: all codes of a country are, more than would be by chance."""
    short = {row for text, rows in column.places.items() if _padded(text, width, least) != text for row in rows}
    kept = column.rows(lambda text: text[0] == "0" and len(text) == width)
    chance = len(short) / (len(short) + kept)
    for other in table.columns:
        if other is column or len(other.counts) > _MOST_GROUPS:
            continue
        enough = 2 if _COUNTRY.search(other.name) and len(other.counts) > 1 else 0
        for rows in other.places.values():
            filled = [row in short for row in rows if column.cells[row]]
            if filled and all(filled) and (chance ** len(filled) < _BY_CHANCE or 0 < enough <= len(filled)):
                return True
    return False


def _lost_zeros(column: TextColumn, width: int, least: int) -> bool:
    """Whether the column holds codes of that many digits, and some lost their zeros: all that they had, or none."""
    postal = width == 5 and bool(_POSTAL.search(column.name))
    whole = re.compile(rf"[0-9]{{{width}}}" + ("(-[0-9]{4})?" if postal else ""))  # ZIP+4
    full = column.rows(lambda text: whole.fullmatch(text) is not None)
    short = column.rows(lambda text: _padded(text, width, least) != text)
    if any(re.fullmatch(rf"0[0-9]{{{least - 1},{width - 2}}}", text) for text in column.counts):
        return False  # a short code with a zero in front is a code of another country
    zeros = column.rows(lambda text: text[0] == "0" and whole.fullmatch(text) is not None)
    enough = full >= (0.7 if postal else _MOST) * column.filled and full + short >= _NEARLY * column.filled
    if short == 0 or not enough or not (zeros >= 3 or (postal and short >= 0.03 * column.filled)):
        return False
    if postal:
        return zeros < 3 or not _are_never_whole(column, width, least)
    return not _are_another_kind(column, width, least)


def _are_never_whole(column: TextColumn, width: int, least: int) -> bool:
    """Whether short codes that come again are short each time, more often than by chance, beside codes with zeros.

    Where some rows lost their zeros, such a code stands there whole as well; a code of another country never does.
    """
    short = {text: count for text, count in column.counts.items() if _padded(text, width, least) != text}
    whole = Counter({text: count for text, count in column.counts.items() if text[0] == "0" and len(text) == width})
    chance = sum(short.values()) / (sum(short.values()) + whole.total())
    again = sum(count - 1 for text, count in short.items() if not whole[text.zfill(width)])
    return chance**again < _BY_CHANCE and not any(whole[text.zfill(width)] for text in short)


def _are_another_kind(column: TextColumn, width: int, least: int) -> bool:
    """Whether the short codes lost nothing: as many lack all figures as all but one, or one stands for something else.

    Of ten codes that begin with a zero one begins with two; of those that are numbered in a row as many as kept them.
    """
    counts = {text: count for text, count in column.counts.items() if text.isascii() and text.isdecimal()}
    by_one, by_two = (sum(c for text, c in counts.items() if len(text) == length) for length in (least + 1, least))
    often = max(count for text, count in counts.items() if len(text) == width)
    same = max((count for text, count in counts.items() if least <= len(text) < width), default=0)
    kept = Counter[int]()
    for text, count in counts.items():
        kept[len(text.lstrip("0"))] += count if len(text) == width else 0
    share = _AS_MANY * kept[least] / kept[least + 1] if kept[least + 1] else 0
    return by_two > max(1, by_one / _AS_MANY, by_one * share) or (same >= _OFTEN and same > _AS_MANY * often)


def _written_out(value: str, width: int) -> str:
    """A number with an exponent as its digits, where all of them are there; any other text as it is."""
    match = re.fullmatch(r"([1-9])\.([0-9]{10,30})[eE]\+?([0-9]{2})", value)
    if match is None or int(match[3]) != width - 1 or len(match[2]) < width - 1 or match[2][width - 1 :].strip("0"):
        return value
    return match[1] + match[2][: width - 1]


def _look_for_exponents(column: TextColumn, _convention: ColumnConvention, _table: WorkingRows) -> RuleFinding | None:
    """Codes of 11 to 15 digits; of longer ones a float has not all."""
    lengths = Counter[int]()
    for text, count in column.counts.items():
        lengths[len(text) if text.isascii() and text.isdecimal() else 0] += count
    width, rows = max(lengths.items(), key=lambda item: item[1], default=(0, 0))
    written = any(_written_out(text, width) != text for text in column.counts)
    return RuleFinding({"width": width}) if 11 <= width <= 15 and rows >= 0.5 * column.filled and written else None


EXPONENTS = RepairRule(
    name="written_out_codes_in_{columns}",
    issue="Some codes in {columns} are written with an exponent, as numbers.",
    doc="Write codes as their {width} digits.",
    fix=_written_out,
    look=_look_for_exponents,
    imports=("re",),
)
LOST_ZEROS = RepairRule(
    name="restore_zeros_in_{columns}",
    issue="Codes in {columns} have {width} digits, but some lost their leading zeros.",
    doc="Fill codes with leading zeros to {width} digits.",
    fix=_padded,
    look=_look,
    compares=True,
)
