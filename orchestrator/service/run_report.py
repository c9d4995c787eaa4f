"""The report of a run that was a job, in words of its client. Called by the worker, for the file, and by the pages.

A run records where its data and results lie, for commands that go on with it. Whoever sent the data to a service has
no use for these places, and they are nobody's business.
"""

from collections.abc import Sequence
from pathlib import Path, PurePath

from orchestrator.core.steps import AnyStep, ApplyStep, RunStep
from orchestrator.run.journal.resume import read_past
from orchestrator.run.report.render import render_report


def run_report(folder: Path, named: str, links: Sequence[tuple[str, str]] = ()) -> str:
    """The HTML of the run in the folder. `named`: the data, by the name of the upload."""
    past = read_past(folder)
    steps = [_as_sent(step, named or "data") for step in past.steps]
    return render_report(steps, links=links, authentic=past.authentic)


def _as_sent(step: AnyStep, named: str) -> AnyStep:
    if isinstance(step, RunStep):
        return step.model_copy(update={"data": named, "configuration": step.configuration | {"data": named}})
    if isinstance(step, ApplyStep):
        return step.model_copy(update={"output": PurePath(step.output).name})
    return step
