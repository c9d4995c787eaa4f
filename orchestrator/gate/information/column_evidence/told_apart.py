"""What tells the amounts of a column apart, and is left out: currencies, signs of shares, rates. Called by laws.py."""

import re
from collections.abc import Iterator, Sequence

from orchestrator.gate.information.changes import Change, Found
from orchestrator.gate.information.tokens import words
from orchestrator.gate.information.value_kinds.currencies import currencies_beside
from orchestrator.gate.information.value_kinds.known_words import DECORATION
from orchestrator.gate.information.value_kinds.number_parsing import reading
from orchestrator.gate.information.value_kinds.units import names_unit, same_unit

_SHARE = re.compile(r"[^\d]{0,3}\d[\d.,]*\s?(%|‰|bps?|ppm|ppb|pp)[^\w]{0,2}", re.IGNORECASE)
_RATE = re.compile(
    r"([^\d/]{0,12}\d[\d.,]*\s?([^\W\d_]{0,12}|[$€£%]))(?:\s?/\s?|\s+per\s+)([^\W\d_]{1,12})", re.IGNORECASE
)
_QUALIFIED = re.compile(
    r"\d\s*(working|business|calendar|school|nautical|fluid|fl|troy|light|square|sq|cubic|net|gross|long|short|metric)\.?\s+"
    r"([^\W\d_]+)",
    re.IGNORECASE,
)
_QUALIFIED_BEHIND = re.compile(r"[^\d]{0,4}\d[\d.,]*\s?([^\W\d_]{1,12})[\s,(]{1,2}([^\W\d_]{3,15})\)?")
_OF_MEASURES = frozenset({"old", "long", "wide", "high", "tall", "deep", "each", "total", "age", "aged"})
_BEHIND = re.compile(r"\d\s*([^\W\d_]{1,12})\.?$")
_HOURS = re.compile(r"(?:h|hrs?|hours?)", re.IGNORECASE)
_MEASURE = re.compile(r"[^\d/]{0,12}\d[\d.,]*\s?([^\W\d_]{1,12})")


def kinds_left_out(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """Numbers of different currencies, or of per cent and basis points, that lose what says so: $5 and €5 as 5."""
    lost = list(_kinds_lost(cells))
    for before, after in changed:
        for kind, others in ((kind, lost) for kind in _kind_lost(before, after)):
            if any(not kind & other for other in others if _comparable(kind, other)):
                return "amounts lose what tells them apart", (before, after)
    return None


def _kinds_lost(cells: Sequence[Change]) -> Iterator[frozenset[object]]:
    for before, after in cells:
        if isinstance(before, str) and before != after:
            yield from _kind_lost(before, str(after))


def _kind_lost(before: str, after: str) -> Iterator[frozenset[object]]:
    """The currency or sign of a share that a number loses; nothing where it keeps one or is no number afterwards."""
    if reading(after) is None or any(map(str.isalpha, after)):
        return
    if (currency := currencies_beside(before)) and not currencies_beside(after):
        yield currency
    if (share := _SHARE.fullmatch(before.strip())) and not _SHARE.fullmatch(after.strip()):
        yield frozenset({share[1].casefold().rstrip("s")})


def _comparable(one: frozenset[object], other: frozenset[object]) -> bool:
    return type(next(iter(one))) is type(next(iter(other)))


def rates_left_out(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """What an amount is per, beside amounts of the same unit that are not per anything: 18 mg/kg as 18 mg."""
    alone = {
        unit[1].casefold() for one, _ in cells if isinstance(one, str) and (unit := _MEASURE.fullmatch(one.strip()))
    }
    for before, after in changed:
        rate = _RATE.match(before.strip())
        if rate is None or not names_unit(rate[2]) or rate[3].casefold() in words(after) or "/" in after:
            continue
        if _HOURS.fullmatch(rate[2]):
            continue  # hours per week are hours
        if any(same_unit(rate[2], unit) for unit in alone):
            return "what an amount is per is left out, and others are per nothing", (before, after)
    return None


def qualifiers_left_out(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """The word that makes another unit of one, beside amounts of the plain unit: `3 working days` as `3 days`."""
    alone = {unit[1].casefold() for one, _ in cells if isinstance(one, str) and (unit := _BEHIND.search(one))}
    for before, after in changed:
        for qualifier, unit in _QUALIFIED.findall(before):
            if (
                unit.casefold() in alone
                and unit.casefold() in words(after)
                and qualifier.casefold() not in words(after)
            ):
                return "a unit loses the word that makes it another one", (before, after)
        more = _QUALIFIED_BEHIND.fullmatch(before.strip())
        if more is None or more[1].casefold() not in alone or not names_unit(more[1]):
            continue
        if not set(words(more[2])) & {*words(after), *DECORATION, *_OF_MEASURES}:
            return "an amount loses the words behind it, and others have none", (before, after)
    return None
