"""Letters of a code that go and leave its figures, which no example shows. For number_sign_laws.py.

`Rm. 12B` as `12B` and `room 7` as `7` show that a word goes. They do not show `Rm 4A` as `4`.
"""

import re
from collections.abc import Iterable

from orchestrator.gate.information.changes import Change, Found
from orchestrator.gate.information.column import Column
from orchestrator.gate.information.kept_of_text import plain
from orchestrator.gate.information.similarity import is_short_for
from orchestrator.gate.information.value_kinds.units import names_unit

LONGEST = 60  # characters of a value
_WORD = re.compile(r"[^\W\d_]+")
_CODE = re.compile(r"(?<![^\W_])(?<![.,])([^\W\d_]{0,2})(\d+)([^\W\d_]{0,2})(?![^\W_]|[.,]\d)")
_ENDS = frozenset({"st", "nd", "rd", "th"})  # of ordinals


def letters_at_figures_gone(column: Column) -> Found | None:
    """A number stands without the letters that stood at it, and no example leaves them out."""
    gone = _words_gone(column.shown)
    for one in column.not_same if column.shown else ():
        if any(not any(is_short_for(letters, word) for word in gone) for letters in _letters_lost(one)):
            return "a code loses its letters, which no example shows", one
    return None


def _words_gone(shown: Iterable[Change]) -> set[str]:
    return {word for before, after in shown for word in _words(before) - _words(after)}


def _letters_lost(change: Change) -> set[str]:
    if max(map(len, change)) > LONGEST:
        return set()
    codes, left = (
        {(front, behind): figures for front, figures, behind in _CODE.findall(plain(text))} for text in change
    )
    bare = left.get(("", ""))
    lost = {letters for code, figures in codes.items() if figures == bare for letters in code if letters}
    alone = len(_words(change[0])) == 1  # what stands alone at a number may be its unit
    return {one for one in lost - _ENDS - _words(change[1]) if not (alone and names_unit(one))}


def _words(text: str) -> set[str]:
    return {*_WORD.findall(plain(text))}
