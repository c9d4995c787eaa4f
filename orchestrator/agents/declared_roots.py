"""The only files that an agent's tools read: those below the folders that the operator has declared.

Theory of operation. A name is walked part by part from the root's own descriptor, and no part may be `..` or a symbolic
link. What was found is kept open, and read through that descriptor (as a link to /proc below a private folder): whoever
swaps a name afterwards changes nothing about what is read. Called by the tools.
"""

import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from orchestrator.agents.fenced_answer import CallRefused
from orchestrator.core.errors import CleanroomError

_LINK = "is a symbolic link, or lies behind one"
_MOST_NAME = 1000


class DeclaredRoots:
    """Folders that may be read, with all that is below them."""

    def __init__(self, roots: Sequence[Path]) -> None:
        self._roots = tuple(dict.fromkeys(root.resolve() for root in roots))

    @contextmanager
    def file(self, named: str) -> Iterator[Path]:
        """The regular file, readable under the path that is given until the end of the block. Raises CallRefused."""
        descriptor, path = self._open(named)
        try:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise CallRefused(f"{named} is no regular file.", advice="Name one data file.")
            with TemporaryDirectory(prefix="cleanroom-mcp-") as folder:
                link = Path(folder, path.name)
                link.symlink_to(f"/proc/{os.getpid()}/fd/{descriptor}")
                try:
                    yield link
                except CleanroomError as error:  # which then names the file as the caller did
                    error.message = error.message.replace(f"{folder}/", "")
                    raise
        finally:
            os.close(descriptor)

    def place(self, named: str) -> Path:
        """The folder or file of functions: without a symbolic link on the way or directly in it. Raises CallRefused."""
        descriptor, path = self._open(named)
        try:
            found = os.fstat(descriptor).st_mode
            if not (stat.S_ISDIR(found) or stat.S_ISREG(found)):
                raise CallRefused(f"{named} is neither a folder nor a file.", advice="Name a run or a registry.")
            if stat.S_ISDIR(found):
                self._refuse_links(descriptor, named)
                with suppress(FileNotFoundError, NotADirectoryError):
                    inner = _step(descriptor, "registry", named)
                    try:
                        self._refuse_links(inner, named)
                    finally:
                        os.close(inner)
        finally:
            os.close(descriptor)
        return path

    @staticmethod
    def _refuse_links(descriptor: int, named: str) -> None:
        with os.scandir(descriptor) as entries:
            if any(entry.is_symlink() for entry in entries):
                raise CallRefused(f"There are symbolic links in {named}.", advice="Name a folder without.")

    def _open(self, named: str) -> tuple[int, Path]:
        """A descriptor, and the path that was walked. Raises CallRefused."""
        if not named or "\0" in named or len(named) > _MOST_NAME:
            raise CallRefused("That is no name of a file.", advice="Name a file in a declared folder.")
        wanted = Path(named)
        if ".." in wanted.parts:
            raise CallRefused("A name with '..' is not followed.", advice="Name the file from a declared folder down.")
        for root in self._roots:
            if wanted.is_absolute() and not wanted.is_relative_to(root):
                continue
            parts = wanted.relative_to(root).parts if wanted.is_absolute() else wanted.parts
            with suppress(FileNotFoundError, NotADirectoryError):
                return self._walk(root, parts, named), root.joinpath(*parts)
        raise CallRefused(f"There is no {named} in the declared folders.", advice="The operator declares them: --root.")

    @staticmethod
    def _walk(root: Path, parts: Sequence[str], named: str) -> int:
        at = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        for part in parts:
            before = at
            try:
                at = _step(before, part, named)
            finally:
                os.close(before)
        return at


def _step(folder: int, part: str, named: str) -> int:
    try:
        if stat.S_ISLNK(os.stat(part, dir_fd=folder, follow_symlinks=False).st_mode):
            raise CallRefused(f"{named} {_LINK}.", advice="Name the file itself.")
        return os.open(part, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=folder)
    except (FileNotFoundError, NotADirectoryError):
        raise
    except (OSError, ValueError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or "it is no name of a file"
        raise CallRefused(f"{named} cannot be opened: {reason}.", advice="Check its permissions.") from error
