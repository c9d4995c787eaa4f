"""Short forms of the very value that they become. Called by column_laws.py.

Where a witness shows that another word becomes this value as well, `(+)` as `trace`, nothing is merged by `tr`.
"""

import re
from collections.abc import Sequence

from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.similarity import key


def own_beginnings(changed: Sequence[Change], cells: Sequence[Change], shown: Sequence[Change]) -> set[Change]:
    """The changes whose text is the beginning of what it becomes, as witnesses show it, and of no other value."""
    targets = {key(after) for _, after in shown}
    values = {after.strip() for _, after in cells if isinstance(after, str)}
    return {(before, after) for before, after in changed if key(after) in targets and _is_alone(before, after, values)}


def _is_alone(before: str, after: str, values: set[str]) -> bool:
    """Whether it is the beginning of the value, and of no other but those that have the whole value as first words.

    `N` may be `not asked` as well as `no`; `mod` is `moderate` beside `moderate to severe`.
    """
    short, whole = key(before), key(after)
    if not short.isalpha() or not whole.startswith(short) or short == whole:
        return False
    others = {value for value in values if key(value).startswith(short) and key(value) != short}
    return all(re.match(rf"{re.escape(after.strip())}(?!\w)", value, re.IGNORECASE) for value in others)
