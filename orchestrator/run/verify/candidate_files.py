"""Finds and reads the candidate files that a user names: files, folders, patterns.

Called by `run.verify.verify` and the library API.
"""

import glob
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from orchestrator.core.errors import UsageError
from orchestrator.data.formats import FORMATS

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


@dataclass(frozen=True)
class NamedSources:
    """What named files hold, in that order. `again`: those that were named more than once."""

    sources: tuple[CandidateFile, ...]
    again: tuple[Path, ...] = ()


def named_sources(named: Sequence[Path], checks: Path | None = None) -> NamedSources:
    """Every candidate file, once, none of them in the folder of the team's `checks`.

    Raises UsageError for a name that matches nothing, for a file in that folder, and where none can be read.
    """
    found = find(named)
    if checks is not None:
        _check_apart(found.files, checks)
    sources = tuple(read(path) for path in found.files)
    if all(source.problem for source in sources):
        raise UsageError(f"{sources[0].path}: {sources[0].problem}.", advice="Name a Python file; data is for --data.")
    return NamedSources(sources, found.again)


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
    data = next((known.title for known in FORMATS.values() if path.suffix.lower() in known.suffixes), "")
    if data:
        return CandidateFile(path, problem=f"it is no Python file but data ({data}), by its name")
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


def _check_apart(files: Sequence[Path], checks: Path) -> None:
    """The folder of the checks is on the import path of their process: no candidate may be in it.

    Raises UsageError.
    """
    folders = (checks.absolute().parent, checks.resolve().parent)
    for file in files:
        if any(place.is_relative_to(folder) for place in (file.absolute(), file.resolve()) for folder in folders):
            raise UsageError(
                f"{file} is in the folder of the checks, from which {checks.name} can import.",
                advice="Keep the checks in a folder of their own, in which there are no candidates.",
            )
