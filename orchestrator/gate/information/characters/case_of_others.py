"""Values that come to have other capitals or accents than the cells that stay. Called by character_laws.py."""

import unicodedata
from collections.abc import Sequence

from orchestrator.gate.information.changes import Change, Found, unchanged_texts
from orchestrator.gate.information.similarity import key


def cased_as_no_other(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """A value that differs from cells that stay in its capitals only, and is none of them: `New york`, `New York`.

    Not where only words became codes, in capitals throughout: `fob hamburg` as `FOB hamburg`.
    """
    stay = {one.strip() for one in unchanged_texts(cells)}
    folded = {one.casefold() for one in stay}
    for before, after in changed:
        made = after.strip()
        if made in stay or made.casefold() not in folded or key(before) != key(after):
            continue
        if [*filter(str.isalpha, before)] == [*filter(str.isalpha, after)]:
            continue  # its capitals are as they were: what changed are the signs of a list
        pairs = zip(before.split(), after.split(), strict=False)
        if any(one != other and not other.isupper() for one, other in pairs):
            return "a value is written in other capitals than the cells that stay", (before, after)
    return None


def accented_as_no_other(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """A value that gets an accent which none of the cells has that are the same without: `\u00f2` beside `\u00f3`."""
    stay = {one.strip() for one in unchanged_texts(cells) if not one.isascii()}
    bare = {_bare(one) for one in stay}
    folded = {one.casefold() for one in stay}
    for before, after in changed if stay else ():
        made = after.strip()
        new = {letter for letter in made.casefold() if not letter.isascii()} - set(before.casefold())
        if new and made.casefold() not in folded and _bare(made) in bare:
            return "a value gets another accent than the cells that stay have", (before, after)
    return None


def _bare(text: str) -> str:
    folded = unicodedata.normalize("NFD", text.casefold())
    return "".join(letter for letter in folded if not unicodedata.combining(letter))
