"""Which columns a clause of the instruction names, and which of its other words may be meant for one.

Called by `preferences`: what is asked of a column that is not there is not taken for a wish for all of them.
"""

import difflib
import re
from collections.abc import Iterator, Sequence

_ALL = frozenset({"all", "each", "entire", "every", "everything", "everywhere", "throughout"})
_WISHES = re.compile(
    r"\be\.?164\b|\b(?:upper|lower|title)[ -]?case\b|\bwhole numbers?\b|\b(?:month|day)[ -]first\b"
    r"|\b[ymd]+([-/. ])[ymd]+\1[ymd]+\b|\bnull word:?\s+[\"'“]?[^\s\"'”,;]+|\"[^\"]*\"|“[^”]*”|'[^']*'",
    re.IGNORECASE,
)
_OF_WISHES = (
    "alone become becomes blank change convert do empty first has have iso keep leave make missing no not null "
    "put read set should must touch treat turn use want wants write written"
)
_OF_CLEANING = (
    "according apply blanks clean cleaned cleaning cleanup consistent consistently correct corrected ensure error "
    "errors fix fixed mess messy mistake mistakes normalise normalised normalize normalized notation proper "
    "properly remove same space spaces spelling standard standardise standardised standardize standardized strip "
    "style styles tidy trim typo typos unified uniform uniformly unify valid way ways whitespace"
)
_OF_TABLES = (
    "case cell cells column columns csv data dataset date dates day days field fields file form format formats "
    "month months number numbers phone phones row rows string strings table telephone text texts time times value "
    "values word words year"
)
_OF_SENTENCES = (
    "a am an and are as at be because been but by can could for from i if in into is it its just like me my of on "
    "only or other others otherwise our please rest so than thank thanks that the their them there these they "
    "this those to too us we were when where which will with would you your"
)
_PLAIN_WORDS = frozenset(f"{_OF_WISHES} {_OF_CLEANING} {_OF_TABLES} {_OF_SENTENCES}".split())
_NEAR, _NEARER = 0.6, 0.75


def columns_named(clause: str, names: Sequence[str]) -> list[str]:
    """The columns that a clause names, as whole words, also in the plural.

    Longest first, so that "city" is not seen in "city state".
    """
    found = {name for name, _ in _taken_out(clause, names)}
    return [name for name in names if name in found]


def stray_words(clause: str, names: Sequence[str]) -> list[str]:
    """The words of a clause that are part of no wish and name no column; none where it speaks of all columns.

    Where it names columns, only those count that are nearly the name of another one.
    """
    rest = [clause, *(rest for _, rest in _taken_out(clause, names))][-1]
    words = re.findall(r"[^\W\d][\w-]*", _WISHES.sub(" ", rest))
    words = [word for word in words if word.casefold() not in _PLAIN_WORDS]
    if columns_named(clause, names):
        return [word for word in words if _is_slip(word, names)]
    return [] if _ALL.intersection(re.findall(r"\w+", clause.casefold())) else words


def no_column(word: str, names: Sequence[str]) -> str:
    """That a word names no column, and which one may be meant."""
    near = _nearest(word, names, _NEAR)
    return f"{word!r} names no column" + (f" (did you mean {near!r}?)" if near else "")


def _is_slip(word: str, names: Sequence[str]) -> bool:
    """Whether a word is nearly a column's name, and about as long: `prot` for `port`, and no `report`."""
    near = _nearest(word, names, _NEARER)
    return bool(near) and abs(len(word) - len(near)) <= 1


def _nearest(word: str, names: Sequence[str], least: float) -> str:
    folded = {name.casefold(): name for name in names}
    return next((folded[name] for name in difflib.get_close_matches(word.casefold(), folded, 1, least)), "")


def _taken_out(clause: str, names: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Each column that the clause names, and what is left of the clause without it."""
    rest = clause
    for name in sorted(names, key=len, reverse=True):
        ending = "" if f"{name}s".casefold() in _PLAIN_WORDS else "(?:'?e?s)?"  # "ISO dates" is not about `date` alone
        pattern = rf"(?<!\w){re.escape(name)}{ending}(?!\w)"
        if name and re.search(pattern, rest, re.IGNORECASE):
            rest = re.sub(pattern, " ", rest, flags=re.IGNORECASE)
            yield name, rest
