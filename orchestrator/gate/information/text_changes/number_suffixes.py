"""Letters behind numbers that are left out: of classes, houses, notes. Called by laws.py."""

import re
from collections import Counter, defaultdict
from collections.abc import Sequence

from orchestrator.gate.information.changes import Change, Found
from orchestrator.gate.information.similarity import key
from orchestrator.gate.information.text_changes.letters_changed import LABELS
from orchestrator.gate.information.tokens import words
from orchestrator.gate.information.value_kinds.known_words import currency
from orchestrator.gate.information.value_kinds.positions import same_position
from orchestrator.gate.information.value_kinds.units import in_base_unit, names_unit, rival_unit

_SUFFIX = re.compile(r"(?<=\d)\s?(?!x\s*\d)([a-z])\b", re.IGNORECASE)
_BEHIND = re.compile(r"(?<![\d.,])(\d+)\s?(?!x\s*\d)([a-z])\b", re.IGNORECASE)
_HOURS = re.compile(r"(?<=\d:[0-5]\d)\s?h$", re.IGNORECASE)  # which the colon says as well
_PERIOD = re.compile(r"PT\d", re.IGNORECASE)  # a duration, whose unit is written in the column's name
_FACTOR = re.compile(r"(\d{1,3}(?:\.\d{1,3})?)[kKMB]")
_AFTERNOON = re.compile(r"([1-9]|1[01])\s*p\.?m\.?", re.IGNORECASE)
_GONE = "a letter behind a number is left out"
_WITH_UNIT = re.compile(r"([+-]?\d+(?:[.,]\d+)?)\s?([^\W\d_]+)")
_LAST_UNIT = re.compile(
    r"[^\d\n]{0,4}\d[\d.,]{0,15}\s?(?:([^\W\d_]{0,4}|[^\w\s/]) ?/ ?)?([^\W\d_]{1,20})\.?"
)  # behind a stroke that of a price, not of a speed
_MASS_AND_VOLUME = {"mass", "volume"}
_WITH_SIGN = re.compile(r"([+-]?\d+(?:[.,]\d+)?)\s?[%\u2030\u00b0]")


def unit_as_sign(changed: Sequence[Change]) -> Found | None:
    """A number whose unit becomes the sign of a share or a degree: `89 g` as `89 %`."""
    for before, after in changed:
        one, other = _WITH_UNIT.fullmatch(before.strip()), _WITH_SIGN.fullmatch(after.strip())
        if one and other and one[1] == other[1] and names_unit(one[2]):
            return "a unit becomes another sign", (before, after)
    return None


def weight_as_volume(changed: Sequence[Change]) -> Found | None:
    """A weight that becomes a volume, or the reverse: `59 mg` as `59000 µL`, `4.68 €/l` as `4.68 EUR/kg`."""
    for before, after in changed:
        one, other = (_LAST_UNIT.fullmatch(text.strip()) for text in (before, after))
        if not one or not other:
            continue
        if any(found[1] and found[1].isalpha() and not currency(found[1]) for found in (one, other)):
            continue
        sizes = [in_base_unit(f"1 {found[2]}") for found in (one, other)]
        if {size[0] for size in sizes if size} == _MASS_AND_VOLUME and not rival_unit(one[2], other[2]):
            return "a weight becomes a volume, or a volume a weight", (before, after)
    return None


def suffixes_gone(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """A letter behind a number that is left out, where other cells keep theirs: 12a is not 12."""
    stay = [_SUFFIX.findall(after) for before, after in cells if before == after and isinstance(after, str)]
    if len([found for found in stay if found]) < LABELS:
        return None
    for before, after in changed:
        fewer = len(_SUFFIX.findall(after)) < len(_SUFFIX.findall(before)) and key(before) != key(after)
        figures = re.sub(r"\D", "", before) == re.sub(r"\D", "", after)  # 5k as 5000 says what the letter said
        if _PERIOD.match(before.strip()) or same_position(before, after) or _HOURS.sub("", before.strip()) == after:
            continue
        if fewer and figures and not Counter(words(after)) - Counter(words(before)):
            return _GONE, (before, after)
    return None


def different_suffixes_gone(changed: Sequence[Change]) -> Found | None:
    """Different letters that are all left out: they tell 10a from 10b, where one letter may be a unit."""
    beside = defaultdict[str, set[str]](set)
    gone: dict[str, Change] = {}
    for before, after in changed:
        if suffix := suffix_gone(before, after):
            beside[key(after)].add(suffix)
            gone[suffix] = (before, after)
    if len(gone) >= LABELS or any(len(letters) > 1 for letters in beside.values()):
        return _GONE, next(iter(gone.values()))
    return None


def factors_gone(changed: Sequence[Change]) -> Found | None:
    """A letter for thousands or millions, or the `pm` of an hour, that is left out: `1.5k` as 1.5, `7 pm` as 7."""
    for before, after in changed:
        number = _FACTOR.fullmatch(before.strip()) or _AFTERNOON.fullmatch(before.strip())
        if number and after.strip() == number[1]:
            return "what says how large a number is, is left out", (before, after)
    return None


def suffix_gone(before: str, after: str) -> str:
    """The one letter behind a number that the change leaves out, and no new word stands for; "" without one."""
    found = _BEHIND.findall(before)
    if len(found) != 1 or before.count("-") != after.count("-"):
        return ""
    ((number, letter),) = found
    if not number.strip("0"):
        return ""  # nothing is nothing in all units
    alone = re.search(rf"(?<!\d){number}(?![\d\w])", after) is not None
    stands_for = any(word.startswith(letter.casefold()) for word in set(words(after)) - set(words(before)))
    return letter.casefold() if alone and not stands_for and not _BEHIND.search(after) else ""
