"""Changes to one text cell, from harmless to harmful. Pure functions; called by `cell_strategies`.

Every function takes what it needs as plain numbers, so that whoever draws the numbers decides what happens.
"""

import re
from collections.abc import Callable, Sequence

BLANKS = (" ", "  ", "\t", "   ")
WAYS_OF_BLANKS = 3 * len(BLANKS)
_RUN = re.compile(r"\d+")
_YEAR = re.compile("(?:19|20)[0-9]{2}")
_YEAR_FIRST = re.compile(r"\d{4}([-/.])\d{1,2}\1\d{1,2}(?!\d)")
_YEAR_LAST = re.compile(r"(?<!\d)(\d{1,2})([-/.])(\d{1,2})\2\d{4}(?!\d)")
_DAYS = ((2024, 2, 29), (2023, 2, 28), (2024, 12, 31), (2023, 1, 31), (2000, 2, 29), (1999, 12, 31), (2025, 3, 1))
_CASES: tuple[Callable[[str], str], ...] = (str.upper, str.lower, str.title, str.swapcase, str.capitalize)


def blanked(text: str, number: int) -> str:
    """White space before, behind, or doubled within."""
    blank = BLANKS[number % len(BLANKS)]
    where = number // len(BLANKS) % 3
    if where == 0:
        return blank + text
    return text + blank if where == 1 else text.replace(" ", f" {blank}")


def cased(text: str, number: int) -> str:
    """Upper, lower, title or swapped case, where that leaves no more and no fewer letters."""
    made = _CASES[number % len(_CASES)](text)
    return made if len(made) == len(text) else text


def crossed(text: str, other: str, number: int) -> str:
    """`text` with some of the digits of `other`, where both have runs of digits of the same lengths.

    What it makes is as likely as the cells that it is made of: each run comes from one of them, or begins as in one and
    ends as in the other. Years stay whole.
    """
    ours, theirs = _RUN.findall(text), _RUN.findall(other)
    if [len(run) for run in ours] != [len(run) for run in theirs]:
        return text
    runs = []
    for one, two in zip(ours, theirs, strict=True):
        number, way = divmod(number, 3)
        cut = 0 if _YEAR.fullmatch(one) or _YEAR.fullmatch(two) else number % len(one)
        runs.append((one, two, one[:cut] + two[cut:])[way])
    made = iter(runs)
    return _RUN.sub(lambda _: next(made), text)


def at_month_end(text: str, number: int, *, day_first: bool | None) -> str:
    """The date in the text moved to the end of a month, to a leap day, or to the day after."""
    year, month, day = _DAYS[number % len(_DAYS)]
    made = _YEAR_FIRST.sub(lambda m: f"{year}{m[1]}{month:02}{m[1]}{day:02}", text, count=1)
    if made != text or day_first is None:
        return made
    one, two = (day, month) if day_first else (month, day)
    return _YEAR_LAST.sub(lambda m: f"{one:02}{m[2]}{two:02}{m[2]}{year}", text, count=1)


def day_first(texts: Sequence[str]) -> bool | None:
    """Whether dates like 31/12/2024 begin with the day; None when the texts do not say."""
    found = [(int(m[1]), int(m[3])) for text in texts if (m := _YEAR_LAST.search(text))]
    first, second = any(one > 12 for one, _ in found), any(two > 12 for _, two in found)
    return None if first == second else first


def mistyped(text: str, number: int, letter: str) -> str:
    """One character lost, doubled, swapped with the next, replaced by `letter`, or `letter` added."""
    number, way = divmod(number, 5)
    at = number % (len(text) + (way == 4)) if text or way == 4 else 0
    if way == 0:
        return text[:at] + text[at + 1 :]
    if way == 1:
        return text[:at] + text[at : at + 1] + text[at:]
    if way == 2:
        return text[:at] + text[at + 1 : at + 2] + text[at : at + 1] + text[at + 2 :]
    return text[:at] + letter + text[at + (way == 3) :]
