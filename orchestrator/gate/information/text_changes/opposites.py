"""Words that come to say the opposite: `increase` as `decrease`, `isn't` as `is`. Called by words_changed.py, laws.py.

They are nearly the same letters, so that each would pass as another spelling of the other.
"""

import re
from collections.abc import Sequence
from itertools import product

from orchestrator.gate.information.changes import Change, Found

SHORTEST = 4  # letters of what stays without its prefix
_NEGATING = ("anti", "dis", "il", "im", "in", "ir", "mis", "non", "un")
_FACING = ("de", "down", "hyper", "hypo", "in", "inter", "intra", "over", "post", "pre", "under", "up")
_FACING_ENDS = (("er", "ee"), ("or", "ee"))  # trainer and trainee
_SUBSTANCE = re.compile(  # nitrate and nitrite, methane, methanal and methanol, ferric and ferrous
    r"((?:hypo|per|bi|di|tri|iso)?(?:nitr|chlor|brom|iod|sul(?:f|ph)|phosph(?:or)?|arsen|carbon|acet|form|meth|eth|prop|but"
    r"|pent|hex|hept|oct|non|dec|cycl\w*|ferr|cupr|stann|plumb|mercur|lact|malt|gluc|fruct|sucr|amyl|lip))"
    r"(at|it|id|an|en|yn|anal|anol|anon|os|as|ic|ous|al|ol)e?"
)
_CONTRACTED = re.compile(r"(?<=\w)n['\u2019]t\b|\bcannot\b", re.IGNORECASE)
_PREFIXED = re.compile(r"\b(?:anti|dis|mis|non|un)-(\w+)", re.IGNORECASE)
_NEGATION = re.compile(
    r"(?<=\w)n['\u2019]?t\b|\bcannot\b|\b(?:not|no|never|(?:anti|dis|mis|non|un|in)[\w-]+)\b", re.IGNORECASE
)

FACING_WORDS = (
    {"above", "below"}, {"before", "after"}, {"north", "south"}, {"east", "west"}, {"left", "right"}, {"up", "down"},
    {"incoming", "outgoing"}, {"inbound", "outbound"}, {"over", "under"}, {"min", "max"}, {"gross", "net"},
    {"debit", "credit"}, {"buy", "sell"}, {"win", "loss"}, {"gain", "loss"}, {"arrival", "departure"}, {"in", "out"},
    {"born", "died"}, {"birth", "death"}, {"fall", "spring"}, {"autumn", "spring"}, {"winter", "summer"},
    {"home", "work"}, {"phone", "fax"}, {"tel", "fax"}, {"male", "female"}, {"morning", "evening"}, {"upper", "lower"},
    {"odd", "even"}, {"import", "export"}, {"deposit", "withdrawal"}, {"incl", "excl"}, {"start", "end"},
    {"os", "od"}, {"floor", "row"}, {"inv", "crn"}, {"buyer", "seller"}, {"allowed", "forbidden"},
    {"sender", "receiver"}, {"billing", "shipping"}, {"cents", "euros"}, {"cents", "dollars"}, {"pence", "pounds"},
    {"mobile", "work"}, {"plus", "minus"},
)  # fmt: skip
_SIGNS = {"plus": "+", "minus": "-\u2212"}


def became_sign(word: str, before: str, after: str) -> bool:
    """Whether the word became its sign: `A minus` as `A-`."""
    return any(sign in after and sign not in before for sign in _SIGNS.get(word, ""))


def opposite(one: str, other: str) -> bool:
    """Whether one word is the other with a prefix that denies it, or their prefixes or ends face each other."""
    if any(_ends_face(one, other, *ends) or _ends_face(other, one, *ends) for ends in _FACING_ENDS):
        return True
    substances = [found for word in (one, other) if (found := _SUBSTANCE.fullmatch(word))]
    if len(substances) > 1 and substances[0][1] == substances[1][1] and substances[0][2] != substances[1][2]:
        return True
    if any(f"{prefix}{short}" == long for prefix in _NEGATING for short, long in ((one, other), (other, one))):
        return min(len(one), len(other)) >= SHORTEST
    rests = [
        {prefix: word.removeprefix(prefix) for prefix in _FACING if word.startswith(prefix)} for word in (one, other)
    ]
    return any(
        prefix != faced and rest == left and len(rest) >= SHORTEST
        for (prefix, rest), (faced, left) in product(rests[0].items(), rests[1].items())
    )


def _ends_face(one: str, other: str, end: str, faced: str) -> bool:
    return one.endswith(end) and other == one.removesuffix(end) + faced and len(one) >= SHORTEST + len(end)


def negation_gone(changed: Sequence[Change]) -> Found | None:
    """`isn't`, `cannot` or the `non-` of a word that is left out, and nothing else says no in its place."""
    for before, after in changed:
        contracted = len(_CONTRACTED.findall(before)) > len(_CONTRACTED.findall(after))
        left = set(re.findall(r"\w+", after.casefold()))
        prefixed = any(word.casefold() in left for word in _PREFIXED.findall(before))
        if (contracted or prefixed) and len(_NEGATION.findall(before)) > len(_NEGATION.findall(after)):
            return "a word that says no is left out", (before, after)
    return None
