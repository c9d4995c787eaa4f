"""Pictures that are left out though they tell values apart: `good 👍` and `good 👎` are not both `good`.

Called by laws.py.
"""

import unicodedata
from collections import defaultdict
from collections.abc import Sequence

from orchestrator.gate.information.changes import Change, Found
from orchestrator.gate.information.similarity import key

_FIRST = "\u2190"  # before it are ©, ® and °, which say what the text is


def pictures_gone(changed: Sequence[Change]) -> Found | None:
    """Different pictures that stood beside the same text, which is all that stays."""
    beside = defaultdict[str, set[str]](set)
    for before, after in changed:
        if gone := gone_from(before, after):
            beside[key(after)].add(gone)
            if len(beside[key(after)]) > 1:
                return "pictures that tell values apart are left out", (before, after)
    return None


def gone_from(before: str, after: str) -> str:
    """The pictures that are all that the change leaves out; "" where it is something else, or nothing stays."""
    return _pictures(before) if key(before) == key(after) != "" and not _pictures(after) else ""


def _pictures(text: str) -> str:
    return "".join(char for char in text if char >= _FIRST and unicodedata.category(char) == "So")
