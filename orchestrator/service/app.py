"""Makes the app: stores, worker, and the routes over them. Called by `serve` and by tests."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractContextManager, asynccontextmanager
from typing import Any, Protocol

from fastapi import FastAPI
from fastapi.concurrency import run_in_threadpool
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

from orchestrator import __version__
from orchestrator.core.errors import CleanroomError
from orchestrator.registry.location import registry_url
from orchestrator.registry.queue.fast_path import fast_path
from orchestrator.registry.queue.job_store import JobStore
from orchestrator.registry.queue.rights import check_rights
from orchestrator.registry.queue.token_store import TokenStore
from orchestrator.registry.store import SqlRegistry
from orchestrator.service import api_routes, operations, page_routes
from orchestrator.service.authorization import ScopedRoute
from orchestrator.service.denied import Denied
from orchestrator.service.direct_route import direct_routes
from orchestrator.service.gatekeeper import Gatekeeper
from orchestrator.service.intake import Intake
from orchestrator.service.job_feed import JobFeed
from orchestrator.service.login_sessions import LoginSessions
from orchestrator.service.lookups import Lookups
from orchestrator.service.metrics import ServiceMetrics
from orchestrator.service.problems import MAX_FIELD, Problem, answer, say_internal
from orchestrator.service.service_settings import ServiceSettings
from orchestrator.service.uploads import JobFolders
from orchestrator.service.use_recorder import UseRecorder

_SWEEP_S = 3600.0


class Worker(Protocol):
    """Whoever carries out the jobs of the queue, beside the app."""

    ready: bool
    metrics: ServiceMetrics | None

    def start(self) -> None: ...

    def stop(self) -> None: ...


def make_app(settings: ServiceSettings, make_worker: Callable[[JobStore], Worker]) -> FastAPI:
    """The app. Its stores are open while it runs. Raises RegistryError, UsageError where they cannot be opened."""
    url = registry_url(settings.jobs_in, create=True)
    jobs = JobStore(url, settings.queue, create=True)
    check_rights(url)
    tokens, folders, fast = TokenStore(url), JobFolders(settings.state), fast_path(url)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        state = app.state
        state.feed, state.recorder = JobFeed(jobs), UseRecorder(tokens, fast)
        sweeping = asyncio.create_task(_sweep(folders, jobs, settings.keep_days * 86_400.0))
        state.worker.start()
        try:
            yield
        finally:
            sweeping.cancel()
            state.feed.close()
            await run_in_threadpool(state.worker.stop)
            if fast is not None:
                fast.close()
            jobs.close()
            tokens.close()

    app = FastAPI(
        title="cleanroom",
        version=__version__,
        description="Judges data-cleaning functions in sandboxes, and applies those that passed.",
        lifespan=lifespan,
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        generate_unique_id_function=lambda route: route.name,  # what generated clients call their functions
        form_limits={"max_fields": 20, "max_files": 3, "max_part_size": MAX_FIELD},
    )
    state = app.state
    state.settings, state.jobs, state.tokens, state.folders = settings, jobs, tokens, folders
    state.lookups = Lookups(tokens, jobs, fast)
    state.sessions, state.intake = LoginSessions(tokens), Intake(jobs, folders, settings)
    state.metrics = ServiceMetrics(jobs.counts, lambda waiting: _gauges(state, waiting))
    state.worker = make_worker(jobs)
    state.worker.metrics = state.metrics
    state.open_registry = lambda: _registry(settings)
    state.read_registry = lambda: _registry(settings, read_only=settings.opened is not None)
    app.router.route_class = ScopedRoute
    app.include_router(operations.router)
    app.include_router(api_routes.router)
    app.include_router(page_routes.router)
    for kind in (Denied, CleanroomError, RequestValidationError, HTTPException):
        app.add_exception_handler(kind, answer)
    app.add_middleware(
        Gatekeeper, settings=settings, recorder=lambda: state.recorder, direct=direct_routes(api_routes.router)
    )
    _describe(app)
    return app


async def _sweep(folders: JobFolders, jobs: JobStore, keep_s: float) -> None:
    """Delete what is old, at once and every hour: a service may run for months."""
    while True:
        try:
            await run_in_threadpool(_sweep_once, folders, jobs, keep_s)
        except (CleanroomError, OSError) as error:
            say_internal(error)
        await asyncio.sleep(_SWEEP_S)


def _sweep_once(folders: JobFolders, jobs: JobStore, keep_s: float) -> None:
    over = jobs.folders(over=True)
    known = jobs.folders()
    folders.sweep(known, keep_s, known - over)
    for name in folders.there(over):  # a command may have ended them (`tokens revoke`), which knows nothing of files
        folders.of(name).forget_sent()


def _gauges(state: Any, waiting: int) -> list[tuple[str, str, int]]:
    return [
        ("cleanroom_queue_length", "Jobs that nobody is at.", waiting),
        ("cleanroom_queue_limit", "How many jobs may wait or run.", state.settings.queue.queued),
        ("cleanroom_ready", "Whether there is a proved sandbox.", int(state.worker.ready)),
        ("cleanroom_followers", "Clients that follow a job.", state.feed.followers),
    ]


def _registry(settings: ServiceSettings, *, read_only: bool = False) -> AbstractContextManager[SqlRegistry]:
    """`read_only`: whoever only looks at a run that somebody has sent does not change its files."""
    return SqlRegistry(registry_url(settings.registry, create=False), create=False, read_only=read_only)


def _describe(app: FastAPI) -> None:
    """Let the description name the one form of all problems."""
    made = app.openapi

    def described() -> dict[str, Any]:
        schema = made()
        parts = schema.setdefault("components", {}).setdefault("schemas", {})
        parts.setdefault("Problem", Problem.model_json_schema())
        _mark_files(parts)
        return schema

    app.openapi = described  # type: ignore[method-assign]


def _mark_files(part: Any) -> None:
    """Name files in the way of OpenAPI 3.0 as well: generators of clients know no other, and would send texts."""
    if isinstance(part, dict):
        if "contentMediaType" in part:
            part["format"] = "binary"
        for each in part.values():
            _mark_files(each)
    elif isinstance(part, list):
        for each in part:
            _mark_files(each)
