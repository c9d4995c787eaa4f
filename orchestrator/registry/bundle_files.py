"""The files of a bundle, in a folder or in a zip archive, read as what they are: written by somebody else.

Called by `bundle`. No name leads out of the bundle, no link is followed, nothing is unpacked to the disk, and what is
read is bounded, whatever the archive says of itself.
"""

import io
import os
import re
import stat
import zipfile
from pathlib import Path
from typing import Protocol

from orchestrator.core.errors import OutputError, RegistryError
from orchestrator.data.files import private_folder

ADVICE = "Do not use it: export it again from the registry it came from."
_EXAMPLES = "Name the --out folder of a run, an SQLite file, or what `cleanroom registry export` wrote."
_RIGHTS = "Check its permissions."
_MAX_FILE = 64 * 2**20
_MAX_LIST = 16 * 2**20  # of the manifest, which is read before any signature is looked at
_MAX_ALL = 512 * 2**20
_MAX_ENTRIES = 30_000
_NAME = re.compile(r"(?:(?:sources|evidence|envelopes|helpers)/)?[A-Za-z0-9_][A-Za-z0-9_.]{0,79}")


class Files(Protocol):
    """Where the files of a bundle are."""

    place: Path

    def read(self, name: str) -> bytes | None:
        """The file's bytes; None where there is no such file. Raises RegistryError."""
        ...


class FolderFiles:
    """A bundle in a folder."""

    def __init__(self, place: Path) -> None:
        self.place = place

    def read(self, name: str) -> bytes | None:
        """The file's bytes; None where there is no such file. Raises RegistryError."""
        path = self.place / name
        if path.parent != self.place and path.parent.is_symlink():
            raise RegistryError(f"{path.parent} is a link.", advice=ADVICE)
        try:
            number = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
            with os.fdopen(number, "rb") as file:
                if not stat.S_ISREG(os.fstat(number).st_mode):
                    raise RegistryError(f"{path} is not a regular file.", advice=ADVICE)
                data = file.read(_most(name) + 1)
        except FileNotFoundError:
            return None
        except OSError as error:
            advice = _RIGHTS if isinstance(error, PermissionError) else ADVICE
            raise RegistryError(f"{path} cannot be read: {error.strerror}.", advice=advice) from error
        if len(data) > _most(name):
            raise RegistryError(f"{path} is too large for a file of a bundle.", advice=ADVICE)
        return data


class ZipFiles:
    """A bundle in a zip archive, whose list of files is checked before any of them is read."""

    def __init__(self, place: Path) -> None:
        """Raises RegistryError for an archive that no export wrote."""
        self.place = place
        try:
            with place.open("rb") as file:
                data = file.read(_MAX_ALL + 1)
        except OSError as error:
            raise RegistryError(f"{place} cannot be read: {error.strerror}.", advice=_RIGHTS) from error
        if not data.startswith(b"PK"):
            raise RegistryError(f"{place} is neither a registry nor a bundle.", advice=_EXAMPLES)
        if len(data) > _MAX_ALL:
            raise RegistryError(f"{place} is larger than 512 MiB.", advice=ADVICE)
        try:
            self._archive = zipfile.ZipFile(io.BytesIO(data))
        except (zipfile.BadZipFile, NotImplementedError, ValueError) as error:
            raise RegistryError(f"{place} is not a bundle: no zip archive that can be read.", advice=ADVICE) from error
        entries = self._archive.infolist()
        reason = _unfit(entries)
        if reason:
            raise RegistryError(f"{place} is not a bundle: {reason}.", advice=ADVICE)
        self._entries = {entry.filename: entry for entry in entries}

    def read(self, name: str) -> bytes | None:
        """The file's bytes; None where there is no such file. Raises RegistryError."""
        entry = self._entries.get(name)
        if entry is None:
            return None
        try:
            with self._archive.open(entry) as file:
                data = file.read(_most(name) + 1)
        except Exception as error:  # zlib, lzma, zipfile: whatever a crafted archive provokes
            raise RegistryError(f"{name} in {self.place} cannot be read.", advice=ADVICE) from error
        if len(data) > _most(name):
            raise RegistryError(f"{name} in {self.place} is too large for a file of a bundle.", advice=ADVICE)
        return data


def files_of(place: Path) -> Files:
    """The files of the bundle, in the folder or the archive. Raises RegistryError."""
    return ZipFiles(place) if place.is_file() else FolderFiles(place)


def _most(name: str) -> int:
    """Bytes that a file of this name may have."""
    return _MAX_LIST if name.startswith("manifest.") else _MAX_FILE


def make_folder(path: Path) -> None:
    """Make a folder in that of a bundle, for its owner only. Raises OSError; OutputError for a link."""
    refuse_link(path)
    private_folder(path)


def refuse_link(path: Path) -> None:
    """Raise OutputError for a link in the place of a folder that nobody has named.

    Whoever sent what is around it would have files written, and older ones removed, wherever it leads.
    """
    if path.is_symlink():
        raise OutputError(f"{path} is a link; no function is written there.", advice="Remove it, or name a new folder.")


def write_zip(folder: Path, *beside: Path) -> bytes:
    """The bundle in the folder as an archive; the same files always give the same bytes.

    `beside`: files that were exported with it. A registry in the folder stays out.
    """
    made = io.BytesIO()
    found = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.suffix != ".db"}
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, path in sorted((found | {path.name: path for path in beside}).items()):
            if path.is_file() and not path.is_symlink() and _NAME.fullmatch(name):
                entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
                entry.external_attr = 0o600 << 16
                archive.writestr(entry, path.read_bytes(), zipfile.ZIP_DEFLATED)
    return made.getvalue()


def _unfit(entries: list[zipfile.ZipInfo]) -> str:
    """What is wrong with the archive's list of files; empty where nothing is."""
    if len(entries) > _MAX_ENTRIES:
        return f"it has more than {_MAX_ENTRIES:,} files"
    if len({entry.filename for entry in entries}) != len(entries):
        return "a file stands in it twice"
    if sum(entry.file_size for entry in entries) > _MAX_ALL:
        return "unpacked, it would be larger than 512 MiB"
    for entry in entries:
        if not _NAME.fullmatch(entry.orig_filename):
            return "it names a file that a bundle cannot have"
        mode = entry.external_attr >> 16
        if stat.S_IFMT(mode) not in (0, stat.S_IFREG):
            return f"{entry.filename} is not a regular file"
        if entry.flag_bits & 1:
            return f"{entry.filename} is encrypted"
    return ""
