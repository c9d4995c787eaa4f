"""The files of a run: what it read, and what it wrote. Called by `cleanroom diff` for a run's folder.

Whoever wrote the journal chose these names. In one that this machine did not write, an address would have the user's
password sent to a server of somebody's choice; there only files count: the one that was read, and those of the folder.
"""

from pathlib import Path
from typing import Any

from orchestrator.core.errors import UsageError
from orchestrator.core.steps import ApplyStep, RunStep
from orchestrator.data.data_address import DataAddress, location
from orchestrator.data.formats import FORMATS
from orchestrator.run.journal.journal import read_checked, unproved
from orchestrator.run.journal.listing import find_run
from orchestrator.run.outputs import JOURNAL

_OPTIONS = ("format", "encoding", "sheet", "array", "delimiter")


def run_readings(folder: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """How the run read its input, as arguments of `open_source`; and how its output is read, by the same options.

    With `parser` where the run had one, and `set_aside` where it had `--quarantine`. The parser of a journal that this
    machine did not write is not run.
    """
    steps, authentic = read_checked(find_run(str(folder)) / JOURNAL)
    began = next((step for step in steps if isinstance(step, RunStep)), None)
    output = next((Path(step.output) for step in reversed(steps) if isinstance(step, ApplyStep)), None)
    if began is None or output is None:
        return {}, {}
    said = {name: began.configuration.get(name) for name in _OPTIONS}
    reading = {name: value for name, value in said.items() if isinstance(value, str)}
    parser, aside = began.configuration.get("parser"), began.configuration.get("quarantine") is True
    more = ({"set_aside": True} if aside else {}) | ({"parser": parser} if authentic and parser else {})
    known = FORMATS.get(began.data_format)
    same = known is not None and any(suffix.lower() in known.suffixes for suffix in output.suffixes)
    return reading | more, {name: value for name, value in reading.items() if same and name != "format"}


def run_quarantine(folder: Path) -> Path | None:
    """The file of rows that the run in the folder set aside, beside its output; None for none."""
    steps, _ = read_checked(find_run(str(folder)) / JOURNAL)
    done = next((step for step in reversed(steps) if isinstance(step, ApplyStep)), None)
    place = None if done is None else folder / Path(done.output).name.replace("cleaned", "quarantine", 1)
    return place if done is not None and done.quarantined and place is not None and place.is_file() else None


def run_files(folder: Path) -> tuple[Path | DataAddress, Path]:
    """Input and output of the run in the folder. Raises UsageError where it wrote none, or names what is not believed.

    The output lies in the folder, but for a run whose folder this machine knows by another name. The input is that of
    its whole path; where it is gone from there, one of the name that was given, from here.
    """
    steps, authentic = read_checked(find_run(str(folder)) / JOURNAL)
    data = next((_data(step) for step in steps if isinstance(step, RunStep)), None)
    output = next((Path(step.output) for step in reversed(steps) if isinstance(step, ApplyStep)), None)
    if data is None or output is None:
        raise UsageError(f"The run in {folder} has written no data.", advice="Resume it, or name two files.")
    moved = folder / output.name  # the journal has the name that it had when it was written
    if moved.is_file() and not isinstance(data, DataAddress):
        return data, moved
    if not authentic:
        raise UsageError(
            f"{unproved(f'The journal of {folder}')}: what it names is not opened.",
            advice="Name both files yourself: `cleanroom diff DATA CLEANED`.",
        )
    return data, moved if moved.is_file() else output


def check_read(folder: Path, place: Path | DataAddress, sha256: str) -> None:
    """Raise UsageError where what is at the place has not the digest of what the run in the folder read."""
    steps, _ = read_checked(find_run(str(folder)) / JOURNAL)
    if any(step.data_sha256 != sha256 for step in steps if isinstance(step, RunStep)):
        raise UsageError(
            f"{place} is not what the run in {folder} has read: it is other data, or has changed since.",
            advice="To compare it all the same, name both: `cleanroom diff DATA CLEANED`.",
        )


def _data(began: RunStep) -> Path | DataAddress:
    given = location(began.data)
    whole = location(began.configuration.get("data") or began.data)
    return given if isinstance(whole, Path) and not whole.exists() else whole
