"""The files of a run: what it read, and what it wrote. Called by `cleanroom diff` for a run's folder."""

from pathlib import Path

from orchestrator.core.errors import UsageError
from orchestrator.core.steps import ApplyStep, RunStep
from orchestrator.data.addresses import Address, location
from orchestrator.run.journal.journal import read_journal
from orchestrator.run.journal.listing import find_run
from orchestrator.run.outputs import JOURNAL


def run_files(folder: Path) -> tuple[Path | Address, Path]:
    """Input and output of the run in the folder. Raises UsageError where it wrote none."""
    steps = list(read_journal(find_run(str(folder)) / JOURNAL))
    data = next((location(step.data) for step in steps if isinstance(step, RunStep)), None)
    output = next((Path(step.output) for step in reversed(steps) if isinstance(step, ApplyStep)), None)
    if data is None or output is None:
        raise UsageError(f"The run in {folder} has written no data.", advice="Resume it, or name two files.")
    moved = folder / output.name  # the journal has the name that it had when it was written
    return data, moved if moved.is_file() else output
