"""Words that a number of their row decides, band by band: `child`, `adult`, `senior` by age. For band_concerns.py.

In a scale of bands each word has one place. One that comes back further up is mostly a mistake in a limit: `child`
below 18, and again from 25 to 49, or for 77 alone. A word for both ends (`abnormal`, or the night of a day) has two
places by right. Numbers without a word that lie in such a scale, or go on from it, are a band as well.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from decimal import Decimal
from itertools import groupby, pairwise
from typing import Any, NamedTuple

from orchestrator.gate.information.null_tokens import is_missing
from orchestrator.gate.information.value_kinds.number_parsing import reading

NUMBERS, WIDE = 20, 3  # different numbers that show a scale, and of one band of it; fewer may lie inside another
FEWEST, MOST = 3, 12  # different words
BESIDE = 10  # a part of the range of a scale, by which numbers go on from it at most
MORE = 2  # bands than words; with more, it is no scale


class Band(NamedTuple):
    """A word, or "", and the smallest and the largest number that has it there. `row`: of the smallest."""

    word: str
    low: Decimal
    high: Decimal
    row: int


def band_come_back(words: Sequence[Any], numbers: Sequence[Any]) -> Band | None:
    """The first band whose word has another one before it; None where the numbers do not decide the words in bands."""
    runs = _runs(words, numbers)
    bands = [_band(run) for run in runs]
    places = Counter(band.word for band in bands)
    if not FEWEST <= len(places) <= MOST or not len(places) < len(bands) <= len(places) + MORE:
        return None
    narrow = [at for at, run in enumerate(runs) if len(run) < WIDE]
    if narrow:
        return bands[narrow[0]] if len(narrow) == 1 and _is_inside(bands, narrow[0]) else None
    both_ends = bands[0].word if bands[0].word == bands[-1].word else None
    before = set[str]()
    for band in bands:
        if band.word in before and not (band.word == both_ends and band is bands[-1]):
            return band
        before.add(band.word)
    return None


def band_without_word(words: Sequence[Any], numbers: Sequence[Any]) -> Band | None:
    """The one run of numbers that get no word, among those of a scale or that go on from it step by step."""
    runs = _runs(words, numbers)
    if not FEWEST <= len(runs) == len({run[0].word for run in runs}) <= MOST or min(map(len, runs)) < WIDE:
        return None
    known = {point.number for run in runs for point in run}
    bare: dict[Decimal, int] = {}
    for row, (word, value) in enumerate(zip(words, numbers, strict=True)):
        if is_missing(word) and (number := reading(value)) is not None:
            bare.setdefault(number, row)
    if len(bare) < WIDE or not known.isdisjoint(bare):
        return None
    low, high, least, most = min(bare), max(bare), min(known), max(known)
    if any(low < number < high for number in known) or low < 0 <= least:
        return None
    inside = [*bare, *(number for number in (least, most) if not low < number < high)]
    steps = [after - before for before, after in pairwise(sorted(inside)) if not least <= before < after <= most]
    return Band("", low, high, bare[low]) if max(steps, default=0) <= (most - least) / BESIDE else None


class _Point(NamedTuple):
    number: Decimal
    word: str
    row: int


def _runs(words: Sequence[Any], numbers: Sequence[Any]) -> list[list[_Point]]:
    """The numbers in their order, parted where the word changes; none where they do not decide the words."""
    of_number: dict[Decimal, dict[str, int]] = defaultdict(dict)
    for row, (word, value) in enumerate(zip(words, numbers, strict=True)):
        if is_missing(word):
            continue
        number = reading(value)
        if not isinstance(word, str) or number is None:
            return []
        of_number[number].setdefault(word, row)
    if len(of_number) < NUMBERS or any(len(found) > 1 for found in of_number.values()):
        return []
    scale = [_Point(number, *next(iter(of_number[number].items()))) for number in sorted(of_number)]
    return [list(run) for _, run in groupby(scale, key=lambda point: point.word)]


def _band(run: Sequence[_Point]) -> Band:
    return Band(run[0].word, run[0].number, run[-1].number, run[0].row)


def _is_inside(bands: Sequence[Band], at: int) -> bool:
    """Whether the same word stands on both sides, and the one between has another band, too."""
    between = 0 < at < len(bands) - 1 and bands[at - 1].word == bands[at + 1].word
    return between and any(band.word == bands[at].word for n, band in enumerate(bands) if n != at)
