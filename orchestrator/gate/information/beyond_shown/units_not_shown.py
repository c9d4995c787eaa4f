"""Units that no witness shows, in a column that converts others: `11 st` as 11 where `154 lb` is 69.9.

A word in the place of a unit is a unit of its own, whether anybody knows it or not. Where others are converted, a
number that stays under it, and any other number of a unit of unknown size, needs its own witness. By character_laws.py.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import NamedTuple

from orchestrator.gate.information.changes import Change, Found, both_text
from orchestrator.gate.information.similarity import is_short_for
from orchestrator.gate.information.value_kinds.number_parsing import reading
from orchestrator.gate.information.value_kinds.rounding import factors
from orchestrator.gate.information.value_kinds.units import same_quantity, same_unit, sizes_of

LONGEST = 40
_QUANTITY = re.compile(r"\s*(\d{1,9}(?:[.,]\d{1,6})?)\s*([^\W\d_]{1,14})\.?\s*")
# Whether that is a mark of decimals, nobody knows.
_GROUPED = re.compile(r"\s*\d{1,3}(?:,\d{3}(?!\d)|\.\d{3}\s*[^\W\d])")
_MADE = re.compile(r"\s*(\d{1,12}(?:[.,]\d{1,9})?)\s*([^\W\d_]{0,14})\.?\s*")
_PART = re.compile(r"\d\s?([^\W\d_]{1,14})")
_NO_UNITS = frozenset({"am", "pm", "bc", "bce", "ad", "ce", "st", "nd", "rd", "th", "k", "b", "bn", "x"})
_DAY = Decimal(86400)
# Sizes of what has another meaning elsewhere, or no exact one: from and to.
_OTHERS = {
    ("st", "stone", "stones"): ("mass", Decimal(6350), Decimal(6351)),
    ("mb",): ("pressure", Decimal(100), Decimal(100)),
    ("t", "to"): ("mass", Decimal(1_000_000), Decimal(1_000_000)),
    ("std", "stunde", "stunden", "heure", "heures", "hora", "horas"): ("time", Decimal(3600), Decimal(3600)),
    ("tag", "tage", "tagen", "jour", "jours", "dia", "dias"): ("time", _DAY, _DAY),
    ("woche", "wochen", "semaine", "semaines", "semana", "semanas"): ("time", 7 * _DAY, 7 * _DAY),
    ("monat", "monate", "monaten", "mois", "mes", "meses"): ("time", 28 * _DAY, 31 * _DAY),
    ("jahr", "jahre", "jahren", "ans", "ann\u00e9es"): ("time", 364 * _DAY, 366 * _DAY),
    ("fortnight", "fortnights"): ("time", 14 * _DAY, 14 * _DAY),
    ("mo", "mos", "mth", "mths", "month", "months"): ("time", 28 * _DAY, 31 * _DAY),
    ("y", "yr", "yrs", "year", "years"): ("time", 364 * _DAY, 366 * _DAY),
}
_SIZES = {word: size for words, size in _OTHERS.items() for word in words}
_PREFIXES = {"t": 12, "g": 9, "k": 3, "h": 2, "u": -6, "\u00b5": -6, "n": -9, "p": -12}  # of what has no entry: GWh
_FAR = Decimal("0.03")  # by what share a factor may be off that somebody rounds
Span = tuple[str, Decimal, Decimal]
"""What is measured, and between which bounds a size lies."""


class _Unit(NamedTuple):
    """One word before and what stands beside the number afterwards, with all changes of it."""

    word: str
    changes: list[Change]

    @property
    def stays(self) -> bool:
        return all(_factor(one)[0] <= 1 <= _factor(one)[1] for one in self.changes)

    @property
    def factor(self) -> tuple[Decimal, Decimal]:
        """Between which bounds the factor of all its numbers lies; the lower is above the upper if there is none."""
        spans = [_factor(one) for one in self.changes]
        return max(low for low, _ in spans), min(high for _, high in spans)

    @property
    def bases(self) -> list[Span]:
        """In which units the numbers come out, if the size of this one is known."""
        low, high = self.factor
        if not 0 < low <= high:
            return []
        return [(name, start / high, end / low) for name, start, end in _sizes(self.word)]


def unit_not_shown(changed: Sequence[Change], cells: Sequence[Change], witnesses: Sequence[Change]) -> Found | None:
    """The first change of a unit that neither a witness nor its size speaks for."""
    doubted = set(filter(both_text, changed))
    shown, parts = _by_target(witnesses), _units_of_others(witnesses)
    for target, units in _by_target([*cells, *witnesses]).items():
        known = {one.word for one in shown.get(target, ())}
        converted = [one for one in units if not one.stays and _is_sure(one, known)]
        if not converted:
            continue
        bases = [base for one in converted for base in one.bases]
        bases += [base for one in units if one.stays and one.word in known for base in one.bases]
        base_words = {one.word for one in units if one.stays and (one.word in known or _fits(one, bases))} | {target}
        for unit in units:
            if unit.word in known | parts or any(
                _is_spelled_like(unit.word, one) for one in {*known, *base_words} - {""}
            ):
                continue
            if _fits(unit, bases) or not (found := next((one for one in unit.changes if one in doubted), None)):
                continue
            if unit.stays and (base_words - {""} or _sizes(unit.word)):
                return "a number stays under a unit that no witness shows, and others are converted", found
            alike = not _sizes(unit.word) and any(
                one.word in known and _has_one_factor([unit, one])
                for one in converted  # CCF, and HCF
            )
            if not (unit.stays or alike) and known and not same_quantity(*found):
                return "a unit is converted that no witness shows, and its size says nothing for it", found
    return None


def _units_of_others(witnesses: Iterable[Change]) -> set[str]:
    """The units of witnesses that are no plain quantity: `12 Tlr 15 Sgr` as 4500, and `1.180,50 hj.` as 2361."""
    texts = [one[0] for one in witnesses if both_text(one) and one[0] != one[1] and not _read(one)]
    return {word.casefold() for text in texts for word in _PART.findall(text[:LONGEST])}


def _by_target(changes: Iterable[Change]) -> dict[str, list[_Unit]]:
    """The units by what stands beside their numbers afterwards; without those that stay."""
    found: dict[str, dict[str, list[Change]]] = defaultdict(lambda: defaultdict(list))
    for one in dict.fromkeys(change for change in changes if both_text(change)):
        if read := _read(one):
            found[read[1]][read[0]].append(one)
    return {target: [_Unit(*one) for one in units.items()] for target, units in found.items()}


def _read(change: Change) -> tuple[str, str] | None:
    if max(map(len, change)) > LONGEST or any(map(_GROUPED.match, change)):
        return None
    before, after = _QUANTITY.fullmatch(change[0]), _MADE.fullmatch(change[1])
    if before is None or after is None or not (_number(before[1]) and _number(after[1])):
        return None
    unit, target = before[2].casefold(), after[2].casefold()
    return None if unit == target or not unit.isalpha() or unit in _NO_UNITS - _SIZES.keys() else (unit, target)


def _number(text: str) -> Decimal | None:
    return reading(text.replace(",", ".")) or None


def _factor(change: Change) -> tuple[Decimal, Decimal]:
    before, after = _QUANTITY.fullmatch(change[0]), _MADE.fullmatch(change[1])
    numbers = [_number(found[1]) for found in (before, after) if found]
    return factors(*(number or Decimal(1) for number in numbers))


def _sizes(word: str) -> list[Span]:
    """None of a count: a dozen of anything is twelve of it. Of a unit that is not listed, by what stands in front."""
    listed = [_SIZES[word]] if word in _SIZES else []
    if listed or sizes_of(f"1 {word}"):
        return [*listed, *_spans(word, Decimal(1))]
    return _spans(word[1:], Decimal(10) ** _PREFIXES[word[0]]) if word[0] in _PREFIXES else []


def _spans(word: str, times: Decimal) -> list[Span]:
    known = sizes_of(f"1 {word}") if word else []
    return [(name, size * times, size * times) for name, size, _ in known if name not in ("age", "count")]


def _is_sure(unit: _Unit, known: set[str]) -> bool:
    """Whether a witness shows it, or all its numbers are the same quantity; not of a count."""
    if any(name == "count" for name, *_ in sizes_of(f"1 {unit.word}")):
        return False
    return unit.word in known or (bool(_sizes(unit.word)) and all(same_quantity(*one) for one in unit.changes))


def _has_one_factor(units: Sequence[_Unit]) -> bool:
    low, high = max(one.factor[0] for one in units), min(one.factor[1] for one in units)
    return low <= high


def _fits(unit: _Unit, bases: Sequence[Span]) -> bool:
    """Whether its size is known, and gives numbers of the same unit as the others have."""
    return any(
        one[0] == base[0] and one[1] * (1 - _FAR) <= base[2] and base[1] <= one[2] * (1 + _FAR)
        for one in unit.bases
        for base in bases
    )


def _is_spelled_like(one: str, other: str) -> bool:
    """Whether one may be short for the other: the same letter in front, and all its letters in their order."""
    if same_unit(one, other):
        return True
    if _sizes(one) and _sizes(other):
        return False
    short, long = sorted((one, other), key=len)
    return is_short_for(short, long)
