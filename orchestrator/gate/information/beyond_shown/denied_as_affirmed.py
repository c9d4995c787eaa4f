"""Two answers of which one denies the other, and that become one value. Called by character_laws.py.

`stimme eher zu` and `stimme eher nicht zu` as `4`: whatever examples show of the other answers.
"""

import re
from collections import defaultdict
from collections.abc import Sequence

from orchestrator.gate.information.changes import Change, Found

LONGEST = 100  # characters of an answer
_WORD = re.compile(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)*")
_NOT = frozenset(
    """not no never cannot isn't aren't don't doesn't won't nicht kein keine keinen nie pas jamais ne non n\u00e3o nunca
    niet geen ikke inte ej ei nie nem hay\u0131r de\u011fil \u043d\u0435 \u043d\u0435\u0442""".split()  # noqa: SIM905 - prose is easier to keep
)


def denied_as_affirmed(changed: Sequence[Change]) -> Found | None:
    """The words of one text are those of another one and a negation, and both become the same."""
    groups: dict[str, dict[frozenset[str], Change]] = defaultdict(dict)
    for before, after in changed:
        if len(before) <= LONGEST:
            words = frozenset(_WORD.findall(before.casefold()))
            groups[after].setdefault(words, (before, after))
    for said in groups.values():
        for words, change in said.items():
            if (affirmed := words - _NOT) and affirmed != words and affirmed in said:
                return "an answer and its denial become the same", change
    return None
