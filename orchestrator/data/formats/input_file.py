"""Opens a file that is read, and says so where somebody removes, replaces or changes it meanwhile.

Called by all readers of files. A reader that meets nonsense complains of the file; where it is not the file that was
opened at first, that is the reason, and the complaint would lead astray.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedReader
from pathlib import Path

from orchestrator.core.errors import DataChanged, DataError, UsageError

FileState = tuple[int, ...]
"""What tells one state of a file from another, without a look into it; empty where there is no file."""


def file_state(path: Path) -> FileState:
    """The state in which the file is now; other than before, too, where it was written over and put back."""
    try:
        found = path.stat()
    except OSError:
        return ()
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns


def changed_meanwhile(what: object) -> DataChanged:
    """The error about data that somebody writes to while they are read."""
    return DataChanged(
        f"{what} has changed while cleanroom worked on it: nothing was written.",
        advice="Start again when nobody writes to it.",
    )


def open_input(content: Path, name: object) -> BufferedReader:
    """The file's bytes; a file of that name was there before. `name`: for people. Raises DataError."""
    with input_errors(name):
        return content.open("rb")


@contextmanager
def input_errors(name: object) -> Iterator[None]:
    """What the system says of a file that is read, as DataError."""
    try:
        yield
    except (FileNotFoundError, NotADirectoryError):
        raise changed_meanwhile(name) from None
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise DataError(f"{name} cannot be read: {reason}.", advice="Check the file and its disk.") from error


@contextmanager
def watched(content: Path, name: object, before: FileState) -> Iterator[None]:
    """Whatever its reader complains of: where the file is in another state than `before`, raise that it has changed."""
    try:
        with input_errors(name):
            yield
    except UsageError:
        if file_state(content) != before:
            raise changed_meanwhile(name) from None
        raise
