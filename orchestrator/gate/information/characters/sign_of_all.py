"""Results that lack the sign which all cells that stay have. Called by character_laws.py.

`anna (at) firma.de` as `anna.firma.de` beside addresses with `@`, `123 - 4567` as `1234567` beside `123-4567`.
"""

from collections.abc import Sequence

from orchestrator.gate.information.changes import Change, Found
from orchestrator.gate.information.null_tokens import holds_something

ENOUGH = 8  # different cells that stay
_OF_NUMBERS = frozenset(".,")  # 13 is as good as 13.00


def sign_of_all_missing(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """A text that is written otherwise, and not only with other blanks or capitals, and without that sign."""
    stay = [one for one, other in cells if one == other and isinstance(one, str) and holds_something(one)]
    if len(stay) < ENOUGH:
        return None
    signs = {sign for sign in set.intersection(*map(set, stay)) if not sign.isalnum() and not sign.isspace()}
    for before, after in changed if signs else ():
        lacking = signs - set(after) - (_OF_NUMBERS if not any(map(str.isalpha, after)) else set())
        if lacking and holds_something(after) and _bare(before) != _bare(after):
            return "a sign is missing that all cells that stay have", (before, after)
    return None


def _bare(text: str) -> str:
    return "".join(text.split()).casefold()
