"""The addresses below /api/v1, for programs. Thin: reads the request, asks the stores, answers."""

import re
from collections.abc import AsyncIterator
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import APIRouter, Depends, File, Form, Header, Path, Query, Request, Response, UploadFile
from fastapi.dependencies.models import Dependant
from fastapi.security import HTTPBearer
from fastapi.sse import EventSourceResponse, ServerSentEvent
from starlette.exceptions import HTTPException

from orchestrator.registry.queue.job_store import JobStore
from orchestrator.registry.queue.service_job import JobState, ServiceJob, StoredJob
from orchestrator.registry.queue.token_store import TokenScope
from orchestrator.service.authorization import ScopedRoute, caller_of, needs, usable_caller
from orchestrator.service.data_fields import ColumnsField, ReadingFields
from orchestrator.service.denied import Denied
from orchestrator.service.direct_route import DirectRoute
from orchestrator.service.intake import Intake
from orchestrator.service.job_file import JobFile
from orchestrator.service.problems import documented
from orchestrator.service.response_models import FunctionList, FunctionView, JobPage, JobView, job_json

if TYPE_CHECKING:
    from orchestrator.service.lookups import Lookups
    from orchestrator.service.uploads import JobFolders

_bearer = HTTPBearer(auto_error=False, description="A token that `cleanroom tokens create` has made.")
router = APIRouter(
    prefix="/api/v1",
    route_class=ScopedRoute,
    dependencies=[Depends(_bearer)],
    responses=documented(400, 401, 403, 408, 414, 415, 421, 422, 431, 500, 503),
)
_LAST = 2**31 - 1  # the largest number of a row in PostgreSQL
_JOB_ID = re.compile(r"^[0-9a-f]{32}$")
JobId = Annotated[str, Path(pattern=_JOB_ID.pattern, description="The id of a job.")]
IdempotencyKey = Annotated[
    str | None,
    Header(
        pattern=r"^[\x21-\x7e]{1,200}$", description="The same key stands for the same job, however often it comes."
    ),
]


async def job_of(request: Request, job_id: JobId) -> ServiceJob:
    """The job, if the caller may see it. Raises Denied."""
    return (await _stored(request, job_id)).job()


async def _stored(request: Request, job_id: str) -> StoredJob:
    lookups: Lookups = request.app.state.lookups
    job = await lookups.job(job_id, caller_of(request).sees)
    if job is None:
        raise Denied(404, "There is no job with that id.", "A token sees its own jobs.")
    return job


async def no_other_field(request: Request) -> None:
    """Raises Denied for a field that the route does not have, or that is there twice, of which one would be used alone.

    Without its examples, or with a part of them, a function is judged more mildly. A body of another type than that
    of forms with files is refused as such: it holds no fields, and that one is missing would say nothing of why.
    """
    kind = request.headers.get("content-type", "")
    if kind and kind.partition(";")[0].strip().lower() != "multipart/form-data":
        raise HTTPException(415)
    known = _fields(request.scope["route"].dependant)
    sent = [name for name, _ in (await request.form()).multi_items()]
    if others := sorted(set(sent) - known):
        raise Denied(422, f"The request is not valid: {others[0][:80]} is no field of it.", "See /openapi.json.")
    if twice := [name for name in known if sent.count(name) > 1]:
        raise Denied(422, f"The request is not valid: {min(twice)} is there twice.", "Send each field once.")


def _fields(dependant: Dependant) -> set[str]:
    """The names of all that the route takes from a form, also through what it depends on."""
    own = {field.alias for field in dependant.body_params}
    return own.union(*map(_fields, dependant.dependencies))


VisibleJob = Annotated[ServiceJob, Depends(job_of)]
NO_OTHER_FIELD = [Depends(no_other_field)]
_ANY_WORK = (TokenScope.READ, TokenScope.VERIFY, TokenScope.RUN)
_BYTES = {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}
_A_FILE: dict[int | str, dict[str, Any]] = {200: {"description": "The file", "content": _BYTES}}


@router.post("/verifications", status_code=202, responses=documented(413, 429), dependencies=NO_OTHER_FIELD)
@needs(TokenScope.VERIFY)
def verify(
    request: Request,
    response: Response,
    function: Annotated[UploadFile, File(description="The candidate file.")],
    data: Annotated[UploadFile, File(description="The data to judge it on; its name says the format.")],
    examples: Annotated[UploadFile | None, File(description="Examples, as for `cleanroom verify --examples`.")] = None,
    quick: Annotated[bool, Form(description="Leave out the checks that take seconds.")] = False,
    promote: Annotated[bool, Form(description="Store what passes in the registry; needs the scope run.")] = False,
    *,
    reading: ReadingFields,
    idempotency_key: IdempotencyKey = None,
) -> JobView:
    """Judge a function. A function that fails, even by attacking, is the result of a job that is done."""
    caller = caller_of(request)
    if promote and not caller.may(TokenScope.RUN):
        raise Denied(403, "The token may not promote: it needs the scope run.", "Verify without promoting.")
    job = _intake(request).verification(
        caller, function, data, examples, quick=quick, promote=promote, key=idempotency_key, reading=reading
    )
    return _accepted(response, job)


@router.post("/applies", status_code=202, responses=documented(413, 429), dependencies=NO_OTHER_FIELD)
@needs(TokenScope.RUN)
def apply(
    request: Request,
    response: Response,
    data: Annotated[UploadFile, File(description="The data to clean.")],
    accept_drift: Annotated[bool, Form(description="Go on where functions do more than was proved.")] = False,
    *,
    reading: ReadingFields,
    columns: ColumnsField,
    idempotency_key: IdempotencyKey = None,
) -> JobView:
    """Apply the registry's functions to the data."""
    job = _intake(request).application(
        caller_of(request), data, accept_drift=accept_drift, key=idempotency_key, reading=reading, columns=columns
    )
    return _accepted(response, job)


@router.post("/runs", status_code=202, responses=documented(413, 429), dependencies=NO_OTHER_FIELD)
@needs(TokenScope.RUN)
def run(
    request: Request,
    response: Response,
    data: Annotated[UploadFile, File(description="The data to clean.")],
    instruction: Annotated[str, Form(max_length=4000, description="What to clean, in words.")] = "",
    *,
    reading: ReadingFields,
    idempotency_key: IdempotencyKey = None,
) -> JobView:
    """Find functions for the data with the built-in proposer, and apply those that pass."""
    job = _intake(request).cleaning(
        caller_of(request), data, instruction=instruction, key=idempotency_key, reading=reading
    )
    return _accepted(response, job)


@router.get("/jobs")
@needs(TokenScope.READ)
def list_jobs(
    request: Request,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
    before: Annotated[int | None, Query(ge=1, le=_LAST, description="As the page before said.")] = None,
) -> JobPage:
    """The token's jobs, newest first; with the scope admin those of all tokens."""
    found = _jobs(request).newest(caller_of(request).sees, limit + 1, before)
    jobs = found[:limit]
    return JobPage(jobs=[JobView.of(job) for job in jobs], before=jobs[-1].number if len(found) > limit else None)


@needs(*_ANY_WORK)
async def show_job(request: Request, job_id: JobId) -> Response:
    """A job, with its result once it is done."""
    if not _JOB_ID.fullmatch(job_id):
        raise Denied(422, "The request is not valid: job_id is wrong.", "See /openapi.json.")
    return Response(job_json(await _stored(request, job_id)), media_type="application/json")


router.add_api_route(
    "/jobs/{job_id}",
    show_job,
    methods=["GET"],
    response_model=JobView,
    responses=documented(404),
    route_class_override=DirectRoute,
)


@router.post("/jobs/{job_id}/cancel", responses=documented(404))
@needs(TokenScope.VERIFY, TokenScope.RUN)
def cancel_job(request: Request, job: VisibleJob) -> JobView:
    """Cancel a job, whatever it is at. One that is over stays as it is."""
    return JobView.of(cancelled(request, job))


@router.get("/jobs/{job_id}/events", response_class=EventSourceResponse, responses=documented(404))
@needs(*_ANY_WORK)
async def job_events(
    request: Request,
    job: VisibleJob,
    last_event_id: Annotated[
        str | None, Header(pattern=r"^\d{1,15}$", description="Go on after the event with this id.")
    ] = None,
) -> AsyncIterator[ServerSentEvent]:
    """What happens to the job, as server-sent events, until it is over."""
    after = min(int(last_event_id or 0), _LAST)
    async for event in request.app.state.feed.follow(job.id, after, over=job.state.over):
        if job.token_id != caller_of(request).token.id and not await usable_caller(request):
            return  # nothing more of the jobs of others; a token that is revoked takes its own with it
        yield ServerSentEvent(data=event.data | {"at": event.at}, event=event.kind, id=str(event.number))


@router.get("/jobs/{job_id}/files/{name:path}", response_class=JobFile, responses=documented(404, 416) | _A_FILE)
@needs(TokenScope.READ, TokenScope.RUN)
def job_file(request: Request, job: VisibleJob, name: Annotated[str, Path(max_length=200)]) -> JobFile:
    """A file that the job has made; its result names them under `files`."""
    if name not in (job.result or {}).get("files", ()):
        raise Denied(404, "The job has made no such file.", "Its result names its files.")
    folders: JobFolders = request.app.state.folders
    path = folders.of(job.request["folder"]).has_made(name)
    if not path.is_file():
        raise Denied(404, "The file was deleted: they are kept for some days only.", "Ask for the job again.")
    return JobFile(path, media_type="application/octet-stream", filename=PurePosixPath(name).name)


for _address, _endpoint, _kind in (("", show_job, DirectRoute), ("/files/{name:path}", job_file, ScopedRoute)):
    router.add_api_route(  # what programs ask that go on with a download
        f"/jobs/{{job_id}}{_address}",
        _endpoint,
        methods=["HEAD"],
        response_model=None,
        include_in_schema=False,
        route_class_override=_kind,
    )


@router.get("/functions", responses=documented(409))
@needs(TokenScope.READ)
def list_functions(request: Request) -> FunctionList:
    """The functions in use, in the order in which they are applied."""
    with request.app.state.read_registry() as registry:
        functions, missing = registry.functions(), registry.missing_approvals()
    return FunctionList(functions=[FunctionView.of(one, missing.get(one.name, 0)) for one in functions])


def cancelled(request: Request, job: ServiceJob) -> ServiceJob:
    """The job after it was cancelled."""
    after = _jobs(request).cancel(job.id) or job
    if job.state is JobState.QUEUED and after.state is JobState.CANCELLED:  # nobody is at its files
        request.app.state.folders.of(job.request["folder"]).forget_sent()
    return after


def _jobs(request: Request) -> JobStore:
    jobs: JobStore = request.app.state.jobs
    return jobs


def _intake(request: Request) -> Intake:
    intake: Intake = request.app.state.intake
    return intake


def _accepted(response: Response, job: ServiceJob) -> JobView:
    response.headers["Location"] = f"/api/v1/jobs/{job.id}"
    return JobView.of(job)
