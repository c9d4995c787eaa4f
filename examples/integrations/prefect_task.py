"""A Prefect task that applies promoted functions to a file."""

from pathlib import Path

from prefect import flow, task

from orchestrator import Cleanroom


@task(retries=2, retry_delay_seconds=30)
def clean(data: str, functions: str, output: str) -> dict[str, int]:
    """The counts, without a cell. A broken engine is worth another try; a function that drifts fails each of them."""
    with Cleanroom() as cleanroom:
        step = cleanroom.apply(Path(data), functions, Path(output))
    return {"rows_in": step.rows_in, "rows_out": step.rows_out, "set_aside": step.quarantined}


@flow
def nightly(data: str, functions: str, output: str) -> dict[str, int]:
    """A flow with the one task."""
    return clean(data, functions, output)
