"""Refuses to write over a file that is read. Called by `apply` before it starts."""

import os
from pathlib import Path

from orchestrator.core.errors import UsageError


def refuse_same_file(data: Path, output: Path, quarantine: Path | None) -> None:
    """Raise UsageError where two of the files are the same, under whatever name."""
    files = [("data", data), ("output", output), ("quarantine", quarantine)]
    there = [(word, path) for word, path in files if path is not None]
    for i, (word, path) in enumerate(there):
        for other_word, other in there[:i]:
            if os.path.realpath(path) == os.path.realpath(other) or _same_file(path, other):
                raise UsageError(
                    f"The {other_word} and the {word} are the same file, {path}.", advice=f"Name another {word} file."
                )


def _same_file(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except OSError:
        return False
