"""Data as a private file that can be read several times: what stdin gives, and what a packed file holds.

Data are read more than once, and from any place in them. The copy has no name in any folder: it is gone when the
process ends, however it ends. Called by `data.formats`; `packed` fills it from a packed file.
"""

import hashlib
import sys
import tempfile
import weakref
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from orchestrator.core.errors import DataError, OutputError, UsageError
from orchestrator.data.unpacking import BYTES_VARIABLE, UnpackingLimits

STDIN = Path("-")
STDIN_NAME = Path("stdin")
_BLOCK = 2**20


class PrivateCopy:
    """`path` can be opened as long as this object lives. `sha256`: of the bytes that came, packed as they were."""

    def __init__(self, blocks: Iterable[bytes], sha256: str | None = None) -> None:
        own = hashlib.sha256()
        try:
            file = tempfile.TemporaryFile()  # noqa: SIM115 - it lives as long as this object
            weakref.finalize(self, file.close)
            for block in blocks:
                if sha256 is None:
                    own.update(block)
                file.write(block)
            file.flush()
        except OSError as error:
            folder = tempfile.gettempdir()
            raise OutputError(
                f"The data cannot be copied to {folder}: {(error.strerror or str(error)).lower()}.",
                advice="Free some space, or set TMPDIR to a folder that has more.",
            ) from error
        self.path = Path(f"/proc/self/fd/{file.fileno()}")
        self.packed = sha256 is not None
        self.sha256 = sha256 or own.hexdigest()


@cache
def stdin_copy() -> PrivateCopy:
    """What stdin holds, read once in the life of this process. Raises UsageError, DataError, OutputError."""
    if sys.stdin is None or sys.stdin.isatty():
        raise UsageError("Nothing is piped to stdin.", advice="For example: `cat FILE | cleanroom … - --format csv`")
    copy = PrivateCopy(_limited())
    if not copy.path.stat().st_size:
        raise DataError("stdin is empty.", advice="Check the command before the pipe.")
    return copy


def _limited() -> Iterator[bytes]:
    most, size = UnpackingLimits.read().bytes, 0
    try:
        while block := sys.stdin.buffer.read(_BLOCK):
            size += len(block)
            if size > most:
                raise DataError(f"stdin gives more than {most:,} bytes.", advice=f"Raise it with {BYTES_VARIABLE}.")
            yield block
    except OSError as error:
        raise DataError(f"stdin cannot be read: {error.strerror or error}.") from error
