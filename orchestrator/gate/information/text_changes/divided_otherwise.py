"""Codes and words that are divided where no other cell is: `7732-1-85` among `7732-18-5`, `soft ware`.

Called by laws.py.
"""

import re
from collections import defaultdict
from collections.abc import Sequence

from orchestrator.gate.information.changes import Change, Found
from orchestrator.gate.information.similarity import key

ENOUGH = 8  # different codes that show how long their parts are
SHORTEST = 3  # letters of a word that is divided
LONGEST = 60  # characters of a code
_PARTS = re.compile(r"[^\W_]+")
_WORD = re.compile(r"[^\W\d_]+")
_DECIMAL = re.compile(r"[-+]?\d+[.,]\d+")


def codes_divided(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """A code whose signs stay, and whose parts are as long as those of no code with as many signs was."""
    codes = {one for one, _ in cells if isinstance(one, str) and len(one) <= LONGEST}
    built: dict[str, list[tuple[int, ...]]] = defaultdict(list)  # by the signs, how long the parts of each code are
    for code in codes:
        built[_between(code)].append(_lengths(code))
    for before, after in changed:
        marks = _between(after) if len(after) <= LONGEST and key(before) == key(after) else ""
        parts = _lengths(after)
        known = [lengths for lengths in built[marks] if len(lengths) == len(parts)] if marks else []
        if len(known) < ENOUGH or _lengths(before) == parts or not _is_code(after):
            continue
        always = map(set, zip(*known, strict=True))
        as_long = any(sum(lengths) == sum(parts) for lengths in known)
        if as_long and any(len(one) == 1 and part not in one for one, part in zip(always, parts, strict=True)):
            return "a code is divided otherwise than the others", (before, after)
    return None


def words_divided(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """A word in small letters that becomes two, of which no other cell has both."""
    suspected = []
    for before, after in changed:
        olds, news = _WORD.findall(before), _WORD.findall(after)
        if len(news) != len(olds) + 1 or "".join(olds) != "".join(news):
            continue
        at = next(at for at, word in enumerate(news) if olds[at : at + 1] != [word])
        one, other = news[at : at + 2]
        if olds[at] == one + other and olds[at][1:].islower() and min(len(one), len(other)) >= SHORTEST:
            suspected.append((f"{one} {other}", one, other, (before, after)))
    if not suspected:
        return None
    known = {word.casefold() for one, _ in cells if isinstance(one, str) for word in _WORD.findall(one)}
    for pair, one, other, change in suspected:
        if pair in change[1] and not {one.casefold(), other.casefold()} <= known:
            return "a word becomes two which no other cell has", change
    return None


def _is_code(text: str) -> bool:
    """Whether it has figures, and no words; a number with decimals is none, however long those of the others are."""
    if _DECIMAL.fullmatch(text):
        return False
    return any(map(str.isdigit, text)) and not any(len(word) >= SHORTEST for word in _WORD.findall(text))


def _between(text: str) -> str:
    """What stands between the parts of a code; empty where it has one part."""
    return _PARTS.sub("", text)


def _lengths(text: str) -> tuple[int, ...]:
    return tuple(map(len, _PARTS.findall(text)))
