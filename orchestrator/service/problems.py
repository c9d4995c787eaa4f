"""What goes wrong, as an answer: one table from the class of an error to a status, one sentence and what to do.

Called by the app for every error. What is not in the table is an internal error: its text is for nobody.
"""

import sys
import traceback
from http import HTTPStatus
from typing import Any

from fastapi import Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel
from starlette.exceptions import HTTPException

from orchestrator.core.errors import (
    CleanroomError,
    EngineUnavailable,
    ImageMissing,
    JobRefused,
    NotVerified,
    OutputError,
    PostureError,
    RegistryError,
    SandboxError,
    UsageError,
)
from orchestrator.registry.export.literal import one_line
from orchestrator.service.denied import Denied
from orchestrator.service.field_wording import in_fields
from orchestrator.service.pages import problem_page

MEDIA_TYPE = "application/problem+json"
MAX_HEAD = 32 * 1024
"""Bytes of the address and of all header lines of a request."""
_STATUSES: tuple[tuple[type[CleanroomError], int], ...] = (  # the first that fits
    (UsageError, 422),
    (NotVerified, 409),
    (RegistryError, 503),
    (SandboxError, 503),
    (OutputError, 507),
)
_OF_THE_MACHINE = (RegistryError, EngineUnavailable, ImageMissing, PostureError)
_SAID = {
    400: ("The request cannot be read: it is no valid HTTP, or no valid form with files.", "See docs/service.md."),
    404: ("There is nothing at this address.", "The addresses are in /openapi.json."),
    405: ("This address does not take that method.", "The methods are in /openapi.json."),
    408: ("The request took too long to arrive.", "Send it faster, or in smaller parts."),
    413: ("The request is larger than this service takes.", "Send less data, or ask its operator for a higher limit."),
    415: ("The request's content type is not the one that is taken here.", "The types are in /openapi.json."),
    416: ("The file does not have that range.", "Its length is in Content-Range."),
    429: ("All that this token sends at the same time is more than may be kept of it.", "Send one after the other."),
    431: (f"The head of the request is larger than {MAX_HEAD // 1024} KiB.", "Send data in the body."),
    503: ("The service has too many clients at the moment.", "Ask again later."),
}


_AGAIN_S = 30  # until some of what arrives is there
MAX_FIELD = 64 * 1024
"""Bytes of a field of a form that is no file."""
_LONG_PART = "Part exceeded maximum size"  # says the reader of forms, with the status of every body that it cannot read


class Problem(BaseModel):
    """What went wrong (RFC 9457). `detail`: one sentence; `advice`: what to do."""

    type: str = "about:blank"
    title: str
    status: int
    detail: str
    advice: str = ""


def denied_by(error: Exception) -> Denied:
    """The refusal that an error is to the client. Where an internal one came from is said on stderr."""
    if isinstance(error, Denied):
        return error
    if isinstance(error, JobRefused):
        return Denied(error.status, error.message, error.advice, error.retry_after_s)
    if isinstance(error, RequestValidationError):
        advice = "Send a shorter one." if "longer than" in (wrong := _first(error)) else "See /openapi.json."
        return Denied(422, f"The request is not valid: {wrong}.", advice)
    if isinstance(error, HTTPException) and isinstance(fault := error.__cause__, OSError):  # of the reader of forms
        told = f"The temporary folder cannot be written: {(fault.strerror or str(fault)).lower()}."
        return denied_by(OutputError(told, advice="Free some space, or set TMPDIR."))
    if isinstance(error, HTTPException) and str(error.detail).startswith(_LONG_PART):
        return Denied(413, f"A field of the form is longer than {MAX_FIELD // 1024} KiB.", "Send data as a file.")
    if isinstance(error, HTTPException):
        message, advice = _SAID.get(error.status_code, (f"{HTTPStatus(error.status_code).phrase}.", ""))
        return Denied(error.status_code, message, advice, _AGAIN_S if error.status_code == 429 else None)
    if isinstance(error, CleanroomError):
        for kind, status in _STATUSES:
            if isinstance(error, kind):
                if status == 507:  # where the service keeps its files is for its operator alone
                    say_internal(error, told=True)
                    return Denied(507, "The service has no room for what was sent.", "Send less, or ask its operator.")
                if status == 503:
                    say_internal(error)
                    return Denied(503, "The service cannot do that at the moment.", "Ask again later.", 5)
                return Denied(status, error.message, in_fields(error.advice))
    say_internal(error)
    return Denied(500, "Something went wrong inside the service.", "Its operator finds where in its messages.")


def said_of(error: CleanroomError | Denied) -> tuple[str, str]:
    """Why a job cannot be done, in a sentence, and what to do. A fault of the disk is said on stderr as well."""
    if isinstance(error, OutputError) and isinstance(error.__cause__, OSError):
        say_internal(error, told=True)
        return "The service has no room for what the job makes.", "Send less, or ask its operator."
    return error.message, in_fields(error.advice) if isinstance(error, UsageError) else ""


def answer(request: Request, error: Exception) -> Response:
    """The answer to a request that an error ended: JSON, or a page where a browser asked for one."""
    denied = denied_by(error)
    headers = {} if denied.retry_after_s is None else {"Retry-After": str(denied.retry_after_s)}
    if denied.status == 401:
        headers["WWW-Authenticate"] = "Bearer"
    if denied.status == 405 and isinstance(error, HTTPException):
        headers |= dict(error.headers or {})
    if not request.url.path.startswith("/api/") and "text/html" in request.headers.get("accept", ""):
        return problem_page(request, denied, headers)
    problem = Problem(
        title=HTTPStatus(denied.status).phrase, status=denied.status, detail=denied.message, advice=denied.advice
    )
    return JSONResponse(problem.model_dump(), denied.status, headers, media_type=MEDIA_TYPE)


def problem_of(status: int) -> Problem:
    """What is said of a request that comes to no route, with one of the statuses that need no more words."""
    message, advice = _SAID[status]
    return Problem(title=HTTPStatus(status).phrase, status=status, detail=message, advice=advice)


def documented(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """For the description of a route: these statuses answer with a Problem."""
    content = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    return {status: {"description": HTTPStatus(status).phrase, "content": content} for status in statuses}


def say_internal(error: BaseException, *, told: bool = False) -> None:
    """On stderr: the class of the error and where it came from. Never its text, in which there may be data.

    Unless it is about the registry or the engine, which whoever operates the service has to see to. `told`: or it is
    about another part of the machine, and has no data in it.
    """
    frames = traceback.extract_tb(error.__traceback__)
    where = f" at {frames[-1].filename}:{frames[-1].lineno}" if frames else ""
    text = ""
    if isinstance(error, _OF_THE_MACHINE) or (told and isinstance(error, CleanroomError)):
        text = f": {one_line(error.message, 300)} {error.advice}".rstrip()
    sys.stderr.write(f"cleanroom serve: {type(error).__name__}{where}{text}\n")


def _first(error: RequestValidationError) -> str:
    """Where the first mistake is, and the limit where it is one of length; without the value."""
    found = error.errors()[0] if error.errors() else {}
    place = ".".join(str(part) for part in found.get("loc", ())[1:])[:80]
    known = place if place.replace("_", "").replace(".", "").replace("-", "").isalnum() else "its body"
    kind, limits = found.get("type"), found.get("ctx", {})
    if kind == "value_error" and "UploadFile" in str(found.get("msg")):
        return f"{known} is no file: its part has no filename"
    if kind == "string_too_long":
        return f"{known or 'its body'} is longer than {limits['max_length']:,} characters"
    return f"{known or 'its body'} is {'missing' if kind == 'missing' else 'wrong'}"
