"""Results that lack the sign which all cells that stay have. Called by character_laws.py.

`anna (at) firma.de` as `anna.firma.de` beside addresses with `@`, `123 - 4567` as `1234567` beside `123-4567`.
"""

import unicodedata
from collections.abc import Sequence

from orchestrator.gate.information.changes import DASHES, Change, Found
from orchestrator.gate.information.null_tokens import holds_something
from orchestrator.gate.information.value_kinds.encodings import decoded

ENOUGH = 8  # different cells that stay
_OF_NUMBERS = frozenset(".,")  # 13 is as good as 13.00


def sign_of_all_missing(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """A text that is written otherwise, and not only with other blanks or capitals, and without that sign."""
    stay = [one for one, other in cells if one == other and isinstance(one, str) and holds_something(one)]
    if len(stay) < ENOUGH:
        return None
    signs = {sign for sign in set.intersection(*map(set, stay)) if not sign.isalnum() and not sign.isspace()}
    sentences = any(len(one.split()) > 1 for one in stay)  # what they have in common, they have by chance
    for before, after in changed if signs else ():
        if not any(map(str.isalpha, after)):
            plain = unicodedata.normalize("NFKC", before).translate(DASHES)
            had = signs.intersection(plain) - _OF_NUMBERS
            whole = _figures(plain) == _figures(after) and " " not in after  # and no parts of an object
            lacking = had - set(after) if whole else set()
        else:  # what stood there and goes is for other laws to judge
            lacking = set() if sentences else signs - set(after) - set(before)
        if lacking and holds_something(after) and _bare(after) not in (_bare(before), _bare(decoded(before))):
            return "a sign is missing that all cells that stay have", (before, after)
    return None


def _figures(text: str) -> str:
    """A number with other ones is counted or converted: `1:02:03` as 3723."""
    return "".join(filter(str.isdigit, text))


def _bare(text: str) -> str:
    return "".join(text.split()).casefold()
