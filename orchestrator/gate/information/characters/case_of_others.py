"""Values that come to be written in other capitals than the cells that stay. Called by character_laws.py."""

from collections.abc import Sequence

from orchestrator.gate.information.changes import Change, Found
from orchestrator.gate.information.similarity import key


def cased_as_no_other(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """A value that differs from cells that stay in its capitals only, and is none of them: `New york`, `New York`.

    Not where only words became codes, in capitals throughout: `fob hamburg` as `FOB hamburg`.
    """
    stay = {one.strip() for one, other in cells if isinstance(one, str) and one == other}
    folded = {one.casefold() for one in stay}
    for before, after in changed:
        made = after.strip()
        if made in stay or made.casefold() not in folded or key(before) != key(after):
            continue
        pairs = zip(before.split(), after.split(), strict=False)
        if any(one != other and not other.isupper() for one, other in pairs):
            return "a value is written in other capitals than the cells that stay", (before, after)
    return None
