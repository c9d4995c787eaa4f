"""The key by which this machine, for this user, knows again what it wrote itself. Called by the journal of runs.

It never leaves the machine and proves nothing to others. Who can read it can do anyway what the user can do.
"""

import os
import secrets
import stat
from contextlib import suppress
from pathlib import Path

from orchestrator.core.errors import UsageError

_BYTES = 32


def key_file() -> Path:
    """Where the key lies: in the user's folder for the state of programs."""
    state = os.environ.get("XDG_STATE_HOME", "")
    return (Path(state) if state.startswith("/") else Path.home() / ".local" / "state") / "cleanroom" / "machine.key"


def machine_key() -> bytes | None:
    """The key, made where there is none yet; None where none can be kept. Raises UsageError for a key that is unfit."""
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
        raise UsageError(f"{path} is no key of cleanroom.", advice="Remove it; a new one is made.")
    return key


def _make(path: Path) -> bytes | None:
    """Make the key whole or not at all: of two processes that do so at the same time, one wins for both."""
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
