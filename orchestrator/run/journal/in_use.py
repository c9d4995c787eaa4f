"""Which functions of a run are in use after its steps. Called by `listing`, `resume` and the job."""

from collections import defaultdict
from collections.abc import Iterable

from orchestrator.core.steps import AnyStep, MergerStep, PromotionStep


def functions_in_use(steps: Iterable[AnyStep]) -> dict[str, str]:
    """Names by hash of the source, without what was superseded or merged since."""
    active: dict[str, str] = {}
    hashes: defaultdict[str, set[str]] = defaultdict(set)  # by name: a list of all would be gone through each time
    merged: tuple[str, ...] = ()
    for step in steps:
        if isinstance(step, MergerStep) and step.adopted:
            merged = step.replaces
        elif isinstance(step, PromotionStep):
            for name in {step.name, step.replaces, *(merged if step.iteration == 0 else ())}:
                for sha256 in hashes.pop(name, ()):
                    del active[sha256]
            if known := active.get(step.sha256):
                hashes[known].discard(step.sha256)
            active[step.sha256] = step.name
            hashes[step.name].add(step.sha256)
    return active
