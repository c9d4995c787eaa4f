"""How a number is written: unit, digits, style. Called by the rules of numbers and by what has to know a number."""

import re
from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple

from orchestrator.propose.builtin.rules.number_words import CURRENCIES, LETTERS, UNITS, units_named_by, words_of
from orchestrator.propose.builtin.working_rows import REMEMBERED, TextColumn

LONGEST = 40  # characters of a number that is rewritten; Python reads no more than 4300 figures
# What stays beside numbers: how large one is at most or at least, and amounts in brackets.
BESIDE_NUMBERS = re.compile(r"[<>\u2264\u2265] ?\d+(\.\d+)?|\([$€£¥]?\d[\d.,]*\)")
_METRES = re.compile(r"(?i)(?<![A-Z])(?:[cmk]m|met[er]{2}s?|ft|in)\.?$|(?-i:(?<![A-Za-z])m$)")
_LENGTHS = frozenset(
    """
    altitude depth distance elevation height length m meters metres radius width höhe länge breite tiefe altura largo
    ancho hauteur longueur largeur
    """.split()  # noqa: SIM905 - prose is easier to keep than quoted words
)  # of columns whose M are metres


class NumberParts(NamedTuple):
    """A number as it is written: "$ 1,200.50 " is unit "$", digits "1,200.50", style "$ 1"."""

    unit: str
    digits: str
    style: str


def _split_number(value: str) -> tuple[str, str, str] | None:
    """What stands around the digits (folded), the sign, the digits with separators; None where it is no number."""
    value = re.sub(r"^(\d[\d.,]*[.,]\d\d)-(?=$| ?(?:[^\W\d_]{3}|[$£€¥])$)", r"-\1", value)  # the minus of accountants
    value = re.sub(r"(\d),(?:--?|[\u2013\u2014])(?=$|[^\d-]*$)", r"\1", value)  # no cents: 12,- €
    value = re.sub(r"^([-\u2212\u2013]) ?([$£€¥]) ?(?=\d)", r"\2\1", value)  # before the sign of the currency
    digits = r"\d{1,3}(?: \d{3})+(?:[.,]\d{1,2})?|\d+(?:[.,]\d+)*"
    match = re.fullmatch(
        rf"([^\d\s.,()+\u2212\u2013-]{{0,4}})\s?([-+\u2212\u2013]?)({digits})\s?"
        r"([^\d(),;:/+-]{0,12}|k?m[23]|[lL] ?/ ?100 ?[kK]m|[^\d\s(),;:/+-]{1,6}/[^\d\s(),;:/+-]{1,6})",
        value,
    )
    if match is None:
        return None
    before, sign, digits, after = match.groups()
    return (before + after).strip(" .").casefold(), sign, digits


def _is_blank_grouped(digits: str) -> bool:
    """Whether blanks part the figures and no decimals follow."""
    return " " in digits and "." not in digits and "," not in digits


def looks_numeric(text: str) -> bool:
    """Whether a cell is a number, perhaps with a known unit or currency."""
    return len(text) <= LONGEST and _is_number(text)


@lru_cache(REMEMBERED)
def _is_number(text: str) -> bool:
    return parts_of(text) is not None


def parts_of(text: str, named: Mapping[str, str] = MappingProxyType({})) -> NumberParts | None:
    """How the number is written, None where it is none; `named`: units that the column's name says, by spelling."""
    split = _split_number(text) if len(text) <= LONGEST else None
    if split is None:
        return None
    unit = named.get(split[0]) or UNITS.get(split[0], "")
    if split[0] and not unit:
        return None
    if _is_blank_grouped(split[2]) and unit not in CURRENCIES:
        return None  # 12 500 may be two numbers, and 12 500 € is one
    if text[0].isalpha() and unit not in CURRENCIES:
        return None  # M3 is a room and no three metres
    style = "1" if text.endswith("-") else text.removeprefix(split[1]).replace(split[1], "").replace(split[2], "1", 1)
    return NumberParts(unit, split[2], style)


def all_parts(column: TextColumn) -> dict[str, NumberParts]:
    """Those of the column's texts that are numbers; looked for once as long as the column stays as it is."""
    return column.learnt(_look_for_parts, _look_for_parts)


def _look_for_parts(column: TextColumn) -> dict[str, NumberParts]:
    named = units_named_by(column.name)
    parts = {text: found for text in column.counts if (found := parts_of(text, named)) is not None}
    units = Counter(part.unit for part in parts.values())
    if letters := {letter: unit for letter, unit in LETTERS.items() if 2 * units[unit] > len(column.counts)}:
        named |= letters  # 34 C among 33 °C
        parts = {text: found for text in column.counts if (found := parts_of(text, named)) is not None}
    if _LENGTHS.isdisjoint(words_of(column.name)) and not any(_METRES.search(text) for text in parts):
        parts = {text: found for text, found in parts.items() if text[-1] != "M"}  # millions
    return parts
