"""Which functions of a run are in use after its steps. Called by `listing`, `resume` and the job."""

from collections.abc import Iterable

from orchestrator.core.steps import AnyStep, MergerStep, PromotionStep


def functions_in_use(steps: Iterable[AnyStep]) -> dict[str, str]:
    """Names by hash of the source, without what was superseded or merged since."""
    active: dict[str, str] = {}
    merged: tuple[str, ...] = ()
    for step in steps:
        if isinstance(step, MergerStep) and step.adopted:
            merged = step.replaces
        elif isinstance(step, PromotionStep):
            gone = {step.name, step.replaces, *(merged if step.iteration == 0 else ())}
            active = {sha: name for sha, name in active.items() if name not in gone} | {step.sha256: step.name}
    return active
