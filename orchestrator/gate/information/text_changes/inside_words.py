"""A part of a word that is replaced as the whole word is elsewhere: `Forest` as `ForeStreet`. Called by laws.py."""

from collections.abc import Sequence

from orchestrator.gate.information.changes import Change, Found
from orchestrator.gate.information.text_changes.replaced_parts import replaced_parts

SHORT = 2  # letters of a word that may stand in others


def replaced_inside(changed: Sequence[Change]) -> Found | None:
    """A short word is written out, and so are its letters inside another word.

    With a capital where there was none, or with letters behind it: `Hauptstr` is `Hauptstraße`, and `apts` apartments.
    """
    parts = {change: replaced_parts(*change) for change in dict.fromkeys(changed)}
    whole = {
        (one.strip(".").casefold(), other)
        for replaced in parts.values()
        for one, other in replaced
        if len(one.strip(".")) >= SHORT and one.strip(".").isalpha() and other.isalpha()
        if one.strip(".").casefold() != other.casefold()
    }
    first: dict[tuple[str, str], Change] = {}
    for change, replaced in parts.items():
        for part in replaced:
            first.setdefault(part, change)
    for part, change in first.items():
        if any(_is_inside(part, *word) for word in whole):
            return "a part of a word is replaced as the whole word is elsewhere", change
    return None


def _is_inside(part: tuple[str, str], short: str, long: str) -> bool:
    one, other = part
    at = other.casefold().find(long.casefold())
    if at < 0 or not one.isalpha() or not other.isalpha() or len(one) == len(short):
        return False
    front, behind = other[:at], other[at + len(long) :]
    if one.casefold() != f"{front}{short}{behind}".casefold():
        return False
    turned = front != "" and other[at].isupper() and not front.isupper()
    return turned or behind.casefold() not in ("", "s")
