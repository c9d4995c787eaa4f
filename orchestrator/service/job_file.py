"""A file that a job has made, as an answer, whole or in parts. Called by the routes."""

from collections.abc import MutableMapping
from typing import Any

from fastapi.responses import FileResponse, JSONResponse
from starlette.types import Receive, Scope, Send

from orchestrator.service.problems import MEDIA_TYPE, problem_of


class JobFile(FileResponse):
    """Says what is wrong with a range as a problem, like all else; Starlette's own answer is a text."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        refused = False

        async def as_problem(message: MutableMapping[str, Any]) -> None:
            nonlocal refused
            status = message.get("status", 200)
            if status in (400, 416):
                refused = True
                headers = {k.decode(): v.decode() for k, v in message["headers"] if k.lower() == b"content-range"}
                problem = problem_of(416).model_dump() if status == 416 else _malformed()
                await JSONResponse(problem, status, headers, media_type=MEDIA_TYPE)(scope, receive, send)
            elif not refused:
                await send(message)

        await super().__call__(scope, receive, as_problem)


def _malformed() -> dict[str, Any]:
    said = {"detail": "The range of the request cannot be read.", "advice": "Write `Range: bytes=FIRST-LAST`."}
    return problem_of(400).model_dump() | said
