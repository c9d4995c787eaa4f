"""What tells the amounts of a column apart, and is left out: currencies, signs of shares, rates. Called by laws.py."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from decimal import Decimal

from orchestrator.gate.information.changes import Change, Found
from orchestrator.gate.information.tokens import words
from orchestrator.gate.information.value_kinds.currencies import currencies_beside
from orchestrator.gate.information.value_kinds.known_words import DECORATION
from orchestrator.gate.information.value_kinds.number_parsing import reading
from orchestrator.gate.information.value_kinds.units import names_unit, same_unit

ENOUGH, FEW = 3, 2  # amounts that keep a currency; numbers without a sign
_SHARE = re.compile(r"[^\d]{0,3}\d[\d.,]*\s?(%|‰|promille|per mill?e?|bps?|ppm|ppb|pp)[^\w]{0,2}", re.IGNORECASE)
_PER_MILLE = re.compile(r"promille|per mill?e?")
_OUT_OF = re.compile(r"(\d{1,3}(?:[.,]\d{1,2})?)\s?(?:/|(?:out )?of)\s?(\d{1,3})", re.IGNORECASE)
_ERA = re.compile(r"(\d{1,4})\s?(B\.?C\.?(?:E\.?)?|A\.?D\.?|C\.?E\.?|[vn]\. ?Chr\.?)", re.IGNORECASE)
_AMOUNT = re.compile(r"[^\d\s]{0,3}\s?\d[\d.,]*\s?[^\d\s]{0,3}")
_CENT = re.compile(r"(\d[\d.,]*)\s?(?:\u00a2|ct|cents?|p|pence)", re.IGNORECASE)
_RATE = re.compile(
    r"([^\d/]{0,12}\d[\d.,]*\s?([^\W\d_]{0,12}|[$€£%]))(?:\s?/\s?|\s+per\s+)([^\W\d_]{1,12})", re.IGNORECASE
)
_QUALIFIED = re.compile(
    r"\d\s*(working|business|calendar|school|nautical|fluid|fl|troy|light|square|sq|cubic|net|gross|long|short|metric)\.?\s+"
    r"([^\W\d_]+)",
    re.IGNORECASE,
)
_QUALIFIED_BEHIND = re.compile(r"[^\d]{0,4}\d[\d.,]*\s?([^\W\d_]{1,12})[\s,(]{1,2}([^\W\d_]{3,15}|[A-Z])\)?")
_ABOUT_YEAR = re.compile(
    r"(?:\b(?:c(?:irc)?a?\.|ca|circa|ab(?:ou)?t|around|approx\.?|approximately|um)|[~\u2248])\s*(\d{4})\b(?!\s?[^\W\d_])",
    re.IGNORECASE,
)
_NEARLY = re.compile(
    r"(?:[~\u2248]|\b(?-i:c\.\s?|C\.\s)(?=[12]\d{3}\b)|^\s*(?-i:c\.\s?|C\.\s)(?=\d)"
    r"|\b(?:ca|circa|approx\w*|abt|about|around|roughly|nearly|almost|est|etwa|ungef\w+|env|environ|unos|aprox\w*)\b)"
    r"\W{0,3}\d",
    re.IGNORECASE,
)
_DOUBTED, _GROUPS = re.compile(r"\d{2}\s?\?\W{0,3}$"), re.compile(r"\d+")
_OF_MEASURES = frozenset({"old", "long", "wide", "high", "tall", "deep", "each", "total", "age", "aged"})
_BEHIND = re.compile(r"\d\s*([^\W\d_]{1,12})\.?$")
_PER = re.compile(
    r"\d\s*[^\d\s/]{0,4}\s?(?:/\s?([^\W\d_]{1,12})|per ([^\W\d_]{1,12})|(pcm|pw|pa|ph|pd))\.?$", re.IGNORECASE
)
_PERIODS = {
    "h": "hour", "hr": "hour", "hrs": "hour", "ph": "hour", "d": "day", "pd": "day", "w": "week", "wk": "week",
    "pw": "week", "mo": "month", "mth": "month", "pcm": "month", "y": "year", "yr": "year", "annum": "year",
    "pa": "year",
}  # fmt: skip
_BOOKED = re.compile(r"(?<![^\W\d_])(cr|dr|credit|debit)(?![^\W\d_])", re.IGNORECASE)
_ZONE = re.compile(r"(.*\d:\d\d(?::\d\d(?:\.\d+)?)?)\s?(Z|[A-Z]{2,4}T|UTC|GMT|[+-]\d\d:?\d\d)")
_TIMED = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?\s*$")
_ZERO = re.compile(r"^(?:Z|GMT|[+-]00:?00)$")
_HOURS = re.compile(r"(?:h|hrs?|hours?)", re.IGNORECASE)
_MEASURE = re.compile(r"[^\d/]{0,12}\d[\d.,]*\s?([^\W\d_]{1,12})")


def kinds_left_out(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """Numbers of different currencies, or of per cent and basis points, that lose what says so: $5 and €5 as 5."""
    lost = Counter(_all_lost(cells))
    kept = _all_kept(cells) if lost else Counter()
    for before, after in changed:
        for kind in kinds_lost((before, after)):
            others = sum(rows for other, rows in kept.items() if not kind & other and _comparable(kind, other))
            if others >= max(ENOUGH, 2 * lost[kind]) or any(
                not kind & other for other in lost if _comparable(kind, other)
            ):
                return "amounts lose what tells them apart", (before, after)
    return None


def _all_kept(cells: Sequence[Change]) -> Counter[frozenset[object]]:
    """How many amounts keep each currency."""
    kept = (str(after) for before, after in cells if isinstance(before, str))
    return Counter(found for text in kept if _AMOUNT.fullmatch(text.strip()) and (found := currencies_beside(text)))


def currency_for_some(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """An amount that loses its currency where others keep theirs in the new form: $5 as 5 beside `5 EUR` of €5."""
    kept = sum(
        1
        for before, after in cells
        if isinstance(before, str) and isinstance(after, str) and before != after and currencies_beside(after)
    )
    for before, after in changed if kept >= ENOUGH else ():
        if (currency := currencies_beside(before)) and currency in kinds_lost((before, after)):
            return "an amount loses its currency, and others keep theirs", (before, after)
    return None


def sides_left_out(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """What is booked on both sides of an account comes to have the same sign: `5.00 CR` and `7.00 DR` as 5 and 7."""
    signs: dict[str, set[bool]] = {"c": set(), "d": set()}
    for before, after in cells:
        if (side := _side(before, after)) is not None:
            signs[side[0]].add(side[1])
    both = signs["c"] & signs["d"]
    found = next((one for one in changed if (side := _side(*one)) is not None and side[1] in both), None)
    return None if found is None else ("what is booked on both sides comes to have the same sign", found)


def side_lost(change: Change) -> Iterator[frozenset[object]]:
    """The side that a text no longer says, where it does not."""
    if (side := _side(*change)) is not None:
        yield frozenset(side[0])


def _side(before: object, after: object) -> tuple[str, bool] | None:
    """`c` or `d` where a text says the side of an account and its number no longer does, and whether it is negative."""
    side = _BOOKED.search(before) if isinstance(before, str) and before != after else None
    number = reading(str(after)) if side and not any(map(str.isalpha, str(after))) else None
    return None if side is None or not number else (side[1][0].casefold(), number < 0)


def _all_lost(cells: Sequence[Change]) -> Iterator[frozenset[object]]:
    for before, after in cells:
        if isinstance(before, str) and before != after:
            yield from kinds_lost((before, str(after)))


def kinds_lost(change: Change) -> Iterator[frozenset[object]]:
    """The currency or sign of a share that a number loses; nothing where it keeps one or is no number afterwards."""
    before, after = change
    if reading(after) is None or any(map(str.isalpha, after)):
        return
    currency = currencies_beside(before)
    if currency and not currencies_beside(after):
        yield currency
    if (rate := _PER.search(before)) and not _PER.search(after):
        yield frozenset({("per", _period(rate[1] or rate[2] or rate[3]))})
    of = _OUT_OF.fullmatch(before.strip())
    if of and reading(after) == (part := reading(of[1])) and part and part <= Decimal(of[2]):  # none of 5, none of 10
        yield frozenset({("of", of[2].lstrip("0"))})
    if (era := _ERA.fullmatch(before.strip())) and after.strip() == era[1]:
        yield frozenset({("era", era[2][0].casefold() if era[2][0] in "bBvV" else "a")})
    if not currency and (cent := _CENT.fullmatch(before.strip())) and reading(after) == reading(cent[1]):
        yield frozenset({"cent"})
    if not currency and (share := _SHARE.fullmatch(before.strip())) and not _SHARE.fullmatch(after.strip()):
        yield frozenset({_PER_MILLE.sub("‰", share[1].casefold().rstrip("s"))})


def _period(word: str) -> str:
    """One name for each span of time: hr and hour, pw and week."""
    folded = word.casefold()
    return _PERIODS.get(folded, folded.removesuffix("s"))


def zones_left_out(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """Times of different zones that lose them and stay as they are: 10:00 CET and 10:00 PST."""
    lost = {
        zone for one, other in cells if isinstance(one, str) and one != other for zone in zone_lost((one, str(other)))
    }
    for before, after in changed:
        if any(lost - {zone} for zone in zone_lost((before, after))):
            return "times of different zones lose them", (before, after)
    return None


def zone_lost(change: Change) -> list[frozenset[object]]:
    """The zone that a time loses which stays as it is."""
    before, after = change
    zone = _ZONE.fullmatch(before.strip())
    kept = zone and _ZONE.fullmatch(after.strip()) is None and zone[1].split()[-1].split("T")[-1] in after
    return [frozenset({_ZERO.sub("UTC", zone[2].upper())})] if zone and kept else []


def zone_made_up(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """A time that gets a zone where no cell had one, or several: `2024-03-01 10:00` as `2024-03-01 10:00Z`."""
    had = {zone[2] for one, _ in cells if isinstance(one, str) and (zone := _ZONE.fullmatch(one.strip()))}
    for before, after in changed if len(had) != 1 else ():
        if _TIMED.match(before) and _ZONE.fullmatch(after.strip()):
            return "a time gets a zone which nothing in its column says", (before, after)
    return None


def shares_on_two_scales(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """Percentages of which some become hundredths and some stay as they are: 12% as 0.12 and 0.5% as 0.5.

    Or that lose their sign where all other cells are hundredths, and smaller: 12% as 12 beside 0.05, not 0.05% as 0.05.
    """
    scales = {scale for one, other in cells if isinstance(one, str) and (scale := _scale(one, str(other)))}
    bare = [number for one, other in cells if one == other and (number := reading(str(one))) is not None]
    hundredths = len(bare) >= FEW and all(0 < number < 1 for number in bare)
    for before, after in changed:
        scale = _scale(before, after)
        beside = hundredths and scale == "whole" and (reading(after) or 0) > 1
        if scale and (scales - {scale} or beside):
            return "percentages come to stand on two scales", (before, after)
    return None


def _scale(before: str, after: str) -> str:
    share = _SHARE.fullmatch(before.strip())
    number = reading(before.strip().rstrip("%").strip()) if share and share[1] == "%" else None
    became = reading(after) if number else None
    if not number or became is None or "%" in after:
        return ""
    return "whole" if became == number else "hundredths" if became * 100 == number else ""


def _comparable(one: frozenset[object], other: frozenset[object]) -> bool:
    """Both say what a number is, or both what it is per: `$5` and `5%`, or `$5/h` and `$5/d`."""
    return isinstance(next(iter(one)), tuple) == isinstance(next(iter(other)), tuple)


def rates_left_out(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """What an amount is per, beside amounts of the same unit that are not per anything: 18 mg/kg as 18 mg."""
    alone = {
        unit[1].casefold() for one, _ in cells if isinstance(one, str) and (unit := _MEASURE.fullmatch(one.strip()))
    }
    plain = sum(isinstance(one, str) and reading(one) is not None for one, _ in cells)
    for before, after in changed:
        rate = _RATE.match(before.strip())
        rest = before.strip()[rate.end() :] if rate else ""
        if rate is None or rate[3].casefold() in words(after) or "/" in after or rest.startswith("/"):
            continue
        if not rate[2].strip("$€£") and plain >= ENOUGH and names_unit(rate[3]) and reading(after) is not None:
            return "what an amount is per is left out, and others are per nothing", (before, after)
        if not names_unit(rate[2]):
            continue
        if _HOURS.fullmatch(rate[2]) or rate[3].casefold() == "o":
            continue  # hours per week are hours, and 83 y/o are years
        if any(same_unit(rate[2], unit) for unit in alone):
            return "what an amount is per is left out, and others are per nothing", (before, after)
    return None


def qualifiers_left_out(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """The word that makes another unit of one, beside amounts of the plain unit: `3 working days` as `3 days`."""
    alone = {unit[1].casefold() for one, _ in cells if isinstance(one, str) and (unit := _BEHIND.search(one))}
    for before, after in changed:
        for qualifier, unit in _QUALIFIED.findall(before):
            kept = unit.casefold() in words(after) or reading(after) is not None
            if unit.casefold() in alone and kept and qualifier.casefold() not in words(after):
                return "a unit loses the word that makes it another one", (before, after)
        more = _QUALIFIED_BEHIND.fullmatch(before.strip())
        if more is None or more[1].casefold() not in alone or not names_unit(more[1]) or after[:1] == "-":
            continue
        is_flag = len(more[2]) == 1 and more[2] not in after
        if is_flag or not set(words(more[2])) & {*words(after), *DECORATION, *_OF_MEASURES}:
            return "an amount loses the words behind it, and others have none", (before, after)
    return None


def nearly_left_out(changed: Sequence[Change]) -> Found | None:
    """What says that a number is no exact one: `approx. 77 ha` as `77.00`."""
    for before, after in changed:
        if _NEARLY.search(before) and reading(after) is not None and not _NEARLY.search(after):
            return "a number loses what says that it is not exact", (before, after)
        said = _NEARLY.search(after) or "?" in after
        if _DOUBTED.search(before) and not said and reading(after) is not None and len(_GROUPS.findall(before)) == 1:
            return "a number loses the question mark behind it", (before, after)
        years = {match[1] for match in _ABOUT_YEAR.finditer(before)}
        sure = {year for year in years if re.search(rf"\b{year}\b", after)} - set(_ABOUT_YEAR.findall(after))
        if sure and not any(re.search(rf"\b{year}\b", _ABOUT_YEAR.sub("", before)) for year in sure):
            return "a year loses what says that it is not exact", (before, after)
    return None


def nearly_made_up(changed: Sequence[Change]) -> Found | None:
    """What says that a number is no exact one, where nothing said so: `1760` as `c. 1760`."""
    for before, after in changed:
        if _NEARLY.search(after) and reading(before) is not None and not (_NEARLY.search(before) or "?" in before):
            return "a number becomes an estimate", (before, after)
    return None
