"""Names that are turned round at a comma, though what stands behind it, or in front, is no first name.

Called by name_laws.py.
"""

import re
from collections import Counter
from collections.abc import Sequence

from orchestrator.gate.information.changes import Change, Found
from orchestrator.gate.information.proper_names.company_forms import LONGEST, forms_in

_WORD = re.compile(r"\w+")
_ARTICLE_BEHIND = re.compile(r",\s?([^\W\d_]{1,4})(?!\w)(?!\s*[^\W\d_])")
_ARTICLES = frozenset(
    {
        "the", "a", "an", "der", "die", "das", "ein", "eine", "le", "la", "les", "un", "une", "el", "los", "las", "il",
        "lo",
    }
)  # fmt: skip
# What stands behind a whole name.
_BEHIND = frozenset({"jr", "jnr", "junior", "sr", "snr", "senior", "ii", "iii", "iv", "phd", "md", "esq"})


def suffix_inside(changed: Sequence[Change]) -> Found | None:
    """What stands behind a name comes to stand inside or before another one: `Knuth, Jr., Ada` as `Ada Jr. Knuth`."""
    for before, after in changed:
        ours, theirs = _words(before), _words(after)
        if "," not in before or sorted(ours) != sorted(theirs):
            continue
        for at, word in enumerate(theirs[:-1]):
            front = theirs[at - 1] if at else ""
            if word in _BEHIND and theirs[at + 1] not in _BEHIND and _front(ours, word) != front:
                return f"{word!r} comes to stand in front of the name behind which it belongs", (before, after)
    return None


def another_article(changed: Sequence[Change]) -> Found | None:
    """The article behind a title that comes to stand in front of it as another one: `Hour, An` as `A Hour`."""
    for before, after in changed:
        title, comma, article = before.strip().rpartition(",")
        front, _, rest = after.strip().partition(" ")
        one, other = article.strip().casefold(), front.casefold()
        if comma and one != other and {one, other} <= _ARTICLES and _words(rest) == _words(title):
            return "an article becomes another one", (before, after)
    return None


def article_left_out(changed: Sequence[Change]) -> Found | None:
    """The article behind a title that goes, with figures or without: `Godfather, The (1966)` as `Godfather`."""
    for before, after in changed:
        behind = _ARTICLE_BEHIND.search(before) if len(before) <= LONGEST else None
        if behind is None or behind[1].casefold() not in _ARTICLES:
            continue
        ours, theirs = (Counter(_WORD.findall(text.casefold())) for text in (before, after))
        gone = [word for word in (ours - theirs).elements() if not word.isdigit()]
        if theirs and gone == [behind[1].casefold()] and not theirs - ours:
            return "an article behind a title is left out", (before, after)
    return None


def company_turned(changed: Sequence[Change]) -> Found | None:
    """A company and its town, or its legal form, turned like a person: `Knuth & Co, Oslo` as `Oslo Knuth & Co`."""
    for before, after in changed:
        parts = [part.strip() for part in before.split(",")] if len(before) <= LONGEST else []
        if len(parts) != 2 or not all(parts) or "," in after:
            continue
        front, behind = parts
        if _words(after) != [*_words(behind), *_words(front)]:
            continue
        if forms_in(front.split()[-1]) or len(forms_in(behind)) == len(behind.split()):
            return "a company is turned round like the name of a person", (before, after)
    return None


def _words(text: str) -> list[str]:
    return text.replace(",", " ").replace(".", " ").casefold().split() if len(text) <= LONGEST else []


def _front(words: list[str], word: str) -> str:
    """What stands in front of the word."""
    at = words.index(word)
    return words[at - 1] if at else ""
