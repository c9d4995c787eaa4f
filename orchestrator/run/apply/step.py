"""Apply as a step of a run, or on its own. Called by `loop.job`, the library and `cleanroom apply`."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter

from orchestrator.core.errors import ApplyAuditFailed, NotVerified
from orchestrator.core.promoted import Promoted
from orchestrator.core.steps import ApplyStep
from orchestrator.core.steps.run_steps import StateDigest
from orchestrator.core.weakened import refuse_weakened_evidence, weakened_layers
from orchestrator.data.data_address import DataAddress
from orchestrator.data.formats import Dataset
from orchestrator.run.apply.apply import WORKERS, apply_functions
from orchestrator.run.apply.same_file import check_results
from orchestrator.run.services import Services


@dataclass(frozen=True)
class ApplyProgress:
    """How many rows are done."""

    rows: int


def apply_step(
    data: Path | DataAddress | Dataset,
    functions: Sequence[Promoted],
    output: Path | DataAddress,
    services: Services,
    *,
    quarantine: Path | DataAddress | None = None,
    registry: str | Path | None = None,
    accept_drift: bool = False,
    refuse_doubts: bool = False,
    proved_on_it: Collection[str] = (),
    columns: Mapping[str, str] | None = None,
    on_progress: Callable[[ApplyProgress], None] = lambda _progress: None,
) -> ApplyStep:
    """Apply the functions to the file; what happened, as a step.

    `columns`: by the name that functions know, that of the file. `proved_on_it`: functions that are not compared.
    `registry`: where the functions are from; one that the audit finds to act up is suspended there. Raises
    DataError, OutputError, SandboxError, ApplyAuditFailed, ApplyDrifted; NotVerified where a function was taken out of
    use meanwhile; UsageError where the policy is strict, and a function was proved under a weaker one.
    """
    start = perf_counter()
    check_results(output, quarantine, place=None if registry is None else str(registry))
    if services.policy.strict:
        refuse_weakened_evidence(functions)
    try:
        outcome = apply_functions(
            data,
            functions,
            output,
            services.access,
            workers=services.lanes or WORKERS,
            quarantine=quarantine,
            accept_drift=accept_drift,
            refuse_doubts=refuse_doubts,
            proved_on_it=proved_on_it,
            columns=columns,
            on_progress=lambda rows: on_progress(ApplyProgress(rows)),
            before_written=lambda: _refuse_withdrawn(functions, registry),
        )
    except ApplyAuditFailed as stopped:
        raise _suspended(stopped, functions, registry) from None
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
        drifted=outcome.drifted,
        without_band=outcome.without_band,
        other_libraries=_proved_otherwise(functions, services.libraries),
        data_drift=outcome.data_drift,
        new_columns=outcome.new_columns,
        idle=outcome.idle,
        renamed=dict(columns or {}),
        added=tuple(q.name for q in outcome.quality_after if q.name not in {c.name for c in outcome.columns}),
        written=outcome.written,
        reading=data.notes if isinstance(data, Dataset) else (),
        learnt=tuple(
            StateDigest(name=name, sha256=state.sha256, bytes=state.bytes, rows=state.rows, text=state.text)
            for name, state in outcome.learnt.items()
        ),
        weakened=weakened_layers(services.policy),
    )


def _proved_otherwise(functions: Sequence[Promoted], libraries: str) -> tuple[str, ...]:
    """The names of those that were proved with other versions of Python or its packages than these."""
    known = {function.name: function.evidence.verdict.sandbox.libraries for function in functions}
    return tuple(name for name, proved in known.items() if libraries and proved not in {"", libraries})


def _refuse_withdrawn(functions: Sequence[Promoted], registry: str | Path | None) -> None:
    """Ask once more, for an apply may take hours: whoever revokes a function relies on it from then on."""
    from orchestrator.registry.functions import has_registry, open_to_read  # SQLAlchemy is only needed now

    if registry is None or not has_registry(registry):
        return
    with open_to_read(registry) as asked:
        gone = [one.name for one in functions if asked.is_withdrawn(one.name, one.version)]
    if gone:
        raise NotVerified(
            f"{', '.join(gone)} {'was' if len(gone) == 1 else 'were'} taken out of use while the data was cleaned.",
            advice="Nothing was written. Apply again, with the functions that are in use now.",
        )


def _suspended(
    stopped: ApplyAuditFailed, functions: Sequence[Promoted], registry: str | Path | None
) -> ApplyAuditFailed:
    if registry is None or stopped.workers:  # a worker may be at fault, and not the function
        return stopped
    from orchestrator.registry.suspension import suspend  # SQLAlchemy is only needed now

    blamed = (stopped.function, stopped.version)
    sha256 = next((one.candidate.sha256 for one in functions if (one.name, one.version) == blamed), "")
    done = suspend(registry, *blamed, sha256, stopped.message)
    return ApplyAuditFailed(
        stopped.message, function=stopped.function, version=stopped.version, advice=f"Nothing was written. {done}"
    )
