"""Words that a number of their row decides, band by band: `child`, `adult`, `senior` by age. For band_concerns.py.

In a scale of bands each word has one place. One that comes back further up is mostly a mistake in a limit: `child`
below 18, and again from 25 to 49. A word for both ends (`abnormal`, or the night of a day) has two places by right.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from decimal import Decimal
from itertools import groupby
from typing import Any, NamedTuple

from orchestrator.gate.information.null_tokens import is_missing
from orchestrator.gate.information.value_kinds.number_parsing import reading

NUMBERS, WIDE = 20, 3  # different numbers that show a scale, and of one band of it
FEWEST, MOST = 3, 12  # different words
MORE = 2  # bands than words; with more, it is no scale


class Band(NamedTuple):
    """A word, and the smallest and the largest number that has it there. `row`: of the smallest."""

    word: str
    low: Decimal
    high: Decimal
    row: int


def band_come_back(words: Sequence[Any], numbers: Sequence[Any]) -> Band | None:
    """The first band whose word has another one before it; None where the numbers do not decide the words in bands."""
    of_number: dict[Decimal, dict[str, int]] = defaultdict(dict)
    for row, (word, value) in enumerate(zip(words, numbers, strict=True)):
        if is_missing(word):
            continue
        number = reading(value)
        if not isinstance(word, str) or number is None:
            return None
        of_number[number].setdefault(word, row)
    if len(of_number) < NUMBERS or any(len(found) > 1 for found in of_number.values()):
        return None
    scale = [(number, *next(iter(of_number[number].items()))) for number in sorted(of_number)]
    runs = [list(run) for _, run in groupby(scale, key=lambda point: point[1])]
    bands = [Band(run[0][1], run[0][0], run[-1][0], run[0][2]) for run in runs]
    places = Counter(band.word for band in bands)
    if not FEWEST <= len(places) <= MOST or not len(places) < len(bands) <= len(places) + MORE:
        return None
    if min(map(len, runs)) < WIDE:
        return None
    both_ends = bands[0].word if bands[0].word == bands[-1].word else None
    before = set[str]()
    for band in bands:
        if band.word in before and not (band.word == both_ends and band is bands[-1]):
            return band
        before.add(band.word)
    return None
