"""Signs without width that letters and pictures need, marks that no letter has, and letters of another script.

Nobody sees that they come or go. Called by character_laws.py.
"""

import html
import re
import unicodedata
from collections.abc import Sequence
from itertools import islice

from orchestrator.data.writing.lookalikes import hidden_places, is_unseen, plain_letters
from orchestrator.gate.information.changes import Change, Found

MOST = 50  # joiners of one text
_LETTER = "[\u0600-\u07ff\u0900-\u0dff\ufb50-\ufdff\ufe70-\ufefc]"  # of scripts whose words have joiners inside
_PICTURE = "[\u2190-\u2bff\U0001f000-\U0001faff]"
_JOINED = re.compile(f"({_LETTER})[\u200c\u200d]+({_LETTER})|({_PICTURE}\ufe0f?)\u200d({_PICTURE})")
_WORD = re.compile(r"\w+")
_NEEDED = frozenset("\u200c\u200d" + "".join(map(chr, range(0xFE00, 0xFE10))))  # between letters, and of pictures
# Signs that are another way to show one of ASCII: a hyphen at which no line breaks, a ligature, wide letters.
_SHOWN_AS = {
    **dict(zip("\u2010\u2011\u212a\u017f\u037e", "--Ks;", strict=True)),
    **dict(zip("\ufb00\ufb01\ufb02\ufb03\ufb04\ufb06", ("ff", "fi", "fl", "ffi", "ffl", "st"), strict=True)),
    **{chr(code): chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)},
}
_ENDS = 0, -1
CELL = 200  # characters; what is longer is prose, which may end with a line break
_LATIN_MARKED = re.compile("[A-Za-z\u00c0-\u024f\u1e00-\u1eff][\u0300-\u036f]")


def joiners_gone(changed: Sequence[Change]) -> Found | None:
    """Letters or pictures that meet because what joined them goes: of one picture of two people become two pictures."""
    for before, after in changed:
        if before.isascii() or not ("\u200c" in before or "\u200d" in before):
            continue
        for found in islice(_JOINED.finditer(before), MOST):
            first, second = found[1] or found[3], found[2] or found[4]
            if found[0] not in after and first + second in after and first + second not in before:
                return "a sign without width that a word or picture needs is left out", (before, after)
    return None


def marks_made_up(changed: Sequence[Change]) -> Found | None:
    """A mark on a Latin letter that no letter has, and that did not stand there: `İzmir` as `i̇zmir`, of two signs."""
    for before, after in changed:
        if after.isascii() or before.isascii():
            continue
        one, other = (_LATIN_MARKED.findall(unicodedata.normalize("NFC", text)) for text in (before, after))
        if len(other) > len(one):
            return "a letter gets a mark apart from it, which no word is written with", (before, after)
    return None


def unseen_put_in(changed: Sequence[Change]) -> Found | None:
    """A sign without width, or a blank at an end: no comparison by eye shows it, and every one by a program does."""
    for before, after in changed:
        known = html.unescape(before)
        if any(is_unseen(sign) and sign not in known and sign not in _NEEDED for sign in set(after)):
            return "a sign that nobody sees is put in", (before, after)
        if len(after) <= CELL and _blanks(after) > _blanks(before) and _ends_with_more(before, after):
            return "a blank is put at an end, where nobody sees it", (before, after)
    return None


def _blanks(text: str) -> int:
    return sum(map(str.isspace, text))


def _ends_with_more(before: str, after: str) -> bool:
    return bool(before) and any(after[at].isspace() and not before[at].isspace() for at in _ENDS)


def letters_passed_off(changed: Sequence[Change]) -> Found | None:
    """Letters and signs that look the same: `Rome` with a Cyrillic o, which no search and no join finds."""
    for before, after in changed:
        others = {*after} - {*before} if not after.isascii() else set()
        if any((plain := _shown_as(sign)) and plain in before for sign in others):
            return "letters or signs become others that say and look the same", (before, after)
        places = hidden_places(after)
        for word in _WORD.finditer(after) if places else ():
            plain = plain_letters(word[0])
            if plain != word[0] and plain in before and not places.isdisjoint(range(*word.span())):
                return "letters become letters of another script that look the same", (before, after)
    return None


def _shown_as(sign: str) -> str:
    """The sign of ASCII in whose place it is shown; empty for others."""
    if not sign.isascii() and sign.isdecimal():
        return str(unicodedata.decimal(sign))
    return _SHOWN_AS.get(sign, "")
