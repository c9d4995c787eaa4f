"""Routes that are asked for many times a second: described as every other one, answered without what that costs.

FastAPI's way to an endpoint (five layers, the search for the route, dependencies, models) costs ten times as much as
asking how a job stands. The gatekeeper asks these routes before it hands a request to FastAPI.
"""

from collections.abc import Awaitable, Callable, Coroutine, Sequence
from typing import Any

from fastapi import APIRouter, Request, Response
from starlette.types import Receive, Scope, Send

from orchestrator.service.authorization import ScopedRoute


class DirectRoute(ScopedRoute):
    """Its endpoint takes the request and the values in the path as they came, and makes the whole answer.

    What its signature and its model say is for the description only.
    """

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        return self.answer

    async def answer(self, request: Request) -> Response:
        """The answer to a request for this route. Raises what the endpoint raises, and Denied."""
        await self.authorize(request)
        made: Awaitable[Response] = self.endpoint(request, **request.path_params)
        return await made

    async def answered(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The same for the server, in place of the whole app."""
        await (await self.answer(Request(scope)))(scope, receive, send)


def direct_routes(router: APIRouter) -> Sequence[DirectRoute]:
    """Those of the router."""
    return [route for route in router.routes if isinstance(route, DirectRoute)]
