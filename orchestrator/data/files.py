"""The one way to write a file. Called by every package that writes files.

A file appears whole or not at all: its bytes go to a temporary file in the same folder, are forced to the disk, and
take the final name in one step. On any error the temporary file is removed, and an older file of that name
is unchanged. No symbolic link is followed: the temporary name is random and must be new, and a link that has the final
name is replaced, not what it points to.

A new file can be read by those who can read its folder: in a run's folder, made by `private_folder`, only by its owner.
"""

import errno
import fcntl
import hashlib
import io
import os
import re
import secrets
import stat
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO

from orchestrator.core.errors import DataError, OutputError
from orchestrator.data.data_address import check_local

_NEW = os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


@contextmanager
def atomic_file(path: Path) -> Iterator[BinaryIO]:
    """A binary file that becomes `path` at the end of the block.

    Raises OutputError when it cannot be written, UsageError for an address.
    """
    folder = _folder_of(path)
    try:
        with _mapped(path):
            number, temporary = _begun(path, folder)
        try:
            with io.BufferedWriter(OutputBytes(number, lambda: _mapped(path)), 2**20) as file:
                yield file
                file.flush()
                with _mapped(path):
                    os.fchmod(number, _mode(path, folder))
                    os.fsync(number)
                    # before the file is closed, which ends its lock: until then it is not taken for a leftover
                    os.replace(temporary, path.name, src_dir_fd=folder, dst_dir_fd=folder)
        except BaseException:
            with suppress(FileNotFoundError):
                os.unlink(temporary, dir_fd=folder)
            raise
        with _mapped(path):
            os.fsync(folder)
    finally:
        os.close(folder)


def _begun(path: Path, folder: int) -> tuple[int, str]:
    """The temporary file for a path, locked until it is closed, and its name."""
    while True:
        name = f".{path.name[:60]}.{secrets.token_hex(8)}.part"
        number = os.open(name, os.O_WRONLY | _NEW, 0o600, dir_fd=folder)
        if _locked(number) is not False and _is_there(name, folder):
            return number, name
        os.close(number)  # `clear_leftovers` was faster, and removes it


def clear_leftovers(path: Path) -> None:
    """Remove what processes that were killed had begun to write to `path`, as far as that is possible.

    No file that a process still writes, for that one is locked, and none on a file system that cannot lock files. No
    link is followed, and only files of this user go.
    """
    pattern = re.compile(rf"\.{re.escape(path.name[:60])}\.[0-9a-f]{{16}}\.part")
    with suppress(OSError, OutputError):
        folder = _folder_of(path)
        try:
            for name in filter(pattern.fullmatch, (one.name for one in path.parent.iterdir())):
                with suppress(OSError):
                    _clear(name, folder)
        finally:
            os.close(folder)


def _clear(name: str, folder: int) -> None:
    number = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=folder)
    try:
        found = os.fstat(number)
        if stat.S_ISREG(found.st_mode) and found.st_uid == os.geteuid() and _locked(number):
            os.unlink(name, dir_fd=folder)
    finally:
        os.close(number)


def _locked(number: int) -> bool | None:
    """Whether the file is now locked by this descriptor alone; None where the file system cannot lock files."""
    try:
        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return None
    return True


def _is_there(name: str, folder: int) -> bool:
    try:
        os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return False
    return True


def check_writable(path: Path) -> None:
    """Refuse, before any work is done, what `atomic_file` refuses at its start. Raises OutputError, UsageError."""
    folder = _folder_of(path)
    try:
        with _mapped(path):
            if not os.access(".", os.W_OK | os.X_OK, dir_fd=folder):
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    finally:
        os.close(folder)


def _folder_of(path: Path) -> int:
    check_local(path)
    if path.exists() and not path.is_file():
        what = "a directory" if path.is_dir() else "not a regular file"
        raise OutputError(f"{path} is {what}; the result cannot be written there.", advice="Name a file.")
    with _mapped(path):
        where = path.parent.resolve()
    if where == Path("/dev") or where.is_relative_to("/proc"):  # /dev/stdout itself would become the file
        raise OutputError(
            f"{path} lies among devices; the result cannot be written there.", advice="Name a file; - is stdout."
        )
    with _mapped(path):
        return os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)


class OutputBytes(io.FileIO):
    """Writes to a descriptor; `errors` is around each write. Who writes also reads: what fails there is no output."""

    def __init__(self, number: int, errors: Callable[[], AbstractContextManager[None]]) -> None:
        super().__init__(number, "wb")
        self._errors = errors

    def write(self, data: Any) -> int:
        with self._errors():
            return super().write(data)


def write_file(path: Path, data: bytes) -> None:
    """Write the bytes, whole or not at all. Raises OutputError."""
    with atomic_file(path) as file:
        file.write(data)


def check_readable(path: Path) -> None:
    """Refuse what is no data file with a sentence, before anything is started for it. Raises DataError.

    `-` is stdin, of which nothing is known before it is read.
    """
    if path == Path("-"):
        return
    try:
        path.stat()
    except FileNotFoundError:
        raise DataError(f"There is no file {path}.", advice="Check the name and the current directory.") from None
    except OSError as error:
        reason = error.strerror or str(error)
        raise DataError(f"{path} cannot be read: {reason}.", advice="Check its name and permissions.") from error
    if path.is_dir():
        raise DataError(f"{path} is a directory, not a file.", advice="Name one data file in it.")
    if not path.is_file():
        raise DataError(
            f"{path} is not a regular file.", advice="Copy its content to a file, or pipe it in and name it -."
        )
    if not os.access(path, os.R_OK):
        raise DataError(f"You have no permission to read {path}.", advice="Ask its owner, or copy it.")
    if path.stat().st_size == 0:
        raise DataError(f"{path} is empty.", advice="Check how it was made or copied.")


def file_sha256(path: Path) -> str:
    """The hex SHA-256 of the file's bytes."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def private_folder(path: Path) -> None:
    """Make the folder, with those above it, for its owner only; an existing one stays as it is. Raises OSError.

    Those above as well: whoever could write to one could put another folder in the place of this one.
    """
    above = path.parent
    if above != path and not above.exists():
        private_folder(above)
    path.mkdir(mode=0o700, exist_ok=True)


@contextmanager
def locked_folder(path: Path, *, wait: bool) -> Iterator[None]:
    """The folder, made where there is none, for one process at a time until the block ends.

    `wait`: for another one's end. Raises OSError, BlockingIOError if that is not waited for. On a file system that
    cannot lock folders nothing is locked.
    """
    private_folder(path)
    number = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        try:
            fcntl.flock(number, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        except BlockingIOError:
            raise
        except OSError:
            pass
        yield
    finally:
        os.close(number)


def open_for_appending(path: Path, *, new: bool) -> int:
    """A descriptor of a file that grows line by line: a new one, for its owner only, or an existing one.

    Follows no symbolic link. Raises OSError; FileExistsError if a new file is wanted and the name exists.
    """
    flags = os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC
    return os.open(path, flags | _NEW if new else flags, 0o600)


def append_text(path: Path, text: str, *, mode: int = 0o600) -> None:
    """Add to a file that grows, and have it on the disk; made where there is none, with this mode less the mask.

    Follows no symbolic link. Raises OSError.
    """
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
    with os.fdopen(os.open(path, flags, mode), "ab") as file:
        file.write(text.encode())
        file.flush()
        if stat.S_ISREG(os.fstat(file.fileno()).st_mode):  # a pipe has no disk
            os.fsync(file.fileno())


def write_new(path: Path, data: bytes) -> None:
    """Write a file that must be new, for its owner only, whole or not at all. Raises OSError, also FileExistsError.

    If two processes do so at the same time, the first one's data stay.
    """
    temporary = path.with_name(f".{secrets.token_hex(8)}.part")
    number = os.open(temporary, os.O_WRONLY | _NEW, 0o600)
    try:
        with os.fdopen(number, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(number)
        path.hardlink_to(temporary)
    finally:
        temporary.unlink()


@contextmanager
def _mapped(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        advice = (
            "Free some space or name another folder." if "space" in reason else "Name a folder that you can write to."
        )
        raise OutputError(f"{path} cannot be written: {reason}.", advice=advice) from error


def _mode(path: Path, folder: int) -> int:
    """The permissions that the file had, if it was this user's; else those of its folder, cut by the process's mask."""
    with suppress(FileNotFoundError):
        known = os.stat(path.name, dir_fd=folder, follow_symlinks=False)
        if stat.S_ISREG(known.st_mode) and known.st_uid == os.geteuid():
            return known.st_mode & 0o777
    return 0o666 & os.fstat(folder).st_mode & ~_mask()


def _mask() -> int:
    """The process's mask for new files. Read from the kernel, because os.umask would change it for all threads."""
    for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
        if line.startswith("Umask:"):
            return int(line.split()[1], 8)
    return 0o077
