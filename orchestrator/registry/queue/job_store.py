"""Jobs of the service as rows: asked for, claimed, carried out once, cancelled. Called by the service and its workers.

Theory of operation. A worker claims a job for the length of a lease, which it renews while it works. Each claim has a
higher fencing number; whoever writes a result names the number, and it counts only while it is the newest. So a worker
that was thought dead, and comes back, changes nothing: a job may be begun more than once, and has one end. A lease that
reaches further into the future than any can is that of a clock which jumped, and holds nobody up.
"""

import json
import secrets
import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import ColumnElement, bindparam, func, or_, select
from sqlalchemy.engine import URL
from sqlalchemy.orm import Session, defer

from orchestrator.core.errors import JobRefused
from orchestrator.registry.database import KEPT, open_engine, writing
from orchestrator.registry.location import database_url, shown
from orchestrator.registry.queue.free_jobs import oldest_free
from orchestrator.registry.queue.job_ends import cancel_job, end_job, happened, stored_text
from orchestrator.registry.queue.job_quota import WAITING, check_job_quota, moment
from orchestrator.registry.queue.queue_tables import JobEventRow, JobRow
from orchestrator.registry.queue.service_job import (
    JobEvent,
    JobKind,
    JobState,
    NewJob,
    QueueLimits,
    ServiceJob,
    StoredJob,
)
from orchestrator.registry.sql_errors import mapped

STORED_BY_ID = select(*(JobRow.__table__.c[name] for name in StoredJob._fields)).where(JobRow.id == bindparam("id"))


class JobStore:
    """Safe for several threads, processes and machines. `clock`: seconds since 1970."""

    def __init__(
        self, url: str | URL, limits: QueueLimits | None = None, *, create: bool = False, busy_timeout_s: float = 60.0
    ) -> None:
        """Raises RegistryError."""
        database = database_url(url)
        self.name, self.limits = shown(database), limits or QueueLimits()
        self._engine = open_engine(database, create=create, busy_timeout_s=busy_timeout_s, kept=KEPT)
        self.clock = time.time

    def add(self, new: NewJob) -> tuple[ServiceJob, bool]:
        """Put the job into the queue, and whether it is a new one: the same key stands for the same job.

        Raises JobRefused where there is no room (`check_job_quota`), and for a key that was used for another.
        """
        with mapped(self.name), writing(self._engine) as session, session.begin():
            if known := self._known(session, new):
                return known, False
            check_job_quota(session, new.token_id, self.limits, self.clock())
            row = JobRow(
                id=secrets.token_hex(16),
                kind=new.kind,
                token_id=new.token_id,
                state=JobState.QUEUED,
                request=stored_text(new.request),
                request_sha256=new.request_sha256,
                idempotency_key=new.idempotency_key,
                created_at=moment(self.clock()),
                attempts=0,
                fence=0,
            )
            session.add(row)
            session.flush()
            happened(session, row.id, "queued", {})
            return _job(row), True

    def known(self, new: NewJob) -> ServiceJob | None:
        """The job that this key already stands for. Raises JobRefused where it was used for another."""
        with mapped(self.name), Session(self._engine) as session:
            return self._known(session, new)

    def folders_of(self, token_id: str, kept_s: float) -> frozenset[str]:
        """The names of the folders in which files of the token may lie: verifications that are over leave none.

        Nor does what ended longer ago than `kept_s`: of a service that runs for years that is nearly everything.
        """
        made = (JobRow.kind != JobKind.VERIFY) & (JobRow.ended_at > moment(self.clock() - kept_s))
        kept = or_(JobRow.state.in_(WAITING), made)
        with mapped(self.name), Session(self._engine) as session:
            found = session.scalars(select(JobRow.request).where(JobRow.token_id == token_id, kept))
            return frozenset(json.loads(request)["folder"] for request in found)

    def folders(self, *, over: bool = False) -> frozenset[str]:
        """The names of the folders of all jobs, or of those that are over."""
        query = select(JobRow.request)
        if over:
            query = query.where(JobRow.state.in_([state for state in JobState if state.over]))
        with mapped(self.name), Session(self._engine) as session:
            return frozenset(json.loads(request)["folder"] for request in session.scalars(query))

    def get(self, job_id: str, token_id: str | None = None) -> ServiceJob | None:
        """The job, if it is this token's (None: anybody's)."""
        found = self.stored(job_id)
        return None if found is None or token_id not in (None, found.token_id) else found.job()

    def stored(self, job_id: str) -> StoredJob | None:
        """The job as its row has it, whosever it is."""
        with mapped(self.name), self._engine.connect() as connection:
            row = connection.execute(STORED_BY_ID, {"id": job_id}).first()
            return None if row is None else StoredJob._make(row)

    def newest(self, token_id: str | None = None, limit: int = 50, before: int | None = None) -> Sequence[ServiceJob]:
        """Jobs without their results, newest first. `before`: only those with a smaller number."""
        query = select(JobRow).options(defer(JobRow.result, raiseload=True)).order_by(JobRow.number.desc()).limit(limit)
        if token_id is not None:
            query = query.where(JobRow.token_id == token_id)
        if before is not None:
            query = query.where(JobRow.number < before)
        with mapped(self.name), Session(self._engine) as session:
            return [_job(row, whole=False) for row in session.scalars(query)]

    def counts(self) -> Mapping[tuple[JobKind, JobState], int]:
        """How many jobs there are of each kind in each state."""
        query = select(JobRow.kind, JobRow.state, func.count()).group_by(JobRow.kind, JobRow.state)
        with mapped(self.name), Session(self._engine) as session:
            return {(JobKind(kind), JobState(state)): count for kind, state, count in session.execute(query)}

    def cancel(self, job_id: str) -> ServiceJob | None:
        """Cancel the job unless it is over; as it stands then. A worker that is at it finds its fence outdated."""
        with mapped(self.name), writing(self._engine) as session, session.begin():
            row = _row(session, job_id)
            if row is None:
                return None
            cancel_job(session, row)
            return _job(row)

    def claim(self, worker: str, has: Callable[[str], bool] = lambda _folder: True) -> ServiceJob | None:
        """The next job that nobody is at (`oldest_free`), for the length of a lease; None where there is none.

        `has`: whether the worker has the folder of this name. Jobs with files elsewhere are left to who has them, for
        an hour. One that was begun as often as is allowed is not begun again: it has failed.
        """
        with mapped(self.name), Session(self._engine) as session:  # a look that keeps nobody from writing
            if oldest_free(session, self.limits, self.clock(), has) is None:
                return None
        while True:
            with mapped(self.name), writing(self._engine) as session, session.begin():
                row = oldest_free(session, self.limits, self.clock(), has)
                if row is None:
                    return None
                row.fence += 1
                if row.attempts >= self.limits.attempts:
                    problem = {
                        "message": f"The job was begun {row.attempts} times, and the service died each time.",
                        "advice": "Look at the service's messages; ask again once it runs.",
                    }
                    end_job(session, row, JobState.FAILED, problem=problem)
                    continue
                row.attempts += 1
                row.state, row.worker, row.lease = JobState.RUNNING, worker, self._lease()
                happened(session, row.id, "started", {"attempt": row.attempts})
                return _job(row)

    def renew(self, job: ServiceJob) -> bool:
        """Make the lease longer; whether the job is still this worker's."""
        with mapped(self.name), writing(self._engine) as session, session.begin():
            row = _held(session, job)
            if row is not None:
                row.lease = self._lease()
            return row is not None

    def holds(self, job: ServiceJob) -> bool:
        """Whether the job is still this worker's. Asked often, so the job itself is not read."""
        with mapped(self.name), Session(self._engine) as session:
            return session.scalar(select(JobRow.number).where(*_of_claim(job))) is not None

    def tell(self, job: ServiceJob, told: Iterable[tuple[str, Mapping[str, Any]]]) -> bool:
        """Add events, each with its kind and its data; whether the job is still this worker's."""
        with mapped(self.name), writing(self._engine) as session, session.begin():
            held = _held(session, job) is not None
            for kind, data in told if held else ():
                happened(session, job.id, kind, data)
            return held

    def finish(self, job: ServiceJob, result: Mapping[str, Any]) -> bool:
        """The job is done; False, and nothing is written, where it is not this worker's any more."""
        return self._finish(job, JobState.DONE, result=result)

    def fail(self, job: ServiceJob, message: str, advice: str = "") -> bool:
        """The job cannot be done. As `finish`."""
        return self._finish(job, JobState.FAILED, problem={"message": message, "advice": advice})

    def hand_back(self, worker: str, *, died: bool = False) -> int:
        """Give back what the worker, which has stopped, had claimed; how many jobs.

        Unless it, or the service, `died` of what may be the job, the job counts as not begun.
        """
        with mapped(self.name), writing(self._engine) as session, session.begin():
            held = select(JobRow).where(JobRow.worker == worker, JobRow.state == JobState.RUNNING)
            rows = list(session.scalars(held))
            for row in rows:
                row.state, row.worker, row.lease = JobState.QUEUED, None, None
                row.fence += 1
                row.attempts -= 0 if died else 1
                happened(session, row.id, "queued", {"handed_back": True})
            return len(rows)

    def events(self, job_id: str | None, after: int = 0, limit: int = 1000) -> Sequence[JobEvent]:
        """What happened to the job, or to all of them, after the event with this number; oldest first."""
        query = select(JobEventRow).where(JobEventRow.id > after).order_by(JobEventRow.id).limit(limit)
        if job_id is not None:
            query = query.where(JobEventRow.job_id == job_id)
        with mapped(self.name), Session(self._engine) as session:
            return [
                JobEvent(row.id, row.job_id, row.kind, json.loads(row.data), row.at) for row in session.scalars(query)
            ]

    def verdicts(self, job_ids: Collection[str]) -> Mapping[str, str]:
        """The verdicts of those among the jobs that have one. Does not read their results, which are long."""
        query = select(JobEventRow.job_id, JobEventRow.data)
        query = query.where(JobEventRow.kind == "ended", JobEventRow.job_id.in_(job_ids))
        with mapped(self.name), Session(self._engine) as session:
            ends = {job_id: json.loads(data) for job_id, data in session.execute(query)}
        return {job_id: end["verdict"] for job_id, end in ends.items() if "verdict" in end}

    def last_event(self) -> int:
        """The number of the newest event of all jobs; 0 where there is none."""
        with mapped(self.name), Session(self._engine) as session:
            return session.scalar(select(func.max(JobEventRow.id))) or 0

    def close(self) -> None:
        """Close the database. Idempotent."""
        self._engine.dispose()

    def _lease(self) -> int:
        return int(self.clock()) + self.limits.lease_s

    def _known(self, session: Session, new: NewJob) -> ServiceJob | None:
        if new.idempotency_key is None:
            return None
        query = select(JobRow).where(JobRow.token_id == new.token_id, JobRow.idempotency_key == new.idempotency_key)
        row = session.scalars(query).first()
        if row is None:
            return None
        if (row.kind, row.request_sha256) != (new.kind, new.request_sha256):
            raise JobRefused(
                "This idempotency key was used for another request.", advice="Use a new key for each job.", status=422
            )
        return _job(row)

    def _finish(
        self, job: ServiceJob, state: JobState, *, result: Mapping[str, Any] | None = None, problem: Any = None
    ) -> bool:
        with mapped(self.name), writing(self._engine) as session, session.begin():
            row = _held(session, job)
            if row is not None:
                row.result = None if result is None else stored_text(result)
                verdict = (result or {}).get("verdict", {}).get("verdict", "")
                end_job(session, row, state, problem=problem, verdict=verdict)
            return row is not None


def _row(session: Session, job_id: str) -> JobRow | None:
    return session.scalars(select(JobRow).where(JobRow.id == job_id)).first()


def _held(session: Session, job: ServiceJob) -> JobRow | None:
    """The job's row while the claim is the newest, None once somebody else has it or it is over."""
    return session.scalars(select(JobRow).where(*_of_claim(job))).first()


def _of_claim(job: ServiceJob) -> tuple[ColumnElement[bool], ...]:
    return JobRow.id == job.id, JobRow.fence == job.fence, JobRow.state == JobState.RUNNING


def _job(row: JobRow, *, whole: bool = True) -> ServiceJob:
    values = {name: getattr(row, name) for name in StoredJob._fields if whole or name != "result"}
    return StoredJob(**{"result": None} | values).job()
