"""What says that a number is about right: `about 1760`, `c. 1760`, `~1760`. Called by looked_up.py."""

import re

from orchestrator.gate.information.similarity import key

_ABOUT = re.compile(
    r"(?:[~\u2248]|\bc\.\s?(?=[12]\d{3}\b)"
    r"|\b(?:ca|circa|approx|approximately|about|around|roughly|etwa|ungef\u00e4hr|env|environ)\b\.?)\s*(?=\d)",
    re.IGNORECASE,
)


def same_estimate(before: str, after: str) -> bool | None:
    """Whether two estimates are of the same number; None where not both are estimates."""
    (one, ours), (other, theirs) = (_ABOUT.subn(" ", text) for text in (before, after))
    if not ours or ours != theirs:
        return None
    return True if key(one) == key(other) else None
