"""The secret key that authenticates this user's journals on this machine. Called by the journal of runs.

It never leaves the machine and proves nothing to others: what is to be shown to others is signed with the user's
signing key (registry/signing). Whoever can read it already has the user's rights.
"""

import os
import secrets
from pathlib import Path

from orchestrator.core.errors import UsageError
from orchestrator.data.secret_file import make_secret, own_home, read_secret

_BYTES = 32
_ANEW = "Remove it; a new one is made."


def key_file() -> Path:
    """The path of the key, in the user's state folder (XDG_STATE_HOME)."""
    state = os.environ.get("XDG_STATE_HOME", "")
    return (Path(state) if state.startswith("/") else own_home() / ".local" / "state") / "cleanroom" / "machine.key"


def machine_key() -> bytes | None:
    """The key, made if there is none yet; None if it cannot be stored. Raises UsageError for an invalid key."""
    try:
        path = key_file()
        found = _read(path)
        if found is None:
            make_secret(path, secrets.token_bytes(_BYTES))
            found = _read(path)
    except (OSError, RuntimeError):  # RuntimeError: a user without a home
        return None
    return found


def missing_key() -> str:
    """Why this machine keeps no key; empty where it does."""
    if machine_key() is not None:
        return ""
    try:
        return f"no key can be kept in {key_file().parent}"
    except RuntimeError:
        return "no key can be kept: there is no home folder"


def _read(path: Path) -> bytes | None:
    key = read_secret(path, _BYTES, advice=_ANEW)
    if key is not None and len(key) != _BYTES:
        raise UsageError(f"{path} is not a key of cleanroom.", advice=_ANEW)
    return key
