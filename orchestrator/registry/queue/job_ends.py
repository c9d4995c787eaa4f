"""How jobs end, and what is told of them, inside a transaction of somebody else. Called by the stores beside it."""

import json
import time
from collections.abc import Mapping
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from orchestrator.registry.queue.job_quota import WAITING, moment
from orchestrator.registry.queue.queue_tables import JobEventRow, JobRow
from orchestrator.registry.queue.service_job import JobState


def end_job(session: Session, row: JobRow, state: JobState, *, problem: Any = None, verdict: str = "") -> None:
    """The job is over. `problem`: why it could not be done."""
    row.state, row.ended_at, row.worker, row.lease = state, moment(time.time()), None, None
    row.problem = None if problem is None else stored_text(problem)
    happened(session, row.id, "ended", {"state": state} | ({"verdict": verdict} if verdict else {}))


def cancel_job(session: Session, row: JobRow) -> None:
    """Cancel the job unless it is over. A worker that is at it finds its fence outdated."""
    if not JobState(row.state).over:
        row.fence += 1
        end_job(session, row, JobState.CANCELLED)


def cancel_jobs_of(session: Session, token_id: str) -> None:
    """Cancel all that the token has asked for and that is not over."""
    for row in session.scalars(select(JobRow).where(JobRow.token_id == token_id, JobRow.state.in_(WAITING))):
        cancel_job(session, row)


def happened(session: Session, job_id: str, kind: str, data: Mapping[str, Any]) -> None:
    """Something happened to the job."""
    session.add(JobEventRow(job_id=job_id, kind=kind, data=stored_text(data), at=moment(time.time())))


def stored_text(value: Any) -> str:
    """JSON in ASCII, so that half a surrogate pair from a cell can be stored."""
    return json.dumps(value, separators=(",", ":"))
