"""Finds and reads the candidate files that a user names: files, folders, patterns.

Called by `run.verify.verify` and the library API.
"""

import glob
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from orchestrator.core.errors import UsageError

MAX_SOURCE = 16 * 2**20  # larger files are not read; the screen's own limit is far lower
_PATTERN = re.compile(r"[*?\[]")


@dataclass(frozen=True)
class CandidateFile:
    """One candidate file. `problem` says why it could not be read; it fails, and the other files are judged."""

    path: Path
    text: str = ""
    problem: str = ""

    def line_of(self, function: str) -> int:
        """The line on which the function is defined; 1 where it is not found."""
        found = re.search(rf"^(async )?def {re.escape(function)}\b", self.text, re.MULTILINE)
        return 1 if found is None else self.text.count("\n", 0, found.start()) + 1


@dataclass(frozen=True)
class Named:
    """Files in the order in which they were named. `again`: those that were named more than once."""

    files: tuple[Path, ...]
    again: tuple[Path, ...]


def find(named: Sequence[Path]) -> Named:
    """Every candidate file, once. Raises UsageError for a name that matches nothing."""
    files: dict[Path, Path] = {}
    again: dict[Path, None] = {}
    for path in named:
        for file in _meant(path):
            if files.setdefault(file.resolve(), file) is not file:
                again[file] = None
    return Named(tuple(files.values()), tuple(again))


def read(path: Path) -> CandidateFile:
    """The candidate file with its text, or with the problem."""
    try:
        with path.open("rb") as file:
            raw = file.read(MAX_SOURCE + 1)
        if len(raw) > MAX_SOURCE:
            return CandidateFile(path, problem=f"the file is larger than {MAX_SOURCE // 2**20} MiB")
        return CandidateFile(path, raw.decode("utf-8-sig"))
    except OSError as error:
        return CandidateFile(path, problem=f"the file cannot be read: {error.strerror or error}")
    except UnicodeDecodeError as error:
        return CandidateFile(path, problem=f"the file is not UTF-8 text (byte {error.start}): save it as UTF-8")


def _meant(path: Path) -> Iterator[Path]:
    if path.is_dir():
        yield from _in_folder(path)
    elif path.exists():
        yield path
    elif _PATTERN.search(str(path)):
        yield from _matching(path)
    else:
        raise UsageError(f"There is no file {path}.", advice="Check the name and the current directory.")


def _in_folder(folder: Path) -> Iterator[Path]:
    """Python files at any depth; hidden ones and those with a leading underscore are no candidates."""
    found = sorted(
        path
        for path in folder.rglob("*.py")
        if path.is_file() and not any(part.startswith((".", "_")) for part in path.relative_to(folder).parts)
    )
    if not found:
        raise UsageError(f"The folder {folder} holds no candidates.", advice="Name a folder with .py files in it.")
    yield from found


def _matching(pattern: Path) -> Iterator[Path]:
    """The files that match the pattern, as in a shell (`**` for any depth)."""
    names = glob.glob(str(pattern), recursive=True)  # noqa: PTH207 - Path.glob takes no absolute patterns
    found = [Path(name) for name in sorted(names)]
    files = [path for path in found if path.is_file()]
    if not files:
        raise UsageError(f"No file matches {pattern}.", advice="Check the pattern and the current directory.")
    yield from files
