"""Words that are divided at the ends of lines: all of a text are joined alike, and what stands behind them stays.

Called by prose_laws.py.
"""

import re
from collections.abc import Sequence
from itertools import islice

from orchestrator.gate.information.changes import Change, Found
from orchestrator.gate.information.prose.first_only import ENOUGH, first_only

LONGEST, MOST = 4_000, 50  # characters of a text that is looked at, and words of it
_DIVIDED = re.compile(
    r"(?<![^\W\d_])([^\W\d_]{1,30}[a-z\u00df-\u00ff])-[ \t]?\r?\n[ \t]?([a-z\u00df-\u00ff][^\W\d_]{0,30})(?![^\W\d_])"
)
_WORD = re.compile(r"[^\W\d_]+")
_NO_LETTER = re.compile(r"[^\w,]|_")
_COMMA = re.compile(r"(?<=[^\W\d_]),(?=\s+[^\W\d_])")


def later_ones_left(changed: Sequence[Change], *, enough: int = ENOUGH) -> Found | None:
    """Of several divided words the first is joined in several texts, and no later one in any."""
    detail = "the first of several divided words in a text is joined, and none behind it is"
    return first_only(changed, _joined, detail, enough)


def _joined(before: str, after: str) -> list[bool]:
    """Whether each of the divided words came to stand in one piece, with its hyphen or without."""
    if max(len(before), len(after)) > LONGEST:
        return []
    words = [match.groups() for match in islice(_DIVIDED.finditer(before), MOST)]
    forms = [(one + other, f"{one}-{other}") for one, other in words]
    return [any(after.count(form) > before.count(form) for form in both) for both in forms]


def joined_with_hyphen(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """A divided word that keeps its hyphen, though other texts have it without one: `car-` and `pet` as `car-pet`."""
    found: dict[str, Change] = {}
    for before, after in changed:
        for match in islice(_DIVIDED.finditer(before), MOST) if len(before) <= LONGEST else ():
            if f"{match[1]}-{match[2]}" in after and f"{match[1]}-{match[2]}" not in before:
                found.setdefault(f"{match[1]}{match[2]}".casefold(), (before, after))
    if not found:
        return None
    texts = (one for one, _ in cells if isinstance(one, str) and len(one) <= LONGEST)
    known = {word.casefold() for text in texts for word in _WORD.findall(text)}
    word = next((word for word in found if word in known), None)
    return (
        None if word is None else ("a word that a line end divided keeps the hyphen, and others have none", found[word])
    )


def comma_lost_in_lines(changed: Sequence[Change]) -> Found | None:
    """A comma between words of a text that keeps its lines, and nothing stands for it."""
    for before, after in changed:
        if max(len(before), len(after)) > LONGEST or "\n" not in before.strip():
            continue
        lines = before.strip().count("\n") == after.strip().count("\n")
        if not lines or len(_COMMA.findall(before)) <= len(_COMMA.findall(after)) or "," in _signs(after, before):
            continue
        if _NO_LETTER.sub("", before).replace(",", "") == _NO_LETTER.sub("", after).replace(",", ""):
            return "a comma between words is left out, and the lines stay", (before, after)
    return None


def _signs(after: str, before: str) -> str:
    """Other signs that stand more often than before, with a comma for them: `;` may be put for it."""
    more = [sign for sign in ";:/|\u2013\u2014" if after.count(sign) > before.count(sign)]
    return "," if more else ""
