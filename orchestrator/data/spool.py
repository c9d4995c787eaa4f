"""Private temporary files, in which data that are not local are kept while they are worked on. Called by data/.

A folder for each data set, for its owner only, below TMPDIR. It is removed with its owner's last use, at the end of
the process at the latest; what a killed process left there is removed by the next one of the same user.
"""

import fcntl
import os
import re
import shutil
import tempfile
import time
import weakref
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from orchestrator.core.errors import CleanroomError

MAX_BYTES = 2**40  # no data set may fill the disk without end: a server can send for ever
_SPARE = 256 * 2**20  # bytes of a disk that are left to others
_CHECKED = 64 * 2**20  # bytes between two looks at the free space
_PREFIX = "cleanroom-data-"
_YOUNG_S = 3600.0  # one that is just being made has no lock yet
_NAME_BYTES = 200  # of the 255 that usual file systems take
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
ADVICE = "Free some space, or name a larger folder with TMPDIR."


class Spool:
    """A folder that goes away with this value."""

    def __init__(self) -> None:
        _sweep()
        self.folder = Path(tempfile.mkdtemp(prefix=_PREFIX))
        lock = os.open(self.folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        fcntl.flock(lock, fcntl.LOCK_EX)
        self.remove = weakref.finalize(self, _removed, self.folder, lock)

    def check_room(self, wanted: int, what: str, error: type[CleanroomError]) -> None:
        """Raise `error` where `wanted` bytes more do not fit on the disk, or are more than any data set may have."""
        if wanted > MAX_BYTES:
            raise error(f"{what} is larger than {MAX_BYTES // 2**30:,} GiB.", advice="Read it in parts.")
        free = shutil.disk_usage(self.folder).free
        if wanted + _SPARE > free:
            raise error(f"{what} does not fit on the disk: {self.folder.parent} is full.", advice=ADVICE)


def name_for_copy(name: str) -> str:
    """What a copy of something with this name is called: its end, which says the format, as file systems take it."""
    plain = _CONTROL.sub("_", Path(name).name).encode("utf-8", "surrogatepass")
    end = plain[-_NAME_BYTES:].decode("utf-8", "ignore")
    return end if end.strip(".") else "data"


class RoomMeter:
    """Counts what is written to a spool and stops it before the disk is full."""

    def __init__(self, spool: Spool, what: str, error: type[CleanroomError]) -> None:
        self._spool = spool
        self._what = what
        self._error = error
        self._bytes = 0
        self._looked = -_CHECKED

    def add(self, count: int) -> None:
        """Before so many bytes are written. Raises the error."""
        self._bytes += count
        if self._bytes - self._looked >= _CHECKED:
            self._spool.check_room(count, self._what, self._error)
            self._looked = self._bytes
        if self._bytes > MAX_BYTES:
            self._spool.check_room(self._bytes, self._what, self._error)


@contextmanager
def disk_mapped(what: str, error: type[CleanroomError]) -> Iterator[None]:
    """Raise `error` where a temporary file cannot be written."""
    try:
        yield
    except OSError as failed:
        reason = (failed.strerror or str(failed)).lower()
        raise error(f"{what} cannot be kept in {tempfile.gettempdir()}: {reason}.", advice=ADVICE) from failed


def _removed(folder: Path, lock: int) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    os.close(lock)


def _sweep() -> None:
    """Remove the folders of processes that were killed: nobody holds their lock."""
    for left in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        with suppress(OSError):
            if left.lstat().st_uid != os.getuid() or time.time() - left.lstat().st_mtime < _YOUNG_S:
                continue
            lock = os.open(left, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(left)
            finally:
                os.close(lock)
