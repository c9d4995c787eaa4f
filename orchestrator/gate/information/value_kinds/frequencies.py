"""How often something happens, as people write it: `twice a week`, `3x/day`, `daily`. Called by counted_periods.py."""

import re
from decimal import Decimal

from orchestrator.gate.information.value_kinds.spelled_numbers import spelled_number

LONGEST = 40  # characters
_PERIODS = {
    "hour": "hour hours hr h hourly",
    "day": "day days daily",
    "week": "week weeks wk weekly",
    "month": "month months mo monthly",
    "year": "year years yr yearly annually annum",
}
_NAMES = {name: period for period, names in _PERIODS.items() for name in names.split()}
_ADVERBS = "|".join(name for name in _NAMES if name.endswith("ly"))
_TIMES = {"once": 1, "twice": 2, "thrice": 3}
_COUNTED = re.compile(rf"(?:(.+?) ?)(?:(?:an?|per|each|every|/) ?({'|'.join(_NAMES)})|\b({_ADVERBS}))\.?")
_COUNT = re.compile(r"(\d{1,3})(?: ?[x×]| times?)?|(\S+) times?")
_EACH = re.compile(rf"(?:every|each) ({'|'.join(_NAMES)})|({_ADVERBS})")
_LONGER = {("hour", "day"): 24, ("day", "week"): 7, ("month", "year"): 12}


def frequency(text: str) -> tuple[Decimal, str] | None:
    """The number of times and the period (`hour` to `year`); None where the text says anything else, or a range."""
    text = " ".join(text.casefold().split()) if len(text) <= LONGEST else ""
    if each := _EACH.fullmatch(text):
        return Decimal(1), _NAMES[each[1] or each[2]]
    found = _COUNTED.fullmatch(text)
    count = None if found is None else _count(found[1].strip())
    return None if found is None or count is None else (Decimal(count), _NAMES[found[2] or found[3]])


def times_in(count: Decimal, period: str, longer: str) -> Decimal | None:
    """How often it is in another period; None where that is not a whole number of times as long."""
    if period == longer:
        return count
    times = _LONGER.get((period, longer))
    return None if times is None else count * times


def _count(text: str) -> int | None:
    if text in _TIMES:
        return _TIMES[text]
    found = _COUNT.fullmatch(text)
    if found is None:
        return None
    return int(found[1]) if found[1] else spelled_number(found[2])
