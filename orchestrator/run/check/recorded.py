"""Notes checks in the registry that the functions are from. Called by the command `check` and the library."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from orchestrator.core.errors import CleanroomError
from orchestrator.core.promoted import Promoted
from orchestrator.data.formats import Dataset
from orchestrator.registry.functions import has_registry
from orchestrator.run.check.check_report import CheckReport, refuse_invalid
from orchestrator.run.check.proof_check import check_proofs
from orchestrator.run.services import Services


def record(report: CheckReport, place: str | Path) -> str:
    """Add one row for each function, without a cell of the data; why it could not be, or "".

    `place`: as `functions_in` takes it; a bundle keeps no checks.
    """
    if not has_registry(place):
        return ""

    from orchestrator.registry.check_store import RecordedCheck, record_checks

    rows = [
        RecordedCheck(
            at=report.at,
            name=one.name,
            version=one.version,
            state=one.state,
            data=report.data,
            data_sha256=report.data_sha256,
            rows=report.rows,
            findings=one.without_cells,
        )
        for one in report.functions
    ]
    try:
        record_checks(place, rows)
    except CleanroomError as error:
        return f"the check is not recorded: {error.message}"
    return ""


def require_proofs(
    dataset: Dataset,
    functions: Sequence[Promoted],
    services: Services,
    place: str | Path,
    *,
    columns: Mapping[str, str] | None = None,
) -> None:
    """Check and record. Raises ApplyDrifted unless all are valid, and what `check_proofs` raises."""
    report = check_proofs(dataset, functions, services, columns=columns)
    record(report, place)
    refuse_invalid(report)
