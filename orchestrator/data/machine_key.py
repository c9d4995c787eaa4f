"""The secret key that authenticates this user's journals on this machine. Called by the journal of runs.

It never leaves the machine and proves nothing to others. Whoever can read it already has the user's rights.
"""

import os
import secrets
import stat
from contextlib import suppress
from pathlib import Path

from orchestrator.core.errors import UsageError

_BYTES = 32


def key_file() -> Path:
    """The path of the key, in the user's state folder (XDG_STATE_HOME)."""
    state = os.environ.get("XDG_STATE_HOME", "")
    return (Path(state) if state.startswith("/") else Path.home() / ".local" / "state") / "cleanroom" / "machine.key"


def machine_key() -> bytes | None:
    """The key, made if there is none yet; None if it cannot be stored. Raises UsageError for an invalid key."""
    path = key_file()
    try:
        found = _read(path)
        return found if found is not None else _make(path)
    except (OSError, RuntimeError):  # RuntimeError: a user without a home
        return None


def _read(path: Path) -> bytes | None:
    try:
        number = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    with os.fdopen(number, "rb") as file:
        known, key = os.fstat(number), file.read(_BYTES + 1)
    if known.st_uid != os.geteuid() or known.st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise UsageError(f"The key {path} is open to others.", advice="Remove it; a new one is made.")
    if len(key) != _BYTES:
        raise UsageError(f"{path} is not a key of cleanroom.", advice="Remove it; a new one is made.")
    return key


def _make(path: Path) -> bytes | None:
    """Make the key whole or not at all: if two processes do so at the same time, both use the key of the first."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    temporary = path.with_name(f".{secrets.token_hex(8)}.part")
    number = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    try:
        with os.fdopen(number, "wb") as file:
            file.write(secrets.token_bytes(_BYTES))
            file.flush()
            os.fsync(number)
        with suppress(FileExistsError):
            path.hardlink_to(temporary)
    finally:
        temporary.unlink()
    return _read(path)
