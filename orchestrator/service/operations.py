"""What those who operate the service ask it: is it alive, is it ready, how is it doing. And its description."""

from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import PlainTextResponse

from orchestrator.registry.queue.service_job import JobState
from orchestrator.registry.queue.token_store import Scope
from orchestrator.service.access import ScopedRoute, needs, public
from orchestrator.service.views import Health

router = APIRouter(route_class=ScopedRoute)


@router.get("/healthz")
@public
async def healthz() -> Health:
    """The process answers; nothing is said of the sandbox."""
    return Health(ready=True)


@router.get("/readyz", responses={503: {"model": Health, "description": "Not ready"}})
@public
def readyz(request: Request, response: Response) -> Health:
    """Ready for jobs: a worker runs, and its sandbox was proved to be what the policy says."""
    state = request.app.state
    state.jobs.last_event()  # raises where the database cannot be reached
    worker = state.worker
    if not worker.ready:
        response.status_code = 503
    return Health(ready=worker.ready, problem="" if worker.ready else "There is no proved sandbox at the moment.")


@router.get("/metrics", response_class=PlainTextResponse)
@needs(Scope.ADMIN)
def metrics(request: Request) -> PlainTextResponse:
    """Figures in Prometheus' text format. No name of a job, a token, a file, a column or a function is in them."""
    state = request.app.state
    lines = ["# HELP cleanroom_jobs Jobs by kind and state.", "# TYPE cleanroom_jobs gauge"]
    counts = state.jobs.counts()
    lines += [f'cleanroom_jobs{{kind="{kind}",state="{now}"}} {count}' for (kind, now), count in sorted(counts.items())]
    waiting = sum(count for (_, now), count in counts.items() if now is JobState.QUEUED)
    figures: list[tuple[str, str, int]] = [
        ("cleanroom_queue_length", "Jobs that nobody is at.", waiting),
        ("cleanroom_queue_limit", "How many jobs may wait or run.", state.settings.queue.queued),
        ("cleanroom_ready", "Whether there is a proved sandbox.", int(state.worker.ready)),
        ("cleanroom_followers", "Clients that follow a job.", state.feed.followers),
    ]
    for name, told, value in figures:
        lines += [f"# HELP {name} {told}", f"# TYPE {name} gauge", f"{name} {value}"]
    return PlainTextResponse("\n".join(lines) + "\n", media_type="text/plain; version=0.0.4; charset=utf-8")


@router.get("/openapi.json", include_in_schema=False)
@public
async def description(request: Request) -> dict[str, Any]:
    """The description of the API, from which clients can be generated."""
    made: dict[str, Any] = request.app.openapi()
    return made
