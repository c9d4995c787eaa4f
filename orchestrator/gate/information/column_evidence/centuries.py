"""Which century a year of two figures is of, as the years of the cells that stay say. Called by equivalence.py
and laws.py.

`01/02/28` may be 1928 or 2028: of births up to 2023 it is 1928. Where both would do, or neither, nobody can say.
"""

import re
from collections.abc import Iterable, Sequence

from orchestrator.gate.information.changes import Change, Found, unchanged_texts
from orchestrator.gate.information.value_kinds.moments import moments

ENOUGH = 3  # different years that show which ones a column holds
HUNDRED, BOTH = 100, 2
SHORT = 2  # figures of a year without its century
PARTS = 3  # of a date in figures
MONTHS = 4  # different ones, of a column of months
_RANGE = re.compile(r"(\d{4})\s*[-\u2013/]\s*(\d{2}|\d{4})")
_FIGURES = re.compile(r"\d+")
_FOUR = re.compile(r"(?<!\d)(?:1[89]|20)\d\d(?!\d)")
_TWO = re.compile(r"(.*[/. '\u2019-])(\d\d)")


def century_of_no_other(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """A year of two figures that gets a century in which no year of the cells that stay is: `FA15` as `Fall 1915`."""
    centuries = Centuries(change for change in cells if change[0] == change[1])
    for before, after in changed:
        short, years = _FIGURES.findall(before), _FOUR.findall(after)
        if len(short) != 1 or len(years) != 1 or len(short[0]) != SHORT or not years[0].endswith(short[0]):
            continue
        if centuries.far_from(int(years[0])):
            return "a year gets the century of no other year", (before, after)
    return None


def century_left_out(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """A date that loses its century though no cell that stays is written without: `2024-04-14` as `24-04-14`."""
    stay = {_FIGURES.sub("0", one) for one in unchanged_texts(cells)}
    for before, after in changed:
        years, figures = _FOUR.findall(before), _FIGURES.findall(after)
        if len(years) != 1 or _FOUR.search(after) or years[0][SHORT:] not in figures or not moments(before):
            continue
        if len(figures) == PARTS and max(map(len, figures)) <= SHORT and _FIGURES.sub("0", after) not in stay:
            return "a date loses its century, and no other cell is written so", (before, after)
    return None


def between_shown(change: Change, shown: Iterable[Change], column: "Centuries") -> bool:
    """Whether a year of two figures gets its century by one bound for all, where witnesses show years on both sides.

    Of a year between those that they show, 45 of 01 and 71, they do not tell: there the column's own years may deny it.
    """
    years = [year for one in shown if (year := _written_out(one))]
    year = _written_out(change)
    centuries = sorted({one // HUNDRED for one in years})
    if year is None or len(centuries) != BOTH or year // HUNDRED not in centuries:
        return False
    earlier, later = centuries
    first = min(one % HUNDRED for one in years if one // HUNDRED == earlier)
    last = max(one % HUNDRED for one in years if one // HUNDRED == later)
    short = year % HUNDRED
    if last < short < first:
        return column.known(*change) is not False
    return last < first and (short >= first if year // HUNDRED == earlier else short <= last)


def _written_out(change: Change) -> int | None:
    """The year that two figures at the end of a date become, where the rest of the date stays."""
    short, years = _TWO.fullmatch(change[0].strip()), _FOUR.findall(change[1])
    if short is None or len(years) != 1 or not years[0].endswith(short[2]):
        return None
    return int(years[0]) if moments(short[1] + years[0]) & moments(change[1]) else None


class Centuries:
    """The years that a column holds in the cells that keep theirs."""

    def __init__(self, cells: Iterable[Change]) -> None:
        texts = ((one, other) for one, other in cells if isinstance(one, str) and isinstance(other, str))
        kept = (
            found for one, other in texts if len(found := _FOUR.findall(one)) == 1 and found == _FOUR.findall(other)
        )
        years = {int(year) for found in kept for year in found}
        self._years = (min(years), max(years)) if len(years) >= ENOUGH else None

    def known(self, before: str, after: str) -> bool | None:
        """Whether the date got the century that the column's years are of; None where they do not say."""
        short, years = _TWO.fullmatch(before.strip()), _FOUR.findall(after)
        if self._years is None or short is None or len(years) != 1 or not years[0].endswith(short[2]):
            return None
        if not moments(short[1] + years[0]) & moments(after):
            return None
        year = int(years[0])
        others = year - HUNDRED, year + HUNDRED
        inside, other = self._holds(year), any(map(self._holds, others))
        return inside if inside is not other else None

    def far_from(self, year: int) -> bool:
        """Whether the year lies further from the column's years than they from each other, and another century not."""
        if self._years is None:
            return False
        wide = self._years[1] - self._years[0]
        near = [self._years[0] - wide <= one <= self._years[1] + wide for one in (year, year - HUNDRED, year + HUNDRED)]
        return not near[0] and any(near)

    def _holds(self, year: int) -> bool:
        return self._years is not None and self._years[0] <= year <= self._years[1]


class YearRanges:
    """Ranges of years of which the end is short: `1528-75`. `texts`: all of the column before."""

    def __init__(self, texts: Iterable[str]) -> None:
        found = [match for text in texts if (match := _RANGE.fullmatch(text.strip()))]
        ends = {match[2] for match in found if len(match[2]) == SHORT}
        self._months = len(ends) >= MONTHS and all("01" <= end <= "12" for end in ends)

    def known(self, before: str, after: str) -> bool | None:
        """Whether the end of a range gets the century of its beginning, or of what follows; None if it is no range.

        Where all ends are months, 2020-07 is none, and 2020-2107 says something else.
        """
        one, other = _RANGE.fullmatch(before.strip()), _RANGE.fullmatch(after.strip())
        if one is None or other is None or one[1] != other[1]:
            return None
        if len(one[2]) >= len(other[2]) or one[1].endswith(one[2]):
            return None
        end = int(one[1][:2] + one[2])
        return not self._months and int(other[2]) == (end if end > int(one[1]) else end + HUNDRED)
