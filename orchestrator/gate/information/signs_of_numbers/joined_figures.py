"""What stands between two figures and makes them one number, a fraction or a product. Called by laws.py."""

import re
from collections import Counter
from collections.abc import Sequence
from decimal import Decimal
from itertools import islice

from orchestrator.gate.information.changes import Change, Found
from orchestrator.gate.information.value_kinds.number_parsing import reading
from orchestrator.gate.information.value_kinds.units import same_quantity

MOST, LONGEST = 50, 300  # of one text that are looked at, and characters of one that a witness may show
_DECIMAL = re.compile(r"(?<![\d.,:/-])(\d{1,6})[.,](\d{1,2})(?![\d:/-]|[.,]\d|[eE][+-]?\d)")
_ONE_DECIMAL = re.compile(r"\D*(\d{1,6})[.,](\d{1,2})\D*")
_TWO_NUMBERS = re.compile(r"\D*(\d{1,6})\s?[:+h\u00b0']\s?(\d{2,3})\D*")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_POWERS = {Decimal(10), Decimal(100), Decimal(1000)}
_FRACTION = re.compile(r"(?<![\d/.,-])(\d{1,3})/(\d{1,3})(?![\d/.-])")
_PRODUCT = re.compile(r"(\d)\s?[x\u00d7*](?=\s?(\d))", re.IGNORECASE)
_WITH_LETTER = re.compile(r"(\d)\s?([^\W\d_])(?=\s?(\d))")


def marks_between_gone(changed: Sequence[Change]) -> Found | None:
    """The mark of a decimal or of a fraction that goes."""
    return _decimal_marks_gone(changed) or _fractions_parted(changed)


def products_changed(changed: Sequence[Change]) -> Found | None:
    """The sign between two numbers that becomes another letter: `4×16` as `4G16`, and no `1x05` as `S1E05`."""
    for before, after in changed:
        joined = set(islice(_PRODUCT.findall(before), MOST))
        letters = [(one, other) for one, letter, other in _WITH_LETTER.findall(after) if letter.casefold() != "x"]
        there = [(one, other) for one, letter, other in _WITH_LETTER.findall(before) if letter.casefold() != "x"]
        new = Counter(filter(str.isalpha, after.casefold())) - Counter(filter(str.isalpha, before.casefold()))
        if new.total() == 1 and any(pair in joined and pair not in there for pair in letters):
            return "the sign between two numbers becomes a letter", (before, after)
    return None


def decimals_padded(changed: Sequence[Change]) -> Found | None:
    """Decimals that get zeros in front and become another number: `12.5` as `12:05`, and not as `12:30`."""
    for before, after in changed:
        number, made = _ONE_DECIMAL.fullmatch(before), _TWO_NUMBERS.fullmatch(after)
        if number and made and int(made[1]) == int(number[1]) and made[2] in (f"0{number[2]}", f"00{number[2]}"):
            return "decimals get zeros in front", (before, after)
    return None


def _decimal_marks_gone(changed: Sequence[Change]) -> Found | None:
    """The mark between a number and its parts that goes beside letters or signs: `3G2,5` as `3G25`."""
    for before, after in changed:
        if len(_NUMBER.findall(before)) < 2 or reading(before) is not None:
            continue  # one number, perhaps in another unit or in groups: other laws compare it as a whole
        for match in islice(_DECIMAL.finditer(before), MOST):
            if match[1] + match[2] not in after:
                continue  # of thousands of cells few need a pattern of their own
            joined = re.compile(rf"(?<!\d){match[1]}{match[2]}(?!\d)")
            whole = re.compile(rf"(?<!\d){match[1]}\s?[.,:]\s?{match[2]}")
            gone = joined.search(after) and not joined.search(before) and not whole.search(after)
            if gone and not same_quantity(before, after) and not _all_scaled(before, after):  # 3.46 m as 346 cm
                return "a decimal mark is left out", (before, after)
    return None


def _all_scaled(before: str, after: str) -> bool:
    """Whether all numbers become as many times as large, a whole one among them: `25,5 x 42 cm` as 255 and 420."""
    ours, theirs = (_NUMBER.findall(text)[:MOST] for text in (before, after))
    if len(ours) != len(theirs) or not any(number.isdecimal() for number in ours):
        return False
    pairs = [(reading(one.replace(",", ".")), reading(other)) for one, other in zip(ours, theirs, strict=True)]
    factors = {other / one for one, other in pairs if one and other is not None}
    return len(factors) == 1 and factors <= _POWERS and all(one for one, _ in pairs)


def scaled_as_shown(change: Change, shown: Sequence[Change]) -> bool:
    """Whether all its numbers become as many times as large as a witness shows of several with the same unit behind."""
    if max(map(len, change)) > LONGEST or not _all_scaled(*change):
        return False
    unit, number = change[0].split()[-1], _first(change)
    alike = [one for one in shown if max(map(len, one)) <= LONGEST and one[0].split()[-1:] == [unit]]
    return unit.isalpha() and any(_all_scaled(*one) and _first(one) == number for one in alike)


def _first(change: Change) -> Decimal | None:
    """How many times as large the first number becomes."""
    one, other = (reading(found[0].replace(",", ".")) if (found := _NUMBER.search(text)) else None for text in change)
    return other / one if one and other is not None else None


def _fractions_parted(changed: Sequence[Change]) -> Found | None:
    """The two numbers of a fraction, or of a score, with nothing but blanks between them: `1/2` as `1 2`."""
    for before, after in changed:
        for match in islice(_FRACTION.finditer(before), MOST):
            apart = match[0] not in after and match[1] in after and match[2] in after
            if apart and re.search(rf"(?<!\d){match[1]}\s+{match[2]}(?!\d)", after):
                return "a fraction becomes two numbers", (before, after)
    return None
