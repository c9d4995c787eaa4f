"""Numbers that are said not to be exact: bounds (`less than 5` and `<5`) and estimates (`about 1760` and `c. 1760`).

Called by equivalence.py, looked_up.py, shown.py and figures_changed.py.
"""

import re

from orchestrator.gate.information.similarity import key

_COMPARED = (
    (re.compile(r"\b(?:less than|smaller than|under|below)\s+(?=\d)", re.IGNORECASE), "<"),
    (re.compile(r"\b(?:more than|greater than|over|above)\s+(?=\d)", re.IGNORECASE), ">"),
)
_AT_LEAST = re.compile(
    r"(?:at least|min(?:imum|\.)?|from)\s+(\d+)|(?<!\d)(\d+)\s*(?:or more|and more|and over|and above|plus)\b",
    re.IGNORECASE,
)
_BELOW = re.compile(r"(?:under|below|less than|<)\s*(\d{1,3})(?:\s*(?:years?|yrs?)(?: old)?)?", re.IGNORECASE)
_BAND = re.compile(
    r"(?:aged?|ages)\s+(\d{1,3})\s*(?:-|\u2013|to)\s*(\d{1,3})(?:\s*(?:years?|yrs?)(?: old)?)?", re.IGNORECASE
)
_FROM_TO = re.compile(r"(\d{1,3})\s*[-\u2013]\s*(\d{1,3})")
_FROM_ZERO = re.compile(r"0\s*[-\u2013]\s*(\d{1,3})")
_BOUND = re.compile(r"\s*([<>]=?|[\u2264\u2265])\s*[-+]?[\d.]")
_SAID = re.compile(r"[<>\u2264\u2265+]|[^\W\d_]")
_EQUAL = {0x2264: "<=", 0x2265: ">="}
_NUMBER_WORDS = (
    r"an?|half|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|hundred"
    r"|(?:thir|four|fif|six|seven|eigh|nine)teen|(?:thir|for|fif|six|seven|eigh|nine)ty"
)
BOUND = re.compile(
    r"(?:^|[\s(])[<>\u2264\u2265]=?\s*[$\u20ac\u00a3\u00a5]?\s*\d|^\s*(?:max|min)(?:imum|\.)?\s*[$\u20ac\u00a3\u00a5]?\s*\d"
    r"|\d ?\+(?!\s*\d|/?[-\u2212])"
    r"|\b(?:and (?:over|more|up|above|older|newer|later|below|under)"
    r"|or (?:more|less|above|older|higher|below|lower|fewer))\b"
    r"|\b(?:bef(?:ore|\.)?|aft(?:er|\.)?)\s+\d{4}\s*$"
    rf"|^(?=.*?(?:\d|\b(?:{_NUMBER_WORDS})\b)).*?\b(?:under|(?<!\d )over|at least|at most)\b",
    re.IGNORECASE | re.DOTALL,
)
_ABOUT = re.compile(
    r"(?:[~\u2248]|\bc\.\s?(?=[12]\d{3}\b)"
    r"|\b(?:ca|circa|abt|approx|approximately|about|around|roughly|etwa|ungef\u00e4hr|env|environ)\b\.?)\s*(?=\d)",
    re.IGNORECASE,
)


def same_bound(before: str, after: str) -> bool | None:
    """Whether a bound in words or with a blank gets its sign; None if it is none, or the number is written anew."""
    if not _SAID.search(before) and not _SAID.search(after):
        return None
    if (below := _BELOW.fullmatch(before.strip())) and (ages := _FROM_ZERO.fullmatch(after.strip())):
        return int(ages[1]) == int(below[1]) - 1
    if (band := _BAND.fullmatch(before.strip())) and (ages := _FROM_TO.fullmatch(after.strip())):
        return band.groups() == ages.groups()
    signs = [found[1].translate(_EQUAL) for found in map(_BOUND.match, (before, after)) if found]
    if len(set(signs)) > 1:
        return False
    one, other = _compared(before), _compared(after.strip())
    if "+" in other and key(one) == key(other) and one.count("+") == other.count("+"):
        return True
    if one == before or other[:1] not in ("<", ">"):
        return None
    if one == other:
        return True
    return None if one[:1] == other[:1] else False


def _compared(text: str) -> str:
    text = _AT_LEAST.sub(r"\1\2+", text)
    for words, sign in _COMPARED:
        text = words.sub(sign, text)
    return re.sub(r"(?<=[<>])\s+(?=\d)", "", text)


def same_estimate(before: str, after: str) -> bool | None:
    """Whether two estimates are of the same number; None where not both are estimates."""
    (one, ours), (other, theirs) = (_ABOUT.subn(" ", text) for text in (before, after))
    if not ours or ours != theirs:
        return None
    return True if key(one) == key(other) else None
