"""Whether a telephone number is the same with the code of its country in front.

Called by equivalence.py, character_laws.py.

`030 1234567` can be a number of any country: which one, only the column's other cells can say.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence

from orchestrator.gate.information.changes import Change, Found

DIGITS, COUNTRY_DIGITS = 6, 3
MOSTLY = 0.5  # of the numbers with a country in front, more of which are of one: so are the others
_EXTENSION = re.compile(r"(\+?[\d ().-]{7,20}?)[\s,]*(?:ext(?:ension)?\.?|x)\s*(\d{1,6})", re.IGNORECASE)
_NORTH_AMERICAN = re.compile(r"(?:\([2-9]\d\d\) ?|[2-9]\d\d[-.])\d{3}[-.]\d{4}")
_COUNTRY = re.compile(  # ITU-T E.164; numbers of Italy keep their zero
    r"1|7|390|2[07]|2[1-689]\d|3[0-469]|3[578]\d|4[013-9]|42\d|5[1-8]|5[09]\d|6[0-6]|6[7-9]\d|8[1246]|8[058]\d|9[0-58]|9[679]\d"
)
ENOUGH, MANY = 5, 4  # numbers of one length that show how long a country's are; as many for each shorter one
FEWER = 2  # figures: numbers of some countries have one more or less
RUSSIAN_DIGITS = 11  # with the 8
_RUSSIAN = re.compile(r"8(?:[ -]?\(\d{3}\)|[ -]?\d{3})[\d -]+")
_INTERNATIONAL = re.compile(r"\+[\d ()./-]+")
_ABROAD = re.compile(r"\s*(?:\+|00)\s*([1-9][\d\s().-]*)")


def abroad(cells: Iterable[str]) -> frozenset[str]:
    """The figures of the cells that carry a country's code."""
    found = (_ABROAD.match(text) for text in cells)
    return frozenset(re.sub(r"\D", "", match[1]) for match in found if match)


def is_international(text: str) -> bool:
    """Whether it is a number with the code of its country in front."""
    return _INTERNATIONAL.fullmatch(text.strip()) is not None


def _mostly(country: str, others: frozenset[str]) -> bool:
    return sum(number.startswith(country) for number in others) > MOSTLY * len(others)


def same_number(before: str, after: str, others: frozenset[str]) -> bool:
    """A number with its country in front, which is that of some of the others: +49 30 1234567 is 030 1234567."""
    if not is_international(after) or not re.fullmatch(r"[\d ().+/-]+", before.strip()):
        return False
    one, other = _figures(before), _figures(after)
    country = other.removesuffix(one)
    if country and not _COUNTRY.fullmatch(country):
        return False
    if len(one) < DIGITS or not other.endswith(one) or len(country) > COUNTRY_DIGITS:
        return False
    if country and _ABROAD.match(before):
        return False  # it has one
    if country not in ("", "1") and not others and _NORTH_AMERICAN.fullmatch(before.strip()):
        return False
    return not country or not others or _mostly(country, others)


def country_added(before: str, after: str) -> str:
    """The code of the country that a number gets in front; empty where it gets none, or has one."""
    one, other = _figures(before), _figures(after)
    return other.removesuffix(one) if one != other and same_number(before, after, frozenset()) else ""


def shorter_than_its_country(changed: Sequence[Change]) -> Found | None:
    """A number that gets the code of its country, and less figures than all others that get it: it is not whole.

    `06 48 52 19` as `+336485219` beside `06 48 52 19 77`. Where the others are of several lengths, any may be.
    """
    by_country: dict[str, dict[int, list[Change]]] = defaultdict(lambda: defaultdict(list))
    for before, after in changed:
        if country := country_added(before, after):
            by_country[country][len(_figures(after))].append((before, after))
    for lengths in by_country.values():
        if len(lengths) < 2:
            continue
        longest = max(lengths)
        short = [change for length, group in lengths.items() if length <= longest - FEWER for change in group]
        if short and len(lengths[longest]) >= max(ENOUGH, MANY * len(short)):
            return "a number gets the code of a country and has fewer figures than all others of it", short[0]
    return None


def _figures(text: str) -> str:
    """Without the zero in front, which is for calls from within the country; so is the 8 of Russia."""
    figures = re.sub(r"\D", "", re.sub(r"\(0\)", "", text)).lstrip("0")
    return figures[1:] if _RUSSIAN.fullmatch(text.strip()) and len(figures) == RUSSIAN_DIGITS else figures


def same_within_north_america(before: str, after: str) -> bool:
    """Whether a number only loses the 1 in front, in the form that they have there: +1 909 915 0334, (909) 915-0334."""
    if not _NORTH_AMERICAN.fullmatch(after.strip()) or not re.fullmatch(r"(?:\+|00)?\s*1[\d ().-]+", before.strip()):
        return False
    one, other = (re.sub(r"\D", "", text) for text in (before, after))
    return one.removeprefix("00") == f"1{other}"


def same_with_extension(before: str, after: str) -> bool | None:
    """Whether both the number and what is dialled behind it stay: `ext. 914` and `x914`; None without an extension."""
    one, other = _EXTENSION.fullmatch(before.strip()), _EXTENSION.fullmatch(after.strip())
    if one is None or other is None:
        return None
    numbers = [re.sub(r"\D", "", number[1]).removeprefix("1") for number in (one, other)]
    return numbers[0] == numbers[1] and one[2] == other[2]


def other_country(before: str, after: str) -> bool:
    """Whether a number that has the code of its country gets more figures in front: +64 21 … and +61 64 21 …, 0043 …
    and +49 43 …; or keeps behind it the zero in brackets, which is for calls from within the country.
    """
    if not re.fullmatch(r"(?:\+|00)[\d ()/.-]+", before.strip()) or not re.fullmatch(r"\+[\d ()/.-]+", after.strip()):
        return False
    within = "(0)" in before and "(0)" not in after
    one, other = (re.sub(r"\D", "", text) for text in (before.replace("(0)", ""), after))
    one = one.removeprefix("00") if before.strip().startswith("00") else one
    if within and other == re.sub(r"\D", "", before).removeprefix("00"):
        return True
    return len(one) > DIGITS and len(other) > len(one) and other.endswith(one)
