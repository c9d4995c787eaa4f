"""Signs of comparison in texts: `>=` and `≥` say the same, `≤`, `>` and `=` do not. Called by laws.py.

Arrows (`=>`, `<=>`) and HTML tags are none; `&ge;` is one.
"""

import html
import re
from collections import Counter
from collections.abc import Sequence

from orchestrator.gate.information.changes import Change, Found
from orchestrator.gate.information.value_kinds.said_bounds import BOUND

_SIGN = re.compile(
    r"(?P<arrow><=+>|<-+>|=+>(?!=)|-+>|<==+|<-+(?!\d))|(?P<le><=|=<|[\u2264\u2a7d])|(?P<ge>>=|[\u2265\u2a7e])"
    r"|(?P<open>(?<=%)\+(?![\d/+-]|\s?\d))|(?P<ne>!==?|=/=|<>|\u2260)|(?P<pm>(?:\+/-|\+-|\u00b1)(?=\s?\d))|(?P<lt><)|(?P<gt>>)"
)
_TAG = re.compile(r"</?[a-zA-Z!][^<>]*>")
_SAYS_SO = re.compile(
    r"\b(?:min|max|least|most|more|less|than|under|over|above|below|up to|from|until|not|no|unequal|plus|minus|about|"
    r"between|exceed\w*|within|ab|bis|mind|h\u00f6chst\w*)\b|\d ?\+(?!\d)|\d\(\d+\)",
    re.IGNORECASE,
)
_GARBLED = re.compile(r"[\u00c2\u00c3\u00e2][\u0080-\u00bf\u20ac\u2030]")  # UTF-8 read as another encoding
_WHOLE = ("le", "ge", "ne", "pm")


def comparisons_changed(changed: Sequence[Change]) -> Found | None:
    """A sign that becomes another one, that goes, or that was not there and that no word said. `98%+` is `≥98%`."""
    for before, after in changed:
        if _GARBLED.search(before):
            continue
        one, other = _signs(before), _signs(after)
        if one == other or [*map(_bound, one)] == [*map(_bound, other)]:
            continue
        if len(one) == len(other) and not {*one} & {"arrow"}:
            return "a sign of comparison becomes another one", (before, after)
        gone, new = Counter(one) - Counter(other), Counter(other) - Counter(one)
        if any(gone[sign] for sign in (*_WHOLE, "open")) and not _is_said(after) and "+" not in after:
            return "a sign of comparison is left out", (before, after)
        if any(new[sign] for sign in _WHOLE) and not _is_said(before):
            return "a sign of comparison is made up", (before, after)
    return None


def _signs(text: str) -> list[str]:
    found = [str(match.lastgroup) for match in _SIGN.finditer(html.unescape(_TAG.sub(" ", text)))]
    return [] if {*found} <= {"arrow", "gt"} and "gt" in found and text.lstrip().startswith(">") else found


def _bound(sign: str) -> str:
    """`98%+` says what `≥98%` says."""
    return "ge" if sign == "open" else sign


def _is_said(text: str) -> bool:
    return bool(_SAYS_SO.search(text) or BOUND.search(text))
