"""A job of the service as a value, and the states that it goes through. Used by the job store and by the service.

queued ──▶ running ──▶ done | failed
  ▲           │
  └───────────┘ handed back, or its lease ran out       cancelled: from queued and running, at once
"""

import json
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple


class JobKind(StrEnum):
    """What is to be done."""

    VERIFY = "verify"
    APPLY = "apply"
    RUN = "run"


class JobState(StrEnum):
    """FAILED: the job could not be done. A function that was rejected is the result of a job that is DONE."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"

    @property
    def over(self) -> bool:
        return self in {JobState.DONE, JobState.FAILED, JobState.CANCELLED}


@dataclass(frozen=True)
class NewJob:
    """A job that is asked for. `request_sha256`: of all that was asked, to tell a repetition from a mistake."""

    kind: JobKind
    token_id: str
    request: dict[str, Any]
    request_sha256: str
    idempotency_key: str | None = None


@dataclass(frozen=True)
class ServiceJob:
    """A job as it stands. `problem`: why it failed, one sentence and what to do. Times are ISO 8601, in UTC."""

    number: int
    id: str
    kind: JobKind
    token_id: str
    state: JobState
    request: dict[str, Any]
    created_at: str
    ended_at: str | None
    attempts: int
    fence: int
    result: dict[str, Any] | None = None
    problem: dict[str, str] | None = None


class StoredJob(NamedTuple):
    """A job's row as it stands, with what is JSON in it as text."""

    number: int
    id: str
    kind: str
    token_id: str
    state: str
    request: str
    created_at: str
    ended_at: str | None
    attempts: int
    fence: int
    result: str | None
    problem: str | None

    def job(self) -> ServiceJob:
        """The whole of it as a value."""
        return ServiceJob(
            **self._asdict()
            | {
                "kind": JobKind(self.kind),
                "state": JobState(self.state),
                "request": json.loads(self.request),
                "result": json.loads(self.result) if self.result else None,
                "problem": json.loads(self.problem) if self.problem else None,
            }
        )


@dataclass(frozen=True)
class JobEvent:
    """Something that happened to a job. Numbers grow over all jobs."""

    number: int
    job_id: str
    kind: str
    data: dict[str, Any]
    at: str


@dataclass(frozen=True)
class QueueLimits:
    """How many jobs may wait or run at once, in all and for each token, and how many a token may ask for in an hour.

    `attempts`: how often a job may be begun. `lease_s`: seconds for which a claim holds.
    """

    queued: int = 200
    for_each_token: int = 50
    per_hour: int = 2000
    attempts: int = 3
    lease_s: int = 30
