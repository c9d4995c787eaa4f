"""Capitals that are part of a unit or a code: `5 MW` and `5 mW`, `dQw4w9WgXcQ`. Called by character_laws.py."""

import re
from collections import defaultdict
from collections.abc import Sequence

from orchestrator.gate.information.changes import Change, Found

ENOUGH = 5  # codes whose capitals stand in different places
MOSTLY = 0.75  # of the codes of a column
SWITCHES = 2  # from small letters to capitals inside a code
_NUMBER = r"[-+]?\d[\d.,]{0,15}(?:e[-+]?\d{1,3})?"
# Milli and mega; what stands in moles per litre, and a length.
_PREFIXED = re.compile(
    rf"{_NUMBER}\s?((?:[mM](?:Wh?|Hz|Pa|V|A|J|eV|N|S|F|\u03a9|\u2126|ohm|bar)|[np\u00b5\u03bcm][mM]))", re.IGNORECASE
)
_EXACT = re.compile(r"[mM](?:Wh?|Hz|Pa|V|A|J|eV|N|S|F|\u03a9|\u2126|[Oo]hm|bar)|[np\u00b5\u03bcm][mM]")
_CODE = re.compile(r"(?=[^\d]*\d)[A-Za-z0-9_-]{5,64}")
_HEXADECIMAL = re.compile(r"(?:0x)?[0-9a-f-]+", re.IGNORECASE)
_UP = re.compile(r"[a-z][\d_-]*[A-Z]")

_BEHIND_APOSTROPHE = re.compile(r"(?<=[a-z])['\u2019](?:S|T|D|M|Ll|Re|Ve)\b")
_FORMULA = re.compile(  # of two elements and more, with the small letter of one: NaCl
    r"(?=[A-Z\d]*[a-z])(?:(?:He|Li|Be|Ne|Na|Mg|Al|Si|Cl|Ar|Ca|Ti|Cr|Mn|Fe|Co|Ni|Cu|Zn|Ga|As|Se|Br|Ag|Cd|Sn|Ba|Pt|Au|Hg"
    r"|Pb|[HBCNOFPSKVYIWU])\d{0,2}){2,6}"
)
_WORD = re.compile(r"[^\W_]{1,20}")


def ends_capitalised(changed: Sequence[Change]) -> Found | None:
    """A short end that gets a capital behind its apostrophe: `Who's` as `Who'S`."""
    for before, after in changed:
        new = set(_BEHIND_APOSTROPHE.findall(after)) - set(_BEHIND_APOSTROPHE.findall(before))
        if any(end.lower() in before for end in new):
            return "the end of a word gets a capital behind its apostrophe", (before, after)
    return None


def formulas_lowered(changed: Sequence[Change]) -> Found | None:
    """A formula of which only the first letter stays large: `NaCl` as `Nacl`."""
    for before, after in changed:
        if before.casefold() != after.casefold():
            continue
        words = set(_WORD.findall(after))
        if any(one.capitalize() in words and _is_formula(one) for one in set(_WORD.findall(before)) - words):
            return "a formula loses capitals inside of it", (before, after)
    return None


def _is_formula(word: str) -> bool:
    return sum(map(str.isupper, word)) > 1 and _FORMULA.fullmatch(word) is not None


def units_made_alike(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """Units that only a capital tells apart and that come to be written alike: `5 MW` and `3 mW` as `5 mw`, `3 mw`."""
    became = defaultdict[str, set[str]](set)
    for before, after in cells:
        if isinstance(before, str) and isinstance(after, str) and (unit := _unit(before)) and _EXACT.fullmatch(unit):
            became[_unit(after)].add(unit)
    for before, after in changed:
        unit = _unit(after)
        alike = {one for one in became.get(unit, ()) if one.casefold() == unit.casefold()}
        if unit and len(alike) > 1 and _unit(before) != unit:
            return "units that a capital tells apart come to be the same", (before, after)
    return None


def codes_in_one_case(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """Codes made of large and small letters, in other places in each, that lose the difference: `aZ3kQ` as `AZ3KQ`."""
    codes = {one for one, _ in cells if isinstance(one, str) and _CODE.fullmatch(one)}
    codes = {one for one in codes if any(map(str.isalpha, one))}
    mixed = {one for one in codes if _is_mixed(one)}
    if len({_places(one) for one in mixed}) < max(ENOUGH, MOSTLY * len(mixed)) or len(mixed) < MOSTLY * len(codes):
        return None
    if all(map(_HEXADECIMAL.fullmatch, codes)):
        return None
    for before, after in changed:
        if before in mixed and after.casefold() == before.casefold() and after in (after.lower(), after.upper()):
            return "codes lose what their large and small letters tell", (before, after)
    return None


def _unit(text: str) -> str:
    """The unit as it is written, where it is one of those that a capital tells apart."""
    found = _PREFIXED.fullmatch(text.strip()) if len(text) <= 40 else None
    return found[1] if found else ""


def _is_mixed(code: str) -> bool:
    return len(_UP.findall(code)) >= SWITCHES or (
        _UP.search(code) is not None and re.search(r"[A-Z][\d_-]*[a-z]", code) is not None
    )


def _places(code: str) -> str:
    return "".join("A" if char.isupper() else "a" if char.islower() else "0" for char in code)
