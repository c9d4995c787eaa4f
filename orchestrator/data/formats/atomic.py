"""A file that appears whole or not at all. Used by every writer.

The bytes go to a temporary file in the same folder, are forced to disk and then take the final name in one step.
Whatever goes wrong, the temporary file is removed and an older file of that name is as it was.
"""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from orchestrator.core.errors import OutputError


@contextmanager
def atomic_file(path: Path) -> Iterator[BinaryIO]:
    """A binary file that becomes `path` at the end of the block. Raises OutputError when it cannot be written."""
    final = Path(os.path.realpath(path))
    if final.is_dir():
        raise OutputError(f"{path} is a directory; the result cannot be written there.", advice="Name a file.")
    with _mapped(path):
        number, name = tempfile.mkstemp(prefix=f".{final.name[:100]}.", suffix=".part", dir=final.parent)
    temporary = Path(name)
    try:
        with _mapped(path):
            with os.fdopen(number, "wb", buffering=2**20) as file:
                yield file
                file.flush()
                os.fchmod(number, _mode(final))
                os.fsync(number)
            temporary.replace(final)
            _sync_folder(final.parent)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


@contextmanager
def _mapped(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        advice = (
            "Free some space or name another place." if "space" in reason else "Name a place that you can write to."
        )
        raise OutputError(f"{path} cannot be written: {reason}.", advice=advice) from error


def _mode(path: Path) -> int:
    """The permissions that the file had, or those that any new file gets."""
    with suppress(OSError):
        return path.stat().st_mode & 0o777
    mask = os.umask(0o022)
    os.umask(mask)
    return 0o666 & ~mask


def _sync_folder(folder: Path) -> None:
    number = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(number)
    finally:
        os.close(number)
