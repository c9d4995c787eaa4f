"""Whether known values that were taken away came back: then the other rows say that empty cells are filled rightly.

Nights out of two dates, a price out of total and quantity: no other cell of the row says them, but every row that has
one obeys the rule. Called by filled_cells.py.
"""

import re
from collections import Counter
from collections.abc import Iterable
from typing import Any

from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.null_tokens import holds_something
from orchestrator.gate.information.similarity import key
from orchestrator.gate.information.value_kinds.moments import moments

_WORD, _FIGURE, _NO_NAME = re.compile(r"\w+"), re.compile(r"\d"), re.compile(r"\d|[@/]|\w[._]\w")
FEW = 4  # different values that no guess finds
OTHERS = 8  # values, other than the most frequent one, that none finds either
MOST_OTHERS = 0.05  # of the values found that may be others: data has errors
ENOUGH, TOO_MANY = 8, 0.125  # values found, and the share of others among them, that show a guess


def found_again(pairs: Iterable[Change]) -> bool:
    """Whether of the values that stood there almost all are the same again where one was found. A constant is none."""
    found = [(stood, came) for stood, came in pairs if holds_something(stood) and holds_something(came)]
    same = Counter(str(stood) for stood, came in found if _same(stood, came))
    apart = len(same) >= FEW or same.total() - max(same.values(), default=0) >= OTHERS
    return apart and len(found) - same.total() <= MOST_OTHERS * len(found)


def found_others(pairs: Iterable[Change]) -> bool:
    """Whether many of the values came back as others: whatever the row seems to say, it is a guess. Case is none.

    Numbers, dates, addresses and codes count: people have several names. Where a word stood, such as `about Easter`, a
    date that comes for it is none of its kind, and says nothing.
    """
    found = [(str(stood), str(came)) for stood, came in pairs if holds_something(stood) and holds_something(came)]
    found = [(stood, came) for stood, came in found if bool(_FIGURE.search(stood)) == bool(_FIGURE.search(came))]
    found = [(stood, came) for stood, came in found if _NO_NAME.search(came)]
    others = sum(not (_same(*one) or _longer(*one) or _one_day(*one)) for one in found)
    return len(found) >= ENOUGH and others > TOO_MANY * len(found)


def _longer(stood: str, came: str) -> bool:
    """Whether they are the same but for case, or the one has all words of the other: `Dr. Ada Hill` and `Ada Hill`."""
    ours, theirs = (set(_WORD.findall(text.casefold())) for text in (stood, came))
    return key(stood) == key(came) or (bool(ours and theirs) and (ours <= theirs or theirs <= ours))


def _one_day(stood: str, came: str) -> bool:
    """Whether both are forms of one date or time."""
    return not moments(stood).isdisjoint(moments(came))


def _same(stood: Any, came: Any) -> bool:
    if stood == came:
        return True
    try:
        return float(stood) == float(came)
    except (TypeError, ValueError):
        return False
