"""What stands between the tags of a program or of its styles, which no reader sees.

Called by prose_laws.py, layouts.py.
"""

import re
from collections.abc import Sequence

from orchestrator.gate.information.changes import Change, Found

LONGEST, SHORTEST = 4_000, 4  # characters of a text that is looked at, and of a program
_PROGRAM = re.compile(r"<(script|style)\b[^<>]{0,200}>([^<]{0,2000})</\1\s{0,9}>", re.IGNORECASE)


def without_programs(text: str) -> str:
    """The text as a reader sees it."""
    return _PROGRAM.sub(" ", text) if "</s" in text or "</S" in text else text


def program_as_text(changed: Sequence[Change]) -> Found | None:
    """The tags of a program go and the program stays, among what is read: `<script>alert(1)</script>` as `alert(1)`."""
    for before, after in changed:
        for match in _PROGRAM.finditer(before[:LONGEST]):
            program = match[2].strip()
            rest = before.replace(match[0], "")
            if len(program) >= SHORTEST and match[0] not in after and program in after and program not in rest:
                return "a program becomes part of the text", (before, after)
    return None
