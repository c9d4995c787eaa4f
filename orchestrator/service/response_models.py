"""What the service answers with, as pydantic models: the description in /openapi.json is made of them."""

import json
from typing import Any

from pydantic import BaseModel, Field

from orchestrator.core.promoted import Promoted
from orchestrator.registry.queue.service_job import JobKind, JobState, ServiceJob, StoredJob


class JobProblem(BaseModel):
    """Why a job could not be done: one sentence, and what to do."""

    message: str
    advice: str = ""


class JobView(BaseModel):
    """A job. `result`: of a job that is done, as the command's `--json` has it; None in lists of jobs."""

    id: str
    kind: JobKind
    state: JobState
    created_at: str
    ended_at: str | None = None
    attempts: int = Field(description="How often it was begun.")
    result: dict[str, Any] | None = None
    problem: JobProblem | None = None

    @classmethod
    def of(cls, job: ServiceJob) -> "JobView":
        return cls(
            id=job.id,
            kind=job.kind,
            state=job.state,
            created_at=job.created_at,
            ended_at=job.ended_at,
            attempts=job.attempts,
            result=job.result,
            problem=None if job.problem is None else JobProblem.model_validate(job.problem),
        )


def job_json(job: StoredJob) -> bytes:
    """The JSON of a `JobView`. What is JSON in the job's row is not read and written again, as far as it is JSON."""
    result = job.result or "null"
    if "NaN" in result or "Infinity" in result:  # which Python alone takes for numbers
        result = json.dumps(json.loads(result, parse_constant=lambda _: None))
    told = json.dumps(
        {
            "id": job.id,
            "kind": job.kind,
            "state": job.state,
            "created_at": job.created_at,
            "ended_at": job.ended_at,
            "attempts": job.attempts,
        }
    )
    return f'{told[:-1]}, "result": {result}, "problem": {job.problem or "null"}}}'.encode()


class JobPage(BaseModel):
    """Jobs, newest first. `before`: for the next page; None on the last one."""

    jobs: list[JobView]
    before: int | None = None


class FunctionView(BaseModel):
    """A function of the registry. `missing_approvals`: of so many more people, before which nothing is applied."""

    name: str
    version: int
    sha256: str
    issue: str
    shape: str
    promoted_at: str
    source: str
    missing_approvals: int

    @classmethod
    def of(cls, function: Promoted, missing_approvals: int = 0) -> "FunctionView":
        candidate = function.candidate
        return cls(
            name=candidate.name,
            version=function.version,
            sha256=candidate.sha256,
            issue=candidate.issue,
            shape=candidate.contract.shape,
            promoted_at=function.promoted_at.isoformat(),
            source=candidate.source,
            missing_approvals=missing_approvals,
        )


class FunctionList(BaseModel):
    """The functions in use, in the order in which they are applied."""

    functions: list[FunctionView]


class Health(BaseModel):
    """`problem`: why it is not ready; empty where it is."""

    ready: bool
    problem: str = ""
