"""Where what clients send, and what jobs make of it, lies on disk. Called by the routes, the worker and at the start.

Every job has a folder of its own under a name made here, for the owner only. No name that a client sent is ever a path:
of the data's name only a known suffix is used. What was sent is deleted when the job is over; what it made, later.
"""

import hashlib
import re
import secrets
import shutil
import tempfile
import time
from collections.abc import Set as AbstractSet
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from orchestrator.core.errors import UsageError
from orchestrator.data.files import atomic_file, private_folder
from orchestrator.data.formats import FORMATS
from orchestrator.data.formats.packed import inner_suffix, packing_of
from orchestrator.data.text import clean_text
from orchestrator.service.denied import Denied

FUNCTION, DATA, EXAMPLES, MADE = "function.py", "data", "examples", "made"
_SENT = "sent-"  # before the names of files that hold what a client sent
_FOLDER = re.compile(r"[0-9a-f]{32}")
_FILE = re.compile(r"(?:[A-Za-z0-9_][\w-]*/)?[A-Za-z0-9_][\w.-]*", re.ASCII)
_ORPHAN_S = 3600.0
_FORMATS = {suffix: one for one in FORMATS.values() if one.read is not None for suffix in one.suffixes}


class JobFolders:
    """The folders of all jobs, below the state folder of the service."""

    def __init__(self, state: Path) -> None:
        """Raises UsageError where they lie elsewhere, by a link that whoever made the state folder has put there.

        Also where nobody can make or write them: the service says so at its start, not at the first job.
        """
        self._top = state / "jobs"
        try:
            if self._top.is_symlink():
                advice = "Name another --state."
                raise UsageError(f"{self._top} is a link, and old files in it are deleted.", advice=advice)
            private_folder(self._top)
            with tempfile.TemporaryFile(dir=self._top):
                pass
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            advice = "Name a folder that you can write to with --state."
            raise UsageError(f"{self._top} cannot be written: {reason}.", advice=advice) from error

    def new(self) -> "JobFolder":
        folder = JobFolder(self._top / secrets.token_hex(16))
        private_folder(folder.path)
        return folder

    def of(self, name: str) -> "JobFolder":
        """The folder that a job's row names. Raises UsageError for what is no such name."""
        if not _FOLDER.fullmatch(name):
            raise UsageError("The job has no folder.")
        return JobFolder(self._top / name)

    def has(self, name: str) -> bool:
        """Whether the folder that a job's row names is here; what is no such name `of` refuses."""
        return not _FOLDER.fullmatch(name) or (self._top / name).is_dir()

    def there(self, names: AbstractSet[str]) -> AbstractSet[str]:
        """Those of these folders that are not deleted yet: of the jobs of months nearly all are."""
        return names & {path.name for path in self._top.iterdir()}

    def size(self, names: AbstractSet[str]) -> int:
        """Bytes of all files in these folders; one that is gone has none."""
        files = (file for name in self.there(names) for file in self.of(name).path.rglob("*"))
        total = 0
        for file in files:
            with suppress(OSError):
                total += file.stat().st_size if file.is_file() else 0
        return total

    def sweep(self, known: frozenset[str], keep_s: float, waiting: frozenset[str] = frozenset()) -> None:
        """Delete what no job knows, as a service that was killed leaves it, and what was made longer ago than that.

        Empty folders go as well. Those of jobs that are `waiting` stay, however old a clock that jumped says they are;
        so does what has no name of ours, for the folder may have come with a registry from somewhere else.
        """
        now = time.time()
        for path in filter(lambda path: _FOLDER.fullmatch(path.name), self._top.iterdir()):
            with suppress(OSError):
                age = now - path.stat().st_mtime
                idle = path.name not in known or not any(path.iterdir())
                if path.name not in waiting and (age > keep_s or (idle and age > _ORPHAN_S)):
                    shutil.rmtree(path)


class JobFolder:
    """The files of one job."""

    def __init__(self, path: Path) -> None:
        self.path, self.name = path, path.name
        self._hash = hashlib.sha256()

    def sent(self, name: object) -> Path:
        """What was sent under this name of ours, as the job's row has it. Raises UsageError for any other name."""
        return self._inside(self.path / _plain(name))

    def has_made(self, name: object) -> Path:
        """What the job made under this name, likewise."""
        return self._inside(self.path / MADE / _plain(name))

    def _inside(self, path: Path) -> Path:
        """The path, if no link on it leads to somewhere else. Raises UsageError."""
        top = self.path.parent
        if path.resolve() != top.resolve() / path.relative_to(top):
            raise _no_file()
        return path

    def keep(self, name: str, file: BinaryIO, limit: int) -> None:
        """Keep what was sent, under a name of ours. Raises Denied where it is larger than that, OutputError."""
        size = 0
        self._hash.update(f"{name}\n".encode())
        with atomic_file(self.path / name) as target:
            while chunk := file.read(2**20):
                size += len(chunk)
                if size > limit:
                    raise _too_large(Path(name).stem.removeprefix(_SENT), limit)
                self._hash.update(chunk)
                target.write(chunk)
        self._hash.update(f"\n{size}\n".encode())

    def digest(self, *words: object) -> str:
        """Of all that was asked: the files, in the order in which they were kept, and the words."""
        return hashlib.sha256(repr((self._hash.hexdigest(), words)).encode()).hexdigest()

    def made(self) -> Path:
        """The folder for what the job makes."""
        private_folder(self.path / MADE)
        return self.path / MADE

    def forget_sent(self) -> None:
        """Delete all that was sent, if it is still there."""
        for file in self.path.iterdir() if self.path.is_dir() and not self.path.is_symlink() else ():
            if file.is_file():
                file.unlink(missing_ok=True)

    def delete(self) -> None:
        shutil.rmtree(self.path, ignore_errors=True)


def _plain(name: object) -> str:
    """A name that leads nowhere else, whoever wrote the row. Raises UsageError."""
    if not isinstance(name, str) or not _FILE.fullmatch(name):
        raise _no_file()
    return name


def _no_file() -> UsageError:
    return UsageError("The job names a file that no job has.")


def _too_large(what: str, limit: int) -> Denied:
    most = f"{limit // 2**20:,} MiB ({limit:,} bytes)" if limit % 2**20 == 0 else f"{limit:,} bytes"
    advice = "Send a part of it, or ask the operator of the service for a higher limit."
    if what == Path(FUNCTION).stem:
        advice = "Send one Python file with the one function, and without data in it."
    return Denied(413, f"The {what} is larger than {most}, the most that is taken.", advice)


def data_name(sent: str | None, stem: str = DATA, kind: str = "") -> str:
    """A name for the data under which its format is known. Raises Denied for a format that cannot be read.

    `kind`: the format that it has whatever its name says.
    """
    name = Path((sent or "").replace("\\", "/").lower())
    suffix, packing = inner_suffix(name), name.suffix if packing_of(name) else ""
    known = FORMATS[kind] if kind else _FORMATS.get(suffix)
    if known is None:
        taken = f"Use {', '.join(sorted(_FORMATS))}, or say the format; text may be packed, as in .csv.gz."
        named = f"is of type '{clean_text(suffix, 20)}', which cannot be read" if suffix else ""
        raise Denied(422, f"The {stem} {named or 'has no name that says its format'}.", taken)
    if packing and not known.streams:
        raise Denied(422, f"The {stem} is packed, and {known.title} is not read so.", "Unpack it.")
    if suffix not in known.suffixes and (kind, suffix) != ("text", ".txt"):
        suffix = known.suffixes[0]
    return _SENT + stem + suffix + packing


def format_by_name(data: str) -> str:
    """The format of data with such a name, one of `data_name`."""
    suffix = inner_suffix(Path(data))
    return next(kind for kind, known in FORMATS.items() if suffix in known.suffixes)


def cleaned_name(data: Path) -> str:
    """For what is made of data with such a name: in the same format, or in the one that is written in its place."""
    suffix = inner_suffix(data)
    return f"cleaned{_FORMATS[suffix].written or suffix}{data.suffix if packing_of(data) else ''}"
