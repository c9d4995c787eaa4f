"""Apply as a step of a run, or on its own. Called by `loop.job`, the library and `cleanroom apply`."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter

from orchestrator.core.promoted import Promoted
from orchestrator.core.steps import ApplyStep
from orchestrator.core.weakened import weakened_layers
from orchestrator.data.formats import Dataset
from orchestrator.run.apply.apply import apply_functions
from orchestrator.run.services import Services


@dataclass(frozen=True)
class ApplyProgress:
    """How many rows are done."""

    rows: int


def apply_step(
    data: Path | Dataset,
    functions: Sequence[Promoted],
    output: Path,
    services: Services,
    *,
    quarantine: Path | None = None,
    on_progress: Callable[[ApplyProgress], None] = lambda _progress: None,
) -> ApplyStep:
    """Apply the functions to the file; what happened, as a step. Raises DataError, OutputError, SandboxError."""
    start = perf_counter()
    outcome = apply_functions(
        data,
        functions,
        output,
        services.access,
        quarantine=quarantine,
        on_progress=lambda rows: on_progress(ApplyProgress(rows)),
    )
    return ApplyStep(
        at=datetime.now(UTC),
        seconds=perf_counter() - start,
        rows_in=outcome.rows_in,
        rows_out=outcome.rows_out,
        quarantined=outcome.quarantined,
        output=str(output),
        columns=outcome.columns,
        functions=outcome.functions,
        quality=outcome.quality_after,
        formulas=outcome.formulas,
        weakened=weakened_layers(services.policy),
    )
