"""The pages for people. Thin: reads the request, asks the stores, renders. What can be changed here has a form."""

from typing import TYPE_CHECKING, Annotated

from fastapi import APIRouter, File, Form, Path, Request, Response, UploadFile
from fastapi.responses import HTMLResponse, RedirectResponse

from orchestrator.registry.entries import ended_by
from orchestrator.registry.queue.service_job import JobKind, ServiceJob
from orchestrator.registry.queue.token_store import TokenScope
from orchestrator.run.journal.listing import find_run
from orchestrator.run.journal.resume import read_past
from orchestrator.run.report.render import render_report
from orchestrator.service.api_routes import NO_OTHER_FIELD, VisibleJob, cancelled
from orchestrator.service.authorization import ScopedRoute, caller_of, cookie_of, needs, public, usable_caller
from orchestrator.service.data_fields import READ, ColumnsField, ReadingFields
from orchestrator.service.denied import Denied
from orchestrator.service.pages import page, report_page, static_file, verdict_of
from orchestrator.service.run_report import run_report

if TYPE_CHECKING:
    from orchestrator.registry.queue.job_store import JobStore
    from orchestrator.service.login_sessions import LoginSessions

router = APIRouter(route_class=ScopedRoute, include_in_schema=False)
_LOCAL = frozenset({"localhost", "127.0.0.1", "::1"})
_SHOWN = 100
_NO_CODE = (
    "The code in the address is not known here, was used, or is older than ten minutes. "
    "`cleanroom serve --open` prints a new one when it is started again."
)
Upload = Annotated[UploadFile, File()]
Reason = Annotated[str, Form(max_length=1000)]


@router.get("/static/{name}")
@public
def static(name: str) -> Response:
    """Styles and scripts."""
    return static_file(name)


@router.get("/login")
@public
def login_page(request: Request) -> HTMLResponse:
    """Asks for a token."""
    return page(request, "login", wrong="")


@router.post("/login")
@public
def log_in(request: Request, token: Annotated[str, Form(max_length=200)]) -> Response:
    """A session for this browser, where the token is known."""
    sessions: LoginSessions = request.app.state.sessions
    session = sessions.log_in(token.strip())
    if session is None:
        return page(request, "login", 401, wrong="That token is not known here, or cannot be used any more.")
    sessions.log_out(request.cookies.get(cookie_of(request), ""))  # the one that it had, of which it forgets the cookie
    return _logged_in(request, session)


@router.post("/login/code")
@public
async def log_in_by_code(request: Request, code: Annotated[str, Form(max_length=200)]) -> Response:
    """A session for this browser, where nobody is logged in: an address, which may be anybody's, changes nobody."""
    request.state.caller = await usable_caller(request)
    if request.state.caller is not None:
        raise Denied(409, "This browser is logged in already.", "Log out, and open the address again.")
    session = request.app.state.sessions.log_in_by_code(code)
    if session is None:
        return page(request, "login", 401, wrong=_NO_CODE)
    return _logged_in(request, session)


@router.post("/logout")
@needs(*TokenScope)
def log_out(request: Request) -> Response:
    """End the session."""
    request.app.state.sessions.log_out(caller_of(request).session)
    response = RedirectResponse("/login", 303)
    response.delete_cookie(cookie_of(request), path="/")
    return response


@router.get("/")
@needs(*TokenScope)
def jobs_page(request: Request) -> HTMLResponse:
    """The newest jobs."""
    store: JobStore = request.app.state.jobs
    jobs = store.newest(caller_of(request).sees, _SHOWN)
    return page(request, "jobs", jobs=jobs, verdicts=store.verdicts([job.id for job in jobs]))


@router.get("/new")
@needs(TokenScope.VERIFY, TokenScope.RUN)
def new_page(request: Request) -> HTMLResponse:
    """What can be asked for."""
    return page(request, "new", formats=READ)


@router.post("/verifications", dependencies=NO_OTHER_FIELD)
@needs(TokenScope.VERIFY)
def ask_verification(
    request: Request,
    function: Upload,
    data: Upload,
    examples: Annotated[UploadFile | None, File()] = None,
    quick: Annotated[bool, Form()] = False,
    promote: Annotated[bool, Form()] = False,
    *,
    reading: ReadingFields,
) -> Response:
    """Judge a function."""
    caller = caller_of(request)
    if promote and not caller.may(TokenScope.RUN):
        raise Denied(403, "The token may not promote: it needs the scope run.", "Verify without promoting.")
    intake = request.app.state.intake
    job = intake.verification(caller, function, data, examples, quick=quick, promote=promote, key=None, reading=reading)
    return _to(job)


@router.post("/applies", dependencies=NO_OTHER_FIELD)
@needs(TokenScope.RUN)
def ask_apply(
    request: Request,
    data: Upload,
    accept_drift: Annotated[bool, Form()] = False,
    *,
    reading: ReadingFields,
    columns: ColumnsField,
) -> Response:
    """Apply the registry's functions."""
    intake, caller = request.app.state.intake, caller_of(request)
    return _to(intake.application(caller, data, accept_drift=accept_drift, key=None, reading=reading, columns=columns))


@router.post("/runs", dependencies=NO_OTHER_FIELD)
@needs(TokenScope.RUN)
def ask_run(
    request: Request,
    data: Upload,
    instruction: Annotated[str, Form(max_length=4000)] = "",
    *,
    reading: ReadingFields,
) -> Response:
    """Find functions for the data."""
    intake, caller = request.app.state.intake, caller_of(request)
    return _to(intake.cleaning(caller, data, instruction=instruction, key=None, reading=reading))


@router.get("/jobs/{job_id}")
@needs(TokenScope.READ, TokenScope.VERIFY, TokenScope.RUN)
def job_page(request: Request, job: VisibleJob) -> HTMLResponse:
    """One job: as it goes on, or what came of it."""
    return page(request, "job", job=job, waits=_waits_for_review(request, job))


@router.post("/jobs/{job_id}/cancel")
@needs(TokenScope.VERIFY, TokenScope.RUN)
def cancel(request: Request, job: VisibleJob) -> Response:
    """Cancel the job."""
    return _to(cancelled(request, job))


@router.get("/jobs/{job_id}/report")
@needs(TokenScope.READ, TokenScope.RUN)
def job_report(request: Request, job: VisibleJob) -> HTMLResponse:
    """The report of a run that was a job."""
    named = next((name for name in (job.result or {}).get("files", ()) if name.endswith("/report.html")), None)
    if job.kind is not JobKind.RUN or named is None:
        raise Denied(404, "The job has no report.")
    report = request.app.state.folders.of(job.request["folder"]).has_made(named)
    links = [(f"/jobs/{job.id}", "The job"), *_links(request)]
    return report_page(run_report(report.parent, job.request["named"], links))


@router.get("/run")
@needs(TokenScope.READ)
def opened_run(request: Request) -> HTMLResponse:
    """The run that the service was started on. Rendered anew: the file in the folder may be anybody's."""
    folder = request.app.state.settings.opened
    if folder is None:
        raise Denied(404, "The service was not started on a run.", "`cleanroom serve --open FOLDER` shows one.")
    past = read_past(find_run(str(folder)))
    return report_page(render_report(past.steps, out=str(folder), links=_links(request), authentic=past.authentic))


@router.get("/functions")
@needs(TokenScope.READ)
def functions_page(request: Request) -> HTMLResponse:
    """The registry: what is in use, and all that ever happened."""
    with request.app.state.read_registry() as registry:
        functions, missing = registry.functions(), registry.missing_approvals()
        events = [(entry.promoted, event) for entry in registry.history() for event in entry.events]
        history = sorted(events, key=lambda one: one[1].at)
        return page(request, "functions", functions=functions, missing=missing, history=history)


@router.get("/review")
@needs(TokenScope.REVIEW)
def review_page(request: Request) -> HTMLResponse:
    """Held functions, to decide about."""
    with request.app.state.read_registry() as registry:
        held = registry.held()
        in_use = registry.functions() if held else ()  # a stranger's, of which nothing waits, can be looked at
    return page(request, "review", held=[(one, ended_by(one.candidate, in_use)) for one in held])


@router.post("/review/{name}/approve")
@needs(TokenScope.REVIEW)
def approve(
    request: Request,
    name: Annotated[str, Path(max_length=200)],
    sha256: Annotated[str, Form(pattern="^[0-9a-f]{64}$")],
    version: Annotated[int, Form(ge=1, le=10**9)],
    reason: Reason = "",
) -> Response:
    """Let a held function into use: exactly what was shown."""
    if not reason.strip():
        raise Denied(422, "An approval needs a reason.", "Write what you looked at: it is signed with your decision.")
    with request.app.state.open_registry() as registry:
        registry.approve(name, _said(request, reason), sha256=sha256, held=version)
    return RedirectResponse("/review", 303)


@router.post("/review/{name}/reject")
@needs(TokenScope.REVIEW)
def reject(
    request: Request,
    name: Annotated[str, Path(max_length=200)],
    version: Annotated[int, Form(ge=1, le=10**9)],
    reason: Reason = "",
) -> Response:
    """Keep a held function out of use for good."""
    if not reason.strip():
        raise Denied(422, "A rejection needs a reason.", "Write what is wrong, for whoever wrote the function.")
    with request.app.state.open_registry() as registry:
        if not any((one.name, one.version) == (name, version) for one in registry.held()):
            raise Denied(409, "The function is not held any more.", "Look at the functions in use.")
        registry.reject(name, version, _said(request, reason))
    return RedirectResponse("/review", 303)


def _logged_in(request: Request, session: str) -> Response:
    response = RedirectResponse("/run" if request.app.state.settings.opened else "/", 303)
    secure = (request.url.hostname or "") not in _LOCAL
    response.set_cookie(cookie_of(request), session, httponly=True, samesite="strict", secure=secure, path="/")
    return response


def _waits_for_review(request: Request, job: ServiceJob) -> bool:
    """Whether the caller can still decide about the held function of a job that was to promote it."""
    verdict = verdict_of(job.result)
    if (
        verdict is None
        or not verdict.held
        or not job.request["promote"]
        or not caller_of(request).may(TokenScope.REVIEW)
    ):
        return False
    with request.app.state.read_registry() as registry:
        return any(one.candidate.sha256 == verdict.candidate.sha256 for one in registry.held())


def _links(request: Request) -> list[tuple[str, str]]:
    """From a report, which has a layout of its own, to the other pages that this caller may see."""
    may, found = caller_of(request).may, [("/", "Jobs")]
    if may(TokenScope.VERIFY) or may(TokenScope.RUN):
        found.append(("/new", "New job"))
    if may(TokenScope.REVIEW):
        found.append(("/review", "Review"))
    if may(TokenScope.READ):
        found.append(("/functions", "Functions"))
    return found


def _said(request: Request, reason: str) -> str:
    return f"{reason.strip()} ({caller_of(request).token.name}, through the service)".strip()


def _to(job: ServiceJob) -> RedirectResponse:
    return RedirectResponse(f"/jobs/{job.id}", 303)
