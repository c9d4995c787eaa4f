"""A Prefect task that applies promoted functions to a file."""

from pathlib import Path

from prefect import flow, get_run_logger, task

from orchestrator import Cleanroom
from orchestrator.core.errors import UsageError


@task(retries=2, retry_delay_seconds=30)
def clean(data: str, functions: str, output: str) -> dict[str, int]:
    """The counts, without a cell; what to look at is in the log. Fails where no function is in use.

    A broken engine is worth another try; a function that drifts fails each of them.
    """
    with Cleanroom() as cleanroom:
        step = cleanroom.apply(Path(data), functions, Path(output))
    for note in step.notes_alone:
        get_run_logger().warning("%s", note)
    if not step.functions:
        raise UsageError("No function is in use there: every row of the output is as it was.")
    return {"rows_in": step.rows_in, "rows_out": step.rows_out, "set_aside": step.quarantined}


@flow
def nightly(data: str, functions: str, output: str) -> dict[str, int]:
    """A flow with the one task."""
    return clean(data, functions, output)
