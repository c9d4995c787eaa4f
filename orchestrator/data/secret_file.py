"""Files that hold a secret of the user: read only if nobody else can, made whole or not at all.

Called by `machine_key` and by the registry's signing keys.
"""

import os
import stat
from contextlib import suppress
from pathlib import Path

from orchestrator.core.errors import UsageError
from orchestrator.data.files import private_folder, write_new


def own_home() -> Path:
    """The user's home. Raises RuntimeError without one.

    An empty or relative HOME names none: keys and whom to trust would come from the folder where a command is called.
    """
    if not os.environ.get("HOME", "/").startswith("/"):
        raise RuntimeError("HOME is not a whole path")
    return Path.home()


def read_secret(path: Path, limit: int, *, advice: str) -> bytes | None:
    """At most `limit` + 1 bytes of the file; None where there is none. Follows no link.

    Raises OSError, and UsageError with the advice where the file belongs to or is open to others.
    """
    try:
        number = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    with os.fdopen(number, "rb") as file:
        known = os.fstat(number)
        if known.st_uid != os.geteuid() or known.st_mode & (stat.S_IRWXG | stat.S_IRWXO):
            raise UsageError(f"The key {path} is open to others.", advice=advice)
        return file.read(limit + 1)


def make_secret(path: Path, secret: bytes) -> bool:
    """Write the file, for its owner only; False where there is one already, which stays as it is. Raises OSError."""
    private_folder(path.parent)
    with suppress(FileExistsError):
        write_new(path, secret)
        return True
    return False
