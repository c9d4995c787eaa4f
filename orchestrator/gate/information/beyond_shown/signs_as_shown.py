"""Numbers below zero that lose their sign, where witnesses keep one written otherwise. For character_laws.py."""

import re
from collections.abc import Sequence

from orchestrator.gate.information.changes import Change, Found
from orchestrator.gate.information.value_kinds.number_parsing import reading

LONGEST = 40  # characters of a text with one number
_CURRENCY = r"(?:[$\u20ac\u00a3\u00a5]\s?)?"
_SIGN = re.compile(rf"\s*{_CURRENCY}([-\u2212]|(?:minus|negative)\s)\s?{_CURRENCY}\d", re.IGNORECASE)
_BRACKETS = re.compile(rf"\s*\({_CURRENCY}\d[\d.,'\u2019 ]*\)\s*")
_BEHIND = re.compile(rf"\s*{_CURRENCY}\d[\d.,'\u2019 ]*-\s*")
_NUMBER = re.compile(r"\d[\d.,'\u2019]*")


def sign_lost_beside_shown(changed: Sequence[Change], shown: Sequence[Change]) -> Found | None:
    """`\u221218 C` as 18 where a witness shows `-18 C` as -18, and none a number that loses just such a sign."""
    kept = any(_below(before) and _below(after) for before, after in shown)
    lost = {_below(before) for before, after in shown if not _below(after)} if kept else set[str]()
    for before, after in changed if kept else ():
        sign = _below(before)
        if not sign or sign in lost or _below(after):
            continue
        one, other = reading(before.strip(" ()-\u2212")), reading(after)
        if one and other and abs(one) == other:
            return "a number loses its sign, and a witness keeps one that is written otherwise", (before, after)
    return None


def _below(text: str) -> str:
    """How it is said that the only number of a text is below zero; empty where it is not."""
    if len(text) > LONGEST or len(_NUMBER.findall(text)) != 1:
        return ""
    if found := _SIGN.match(text):
        return found[1].strip().casefold()
    return "()" if _BRACKETS.fullmatch(text) else "behind" if _BEHIND.fullmatch(text) else ""
