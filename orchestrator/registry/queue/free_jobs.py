"""Which job a worker takes next. Called by `job_store`."""

import json
from collections.abc import Callable
from typing import Any

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from orchestrator.registry.queue.job_quota import moment
from orchestrator.registry.queue.queue_tables import JobRow
from orchestrator.registry.queue.service_job import JobState, QueueLimits

_AT_A_TIME = 4  # jobs
_ELSEWHERE_S = 3600.0  # so long a job waits for the service that has its files, where this one has not


def oldest_free(session: Session, limits: QueueLimits, now: float, has: Callable[[str], bool]) -> JobRow | None:
    """The oldest job that nobody is at, of a token that has none under way, if there is one; else the oldest of all.

    So the jobs of one token never have all workers while another token waits for its first. `has`: whether the files
    of a job are here; others are left for an hour. Few rows are read at a time, each with its source. `now`: seconds
    since 1970.
    """
    lease_ends = int(now) + 2 * limits.lease_s  # at the latest
    alive = JobRow.lease.between(int(now), lease_ends)
    running = JobRow.state == JobState.RUNNING
    free = select(JobRow).where(or_(JobRow.state == JobState.QUEUED, running & (JobRow.lease.is_(None) | ~alive)))
    busy = select(JobRow.token_id).where(running & alive)
    return _oldest(session, free.where(JobRow.token_id.not_in(busy)), now, has) or _oldest(session, free, now, has)


def _oldest(session: Session, free: Any, now: float, has: Callable[[str], bool]) -> JobRow | None:
    late, last = moment(now - _ELSEWHERE_S), 0
    free = free.order_by(JobRow.number).limit(_AT_A_TIME)
    while rows := session.scalars(free.where(JobRow.number > last)).all():
        for row in rows:
            if row.created_at < late or has(json.loads(row.request).get("folder", "")):
                found: JobRow = row
                return found
        last = rows[-1].number
    return None
