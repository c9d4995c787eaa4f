"""Whether a column writes the day or the month first, as its dates with a day above 12 show.

Called by reinterpretation.py, for dates read against that, by laws.py, where the dates show both, and while functions
are applied (`run.rows.turned_dates`).
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from orchestrator.gate.information.changes import Change, Found, unchanged_texts

DATE = re.compile(r"\s*(\d{1,2})([/.-])(\d{1,2})\2(\d{4}|\d{2})\b")
_INSIDE = re.compile(r"(?<![\d/.-])\d{1,2}([/.-])\d{1,2}\1(?:\d{4}|\d{2})(?!\d)")
MONTHS = 12
FEWER = 0.5  # as many dates may show the other order; with more, nothing tells which one is meant
_BECOMES = re.compile(r"\d{4}-\d{2}")
_ISO = re.compile(r"(\d{4})-(\d\d)-(\d\d)(?!\d)")
ENOUGH = 3  # different dates that stay, and that come to lie beyond them
_YEAR = 4  # figures of one that is written out


def first_parts(texts: Iterable[str]) -> Mapping[str, Counter[str]]:
    """For each sign between the parts, how many dates have the day first, and how many the month."""
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for text in texts:
        date = DATE.match(text)
        large = [int(date[place]) > MONTHS for place in (1, 3)] if date else []
        version = date is not None and date[2] == "." and len(date[4]) < _YEAR  # 2.15.4
        if date and sum(large) == 1 and not (version and large[1]):  # 13/14/2021 is no date
            found[date[2]]["day" if large[0] else "month"] += 1
    return found


def usual_first(found: Counter[str]) -> str:
    """What most dates have first; empty where too many differ, or where none shows it."""
    (most, count), *others = found.most_common() or [("", 0)]
    return most if sum(number for _, number in others) <= FEWER * count else ""


def either_order(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """A date that can be of two months, where some others have the day first, and some the month: 5/8, 28/8, 8/28."""
    shown = first_parts(one for one, _ in cells if isinstance(one, str))
    for before, after in changed:
        date = DATE.match(before)
        if date is None or not _BECOMES.match(after) or usual_first(shown[date[2]]) or not shown[date[2]]:
            continue
        if date[1] != date[3] and max(int(date[1]), int(date[3])) <= MONTHS:
            return "a date may be of another month: of the others some have the day first, and some the month", (
                before,
                after,
            )
    return None


def read_against_others(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """A date that is read in the one order in which it can be, where most have the other: 22/1/2020 among 1/22/2020.

    It cannot be told from a slip, and those like it that can be of two months are read in the usual order.
    """
    shown = first_parts(one for one, _ in cells if isinstance(one, str))
    read = {change: found for change in changed if (found := read_date(*change)) is not None}
    usual = {sign: usual_first(counts) for sign, counts in shown.items()}
    turned = {found.sign for found in read.values() if found.month_first == (usual.get(found.sign) == "month")}
    for before, after in changed:
        date = DATE.match(before)
        if date is None or date[2] not in turned or not _BECOMES.match(after) or (before, after) in read:
            continue
        large = [int(date[place]) > MONTHS for place in (1, 3)]
        if sum(large) == 1 and usual[date[2]] and large[0] != (usual[date[2]] == "day"):
            return "a date is read in another order than the others", (before, after)
    return None


def order_not_shown(changed: Sequence[Change], cells: Sequence[Change]) -> list[Change]:
    """The dates that can be of two months where no other shows the order: `3/4/2024` beside `5/6/2024`.

    Full stops stand between day and month everywhere (`month_first_with_stops`). A part that is the same in all dates
    is the day, as of the first of each month.
    """
    reads = [(change, read) for change in changed if (read := read_date(*change)) is not None and read.sign != "."]
    if not reads:
        return []
    texts = [one for one, _ in cells if isinstance(one, str)]
    shown = first_parts(date[0] for text in texts for date in _INSIDE.finditer(text))
    of_others = usual_first(sum(shown.values(), Counter()))
    parts: dict[tuple[str, bool], set[str]] = defaultdict(set)
    for date in filter(None, map(DATE.match, texts)):
        parts[date[2], False].add(date[1])
        parts[date[2], True].add(date[3])
    known = {one for one in unchanged_texts(cells) if _ISO.fullmatch(one)}
    found = []
    for change, read in reads:
        if shown[read.sign]:
            continue
        if read.chosen in known and read.other not in known:
            continue  # a date of the column in another form
        if of_others and read.month_first == (of_others == "month"):
            continue
        if len(parts[read.sign, read.month_first]) == 1 and len(parts[read.sign, not read.month_first]) >= ENOUGH:
            continue
        found.append(change)
    return [] if _among_others(found, cells) else found


def _among_others(changed: Sequence[Change], cells: Sequence[Change]) -> bool:
    """Whether most dates lie among those that stay as they are read, and not in the other order."""
    first, last = _range(cells)
    read = [found for change in changed if (found := read_date(*change)) is not None]
    among = [one for one in read if first <= one.chosen <= last and not first <= one.other <= last]
    return len(among) >= ENOUGH and 2 * len(among) > len(read)


def _range(cells: Sequence[Change]) -> tuple[str, str]:
    """The first and the last ISO date that stays; two that nothing lies between where only few do."""
    dates = (_ISO.match(one) for one, other in cells if one == other and isinstance(one, str))
    stay = sorted({date[0] for date in dates if date is not None})
    return (stay[0], stay[-1]) if len(stay) >= ENOUGH else ("9", "0")


def month_first_with_stops(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """A date with full stops whose month is taken to stand first, which no date of the column shows: `01.03.2024`."""
    shown = first_parts(one for one, _ in cells if isinstance(one, str))
    for before, after in changed:
        read = read_date(before, after)
        if read is not None and read.month_first and read.sign == "." and not shown["."]["month"]:
            return "a date with full stops is read with its month first, and no other date shows that", (before, after)
    return None


def beyond_all_others(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """Dates most of which come to lie beyond those that stay, though their other reading lies among them."""
    first, last = _range(cells)
    read = {change: found for change in changed if (found := read_date(*change)) is not None}
    beyond = [one for one, it in read.items() if first <= it.other <= last and not first <= it.chosen <= last]
    if len(beyond) < ENOUGH or 2 * len(beyond) <= len(read):
        return None
    return "dates come to lie beyond all others, and their other reading lies among them", beyond[0]


class ReadDate(NamedTuple):
    """How a date of two possible months was read: as ISO dates what was chosen, and what was not."""

    sign: str
    month_first: bool
    chosen: str
    other: str


def read_date(before: str, after: str) -> ReadDate | None:
    """How the first text became the second; None where it can be one date only, or none."""
    date, made = DATE.match(before), _ISO.match(after)
    if date is None or made is None or not made[1].endswith(date[4]):
        return None
    parts, read = (int(date[1]), int(date[3])), (int(made[2]), int(made[3]))
    if parts[0] == parts[1] or max(parts) > MONTHS or sorted(parts) != sorted(read):
        return None
    return ReadDate(date[2], read == parts, made[0], f"{made[1]}-{made[3]}-{made[2]}")
