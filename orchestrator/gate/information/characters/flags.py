"""Flags, which are made of the two letters of a country. Called by equivalence.py and character_laws.py."""

from collections.abc import Sequence

from orchestrator.gate.information.changes import Change, Found

_FIRST = 0x1F1E6
_LETTERS = {_FIRST + at: chr(ord("A") + at) for at in range(26)}
_OTHERWISE = {"GB": "UK", "GR": "EL"}  # as some call them


def same_flag(before: str, after: str) -> bool | None:
    """Whether a flag and a code are of the same country; None where it is no such pair."""
    code = before.strip().translate(_LETTERS)
    made = after.strip()
    if code == before.strip() or len(code) != 2 or not (code + made).isascii() or len(made) != 2 or not made.isalpha():
        return None
    return made.upper() in (code, _OTHERWISE.get(code))


def flags_exchanged(changed: Sequence[Change]) -> Found | None:
    """A flag that becomes the code of another country."""
    found = next((one for one in changed if same_flag(*one) is False), None)
    return None if found is None else ("a flag becomes the code of another country", found)
