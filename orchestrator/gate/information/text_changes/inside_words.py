"""A part of a word that is replaced as the whole word is elsewhere: `Forest` as `ForeStreet`. Called by laws.py."""

from collections import defaultdict
from collections.abc import Sequence

from orchestrator.gate.information.changes import Change, Found
from orchestrator.gate.information.text_changes.replaced_parts import replaced_parts

SHORT = 2  # letters of a word that may stand in others


def replaced_inside(changed: Sequence[Change], shown: Sequence[Change] = ()) -> Found | None:
    """A short word is written out, and so are its letters inside another word.

    With a capital where there was none, or with letters behind it: `Hauptstr` is `Hauptstraße`, and `apts` apartments.
    Or it becomes a word that does not begin as it does: `sweetcorn` as `sweetmaize`. `shown`: of witnesses.
    """
    first: dict[tuple[str, str], Change] = {}
    for change in dict.fromkeys([*changed, *shown]):
        for part in replaced_parts(*change) or [change]:
            first.setdefault(part, change)
    whole: dict[str, set[str]] = defaultdict(set)
    for one, other in first:
        word = one.strip(".")
        if len(word) >= SHORT and word.isalpha() and other.isalpha() and word.casefold() != other.casefold():
            whole[word.casefold()].add(other)
    lengths = set(map(len, whole))
    for part, change in first.items():
        inside = _parts_of(part[0].casefold(), lengths) & whole.keys() if part[0].isalpha() else ()
        if change not in shown and any(_is_inside(part, short, long) for short in inside for long in whole[short]):
            return "a part of a word is replaced as the whole word is elsewhere", change
    return None


def _parts_of(word: str, lengths: set[int]) -> set[str]:
    """What stands inside the word and is so long."""
    return {word[at : at + n] for n in lengths if n < len(word) for at in range(len(word) - n + 1)}


def _is_inside(part: tuple[str, str], short: str, long: str) -> bool:
    one, other = part
    at = other.casefold().find(long.casefold())
    if at < 0 or not one.isalpha() or not other.isalpha() or len(one) == len(short):
        return False
    front, behind = other[:at], other[at + len(long) :]
    if one.casefold() != f"{front}{short}{behind}".casefold():
        return False
    turned = front != "" and other[at].isupper() and not front.isupper()
    exchanged = front != "" and not long.casefold().startswith(short[0])
    return turned or exchanged or behind.casefold() not in ("", "s")
