"""Refuses to write over what is read, and what cannot be written. Called before a command starts."""

import os
from pathlib import Path

from orchestrator.core.errors import UsageError
from orchestrator.data.data_address import DataAddress, local_file
from orchestrator.data.kept_file import refuse_kept
from orchestrator.data.targets import check_target
from orchestrator.registry.registry_names import kept_files


def check_places(
    data: Path | DataAddress, output: Path | DataAddress | None, quarantine: Path | DataAddress | None
) -> None:
    """Raise UsageError where two of the places are the same, under whatever name, or one cannot be written.

    Raises OutputError where a store or a database cannot be used.
    """
    check_apart(data=data, output=output, quarantine=quarantine)
    for place in (output, quarantine):
        if place is not None:
            check_target(place)


def check_apart(**places: Path | DataAddress | None) -> None:
    """Raise UsageError where two of the places, each by the word for it, are the same.

    `-` is stdin where data is read, and stdout elsewhere: not one place.
    """
    named = {word: place for word, place in places.items() if (word, place) != ("data", Path("-"))}
    there = [(word.replace("_", " "), place) for word, place in named.items() if place is not None]
    for i, (word, place) in enumerate(there):
        for other_word, other in there[:i]:
            if same_place(place, other):
                raise UsageError(
                    f"The {other_word} and the {word} are the same file, {place}.", advice=f"Name another {word} file."
                )


def check_results(*written: Path | DataAddress | None, place: str | None = None) -> None:
    """Raise UsageError where a result would take the place of a registry, a journal or a manifest.

    `place`: the registry, bundle or run that the command names: nothing of it is written over, be it there or not.
    """
    known = [] if place is None else kept_files(place)
    for result in written:
        if result is not None and any(same_place(result, one) for one in known):
            raise UsageError(f"{result} is named for a result, and belongs to {place}.", advice="Name another file.")
        if isinstance(result, Path):
            refuse_kept(result)


def same_place(one: Path | DataAddress, other: Path | DataAddress) -> bool:
    """Whether both are the same file, under whatever name, or the same address. A table's file is its database."""
    if isinstance(one, DataAddress) and isinstance(other, DataAddress):
        return str(one) == str(other)
    file, other_file = local_file(one), local_file(other)
    if file is None or other_file is None:
        return False
    return os.path.realpath(file) == os.path.realpath(other_file) or _same_file(file, other_file)


def _same_file(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except OSError:
        return False
