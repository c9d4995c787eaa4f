"""Puts a file back as it was where what appears after it does not appear. Called by `quarantine`."""

import fcntl
import os
import secrets
from contextlib import suppress
from pathlib import Path


class EarlierFile:
    """What stands at a path now, kept under a second name while something new is written there.

    The second name is one of those that `clear_leftovers` removes when its process is gone. Where a file system has no
    second names, or the path is a link, nothing is kept, and nothing can be put back.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._kept = path.with_name(f".{path.name[:60]}.{secrets.token_hex(8)}.part")
        self._lock = -1
        self._absent = not os.path.lexists(path)
        self._new: tuple[int, int] | None = None
        if self._absent:
            return
        with suppress(OSError):
            self._lock = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)  # so that it is no leftover yet
            os.link(path, self._kept, follow_symlinks=False)

    def written(self) -> None:
        """Say that the new file is there: no other one is taken away."""
        self._new = _identity(self._path)

    def put_back(self) -> None:
        """Have the path as it was, as far as that is possible: what stood there before, or nothing."""
        if self._new is None or _identity(self._path) != self._new:
            return
        with suppress(OSError):
            if self._absent:
                self._path.unlink()
            else:
                self._kept.replace(self._path)

    def close(self) -> None:
        """Give up the second name."""
        with suppress(OSError):
            self._kept.unlink()
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        found = path.lstat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
