"""Finds runs on disk and their status. Called by `cleanroom runs` and the library API."""

import json
import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from orchestrator.core.errors import UsageError
from orchestrator.core.exchanges import TokenUsage
from orchestrator.core.steps import EndStep, RunStep
from orchestrator.core.value import Value
from orchestrator.run.journal.in_use import functions_in_use
from orchestrator.run.journal.journal import is_written, read_journal
from orchestrator.run.outputs import JOURNAL

_LAST_LINE = 2**20
_LEVELS = 2  # of folders below the one that is asked for

_LeftOut = Callable[[Path, UsageError], None]


class Overview(Value):
    """A run in one line. `status`: how it ended; `running`; or `killed`, when its end is missing."""

    run_id: str
    at: datetime
    data: str
    rows: int
    proposer: str
    promoted: int
    status: str
    resumable: bool
    usage: TokenUsage
    folder: str


def runs_below(folder: Path, left_out: _LeftOut = lambda _folder, _why: None) -> Iterator[Overview]:
    """The runs in the folder and up to two levels below it, without those whose journal cannot be read.

    `left_out` receives the folder of such a run, and why.
    """
    for journal in _journals(folder, left_out):
        try:
            overview = _overview(journal)
        except UsageError as error:
            left_out(journal.parent, error)
            continue
        if overview is not None:
            yield overview


def find_run(name: str, folder: Path = Path()) -> Path:
    """The folder of a run, named by its folder, its journal or the beginning of its id. Raises UsageError."""
    path = Path(name)
    if path.is_dir() and (path / JOURNAL).is_file():
        return path
    if path.is_file() and path.name == JOURNAL:
        return path.parent
    found = [Path(run.folder) for run in runs_below(folder) if len(name) >= 3 and run.run_id.startswith(name)]
    if len(found) == 1:
        return found[0]
    if found:
        raise UsageError(f"{len(found)} runs have an id that begins with {name}.", advice="Give more of the id.")
    raise UsageError(
        f"There is no run {name}.",
        advice="Name the --out folder of a run, or an id of `cleanroom runs list` in the folder above it.",
    )


def has_not_ended(folder: Path) -> bool:
    """Whether the folder is that of a run which was killed, or is at work: by its journal's last line alone."""
    try:
        with (folder / JOURNAL).open("rb") as file:
            file.seek(-min(_LAST_LINE, file.seek(0, os.SEEK_END)), os.SEEK_END)
            last = file.read().rstrip().rpartition(b"\n")[2]
        step = json.loads(last)
    except OSError:
        return False
    except (ValueError, RecursionError):  # half a line: it was killed while it wrote
        return True
    return isinstance(step, dict) and step.get("kind") != "end"


def _journals(folder: Path, left_out: _LeftOut) -> list[Path]:
    """The journals in the folder and below it; a folder that this user may not look into is left out."""
    found = []
    for place in _folders(folder, _LEVELS):
        try:
            if (place / JOURNAL).is_file():  # reading a pipe would never end
                found.append(place / JOURNAL)
        except PermissionError:
            left_out(place, UsageError(f"{place} may not be looked into.", advice="Ask whoever owns it."))
    return sorted(found)


def _folders(folder: Path, levels: int) -> Iterator[Path]:
    yield folder
    with suppress(OSError):
        for below in folder.iterdir() if levels else ():
            if below.is_dir():
                yield from _folders(below, levels - 1)


def _overview(journal: Path) -> Overview | None:
    steps = list(read_journal(journal))
    if not steps or not isinstance(steps[0], RunStep):
        return None
    first, last = steps[0], steps[-1]
    status = last.status if isinstance(last, EndStep) else None
    running = status is None and is_written(journal)
    return Overview(
        run_id=first.run_id,
        at=first.at,
        data=first.data,
        rows=first.rows,
        proposer=first.proposer,
        promoted=len(functions_in_use(steps)),
        status="running" if running else status or "killed",
        resumable=not running and (status is None or status.resumable),
        usage=sum((step.usage for step in steps), TokenUsage()),
        folder=str(journal.parent),
    )
