"""Thousands and millions in short, "1.6K" beside "372", "€103.5M" beside "€560K": written out, as one can sort them.

Found by what stands beside: whole numbers too large for a unit, and none as large as the shortened ones, or two of the
signs; or whole numbers of the same size, as "52,000" beside "52k". Left alone: a column that writes all in one way, as
"54K", for no other cell shows what its K means; sizes of files, whose K may be 1,024; and seats and houses, such as 12K
beside 101, which are never written as 1.2K.
"""

import re
from collections import Counter

from orchestrator.propose.builtin.repair_rule import RepairRule, where
from orchestrator.propose.builtin.rules.number_words import words_of
from orchestrator.propose.builtin.working_rows import TextColumn

_SHORT = re.compile(r"([$€£¥]?)(\d{1,3}(?:\.\d{1,3})?)([kKM])")
_WHOLE = re.compile(
    r"-?((?:(?:[$€£¥]|[A-Z]{3}) ?)?)(\d{1,3}(?:,\d{3}){1,6}|\d{1,18})(?:\.00?)?(?: ?(?:[$€£¥]|[A-Z]{3}))?"
)
_POWERS = {"K": 3, "M": 6}
_BOTH = 0.95  # of the shortened numbers are as large as the others
_NUMBERS = 0.9  # of the cells are written in one of the two ways; what the others are (DOE, $27.40/hr) says nothing
_LEAST = 99  # a whole number above that is no number of what comes in thousands
_SEVERAL = 3  # different texts
_MANY = 10  # different whole numbers
_DECIMALS = 0.2  # of the shortened texts, or they may be no amounts, unless they have a currency
_OTHER_K = frozenset({"bytes", "capacity", "disk", "file", "memory", "quality", "ram", "resolution", "size", "storage"})
_OFTEN = 0.05  # of the cells have the second sign, where no whole number shows what the signs mean


def _written_out(value: str) -> str:
    """1.6K as 1600; the sign of a currency stays."""
    found = re.fullmatch(r"([$€£¥]?)(\d{1,3})(?:\.(\d{1,3}))?([kKM])", value)
    if not found:
        return value
    power = 6 if found[4] == "M" else 3
    figures = (found[2] + (found[3] or "").ljust(power, "0")).lstrip("0") or "0"
    return found[1] + figures


def _mixes_scales(column: TextColumn) -> bool:
    if not _OTHER_K.isdisjoint(words_of(column.name)) or not column.may_be(
        lambda text: bool(_SHORT.fullmatch(text) or _WHOLE.fullmatch(text))
    ):
        return False
    short = {text: found for text in column.counts if (found := _SHORT.fullmatch(text))}
    whole = {text: found for text in column.counts if (found := _WHOLE.fullmatch(text))}
    if sum(map(column.counts.__getitem__, [*short, *whole])) < _NUMBERS * column.filled:
        return False
    sizes = sorted(int(found[2].replace(",", "")) for text, found in whole.items() if text[0] != "-")
    decimals = sum("." in text for text in short) >= _DECIMALS * len(short)
    signs = Counter[str](dict.fromkeys(_POWERS, 0))
    for text, found in short.items():
        signs[found[3].upper()] += column.counts[text]
    if len(short) >= _SEVERAL and _are_as_large(
        sizes, [_size(found) for found in short.values()], decimals, min(signs.values()) >= _OFTEN * column.filled
    ):
        return True
    if len(short) < _SEVERAL or len({found[1] for found in short.values()}) > 1:
        return False
    currency = {found[1] for found in short.values()} != {""}
    if not currency and not decimals:
        return False
    least = min(map(_size, short.values()))
    shown = len({size for size in sizes if size > _LEAST}) >= _SEVERAL
    return max(sizes, default=0) < least and (shown or min(signs.values()) >= _OFTEN * column.filled)


def _size(short: "re.Match[str]") -> float:
    return float(short[2]) * 10.0 ** _POWERS[short[3].upper()]


def _are_as_large(sizes: list[int], short: list[float], decimals: bool, both: bool) -> bool:
    """Whether the shortened numbers, written out, are as large as whole ones, which are never as small as they look.

    With decimals they are thousands of something whatever stands beside; with `both` signs, however large they are.
    """
    if len({*sizes}) < _MANY:
        return False
    low, high = sizes[len(sizes) // 20], sizes[-1 - len(sizes) // 20]
    return (low > 1000 or (decimals and high > 1000)) and sum(
        low / 2 <= size and (size <= 2 * high or (decimals and both)) for size in short
    ) >= _BOTH * len(short)


RULE = RepairRule(
    name="written_out_thousands_in_{columns}",
    issue="Some numbers of {columns} are written in thousands or millions (K, M), others are not.",
    doc="Write thousands and millions out.",
    fix=_written_out,
    look=where(_mixes_scales),
    imports=("re",),
)
