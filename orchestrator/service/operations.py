"""What those who operate the service ask it: is it alive, is it ready, how is it doing. And its description."""

from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import PlainTextResponse

from orchestrator.registry.queue.token_store import TokenScope
from orchestrator.service.authorization import ScopedRoute, needs, public
from orchestrator.service.metrics import CONTENT_TYPE
from orchestrator.service.response_models import Health

router = APIRouter(route_class=ScopedRoute)


@router.get("/healthz")
@public
async def healthz(request: Request) -> Health:
    """The process answers: 200 in any case. Whether it is ready is said as by /readyz; the database is not asked."""
    return _health(request)


@router.get("/readyz", responses={503: {"model": Health, "description": "Not ready"}})
@public
def readyz(request: Request, response: Response) -> Health:
    """Ready for jobs: a worker runs, and its sandbox was proved to be what the policy says."""
    request.app.state.jobs.last_event()  # raises where the database cannot be reached
    health = _health(request)
    if not health.ready:
        response.status_code = 503
    return health


def _health(request: Request) -> Health:
    ready = request.app.state.worker.ready
    return Health(ready=ready, problem="" if ready else "There is no proved sandbox at the moment.")


@router.get("/metrics", response_class=PlainTextResponse)
@needs(TokenScope.ADMIN)
def metrics(request: Request) -> PlainTextResponse:
    """Figures in Prometheus' text format. No name of a job, a token, a file, a column or a function is in them."""
    return PlainTextResponse(request.app.state.metrics.text(), media_type=CONTENT_TYPE)


@router.get("/openapi.json", include_in_schema=False)
@public
async def description(request: Request) -> dict[str, Any]:
    """The description of the API, from which clients can be generated."""
    made: dict[str, Any] = request.app.openapi()
    return made
