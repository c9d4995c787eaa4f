"""The append-only journal of a run: one step per line of `run.jsonl`, on disk before the next step starts.

Written by the loop, read by `runs show`, `resume` and `replay`, and by the report. While a run writes it, the file is
locked, so that no other process continues the same run.
"""

import fcntl
import json
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self, TextIO

from pydantic import TypeAdapter

from orchestrator.core.errors import OutputError, UsageError
from orchestrator.core.steps import AnyStep
from orchestrator.data.files import open_for_appending
from orchestrator.data.machine_key import machine_key, missing_key
from orchestrator.run.journal.authentic import Chain

_STEP: TypeAdapter[AnyStep] = TypeAdapter(AnyStep)
_OF_ANOTHER = "was not written on this machine, or was changed"
_LONGEST_LINE = 64 * 2**20  # examples and the state of a fitted function have some MiB; a file of zeros is one line


class Journal:
    """Appends steps to a file that only its owner may read: a new one or (`again`) that of an interrupted run.

    Raises OutputError, UsageError.
    """

    def __init__(self, path: Path, *, again: bool = False) -> None:
        self.path = path
        self._begun = again
        key, last = machine_key(), ""
        try:
            self._file = os.fdopen(open_for_appending(path, new=not again), "r+", encoding="utf-8")
            _lock(self._file, path)
            if again:
                whole, last = _last_line(path)
                self._file.truncate(whole)
                self._file.seek(0, os.SEEK_END)
        except OSError as error:
            raise _refused(path, error) from error
        self._chain = Chain(key, last)

    def append(self, step: AnyStep) -> None:
        """Write the step through to the disk."""
        try:
            # ASCII, so that a lone surrogate in a model's reply cannot make a step unwritable
            line = json.dumps(step.model_dump(mode="json"), separators=(",", ":"))
            self._file.write(self._chain.coded(line) + "\n")
            self._file.flush()
            os.fsync(self._file.fileno())
            self._begun = True
        except OSError as error:
            raise _refused(self.path, error) from error

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if error is not None and not self._begun:  # of a run that never was; the same command would be refused
            self.path.unlink(missing_ok=True)
        try:
            self._file.close()
        except OSError as failure:  # on a full disk, the buffer cannot be written
            if error is None:
                raise _refused(self.path, failure) from failure


class CheckedJournal(NamedTuple):
    """The steps of a journal. `authentic`: this machine wrote them, for this user, and nobody changed them since."""

    steps: tuple[AnyStep, ...]
    authentic: bool


def read_checked(path: Path) -> CheckedJournal:
    """The steps, and whether they can be trusted; of one reading, for the file may be exchanged at any time.

    Raises UsageError as `read_journal`.
    """
    chain, whole = Chain(machine_key()), True

    def checked() -> Iterator[str]:  # a stranger's journal is read no further than to its first line that is no step
        nonlocal whole
        for line in _lines(path):
            whole = whole and chain.accepts(line)
            yield line

    steps = tuple(_steps(checked(), path))
    return CheckedJournal(steps, whole)


def unproved(journal: str | Path) -> str:
    """What is said of a journal that is not authentic."""
    reason = missing_key()
    return f"{journal} is not proved, for {reason}" if reason else f"{journal} {_OF_ANOTHER}"


def read_journal(path: Path) -> Iterator[AnyStep]:
    """The steps of a journal, without a last line that a crash cut off. Raises UsageError for other files."""
    return _steps(_lines(path), path)


def _steps(lines: Iterable[str], path: Path) -> Iterator[AnyStep]:
    for number, line in enumerate(lines, start=1):
        try:
            step = json.loads(line)
            if isinstance(step, dict):
                step.pop("mac", None)
            yield _STEP.validate_python(step)
        except (ValueError, RecursionError) as error:
            raise UsageError(
                f"Line {number} of {path} is not a step of a run.",
                advice="It was changed by hand or written by another version: do the run again.",
            ) from error


def _lines(path: Path) -> Iterator[str]:
    """The whole lines of a journal: one that a crash cut off is left out."""
    try:
        with path.open("rb") as file:
            while line := file.readline(_LONGEST_LINE):
                if len(line) == _LONGEST_LINE:
                    raise UsageError(f"A line of {path} is too long for a step of a run.", advice="Name a run.jsonl.")
                if line.endswith(b"\n"):
                    yield line.rstrip(b"\r\n").decode("utf-8")
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}.", advice="Check its permissions.") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{path} cannot be read as a journal of a run.", advice="Name a run.jsonl.") from error


def is_written(path: Path) -> bool:
    """Whether a run is at work on this journal."""
    try:
        with path.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return True
    return False


def _lock(file: TextIO, path: Path) -> None:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        file.close()
        raise UsageError(f"A run is at work on {path}.", advice="Wait for its end, or end it.") from error


def _last_line(path: Path) -> tuple[int, str]:
    """How many bytes there are up to the end of the last line that was written whole, and that line."""
    whole, last = 0, b""
    with path.open("rb") as file:
        while line := file.readline(_LONGEST_LINE):
            if line.endswith(b"\n"):
                whole, last = file.tell(), line
    return whole, last.decode(errors="replace").rstrip("\r\n")


def _refused(path: Path, error: OSError) -> OutputError:
    return OutputError(
        f"{path} cannot be written: {error.strerror}.", advice="Free some space or choose another --out."
    )
