"""What every request passes before any route: its host, its address, its origin, its time; and each answer's headers.

The outermost layer of the app. Here the use of a token is recorded, too: an answer leaves when its record is on disk.
"""

import asyncio
import re
from collections import Counter
from typing import TYPE_CHECKING

import anyio
from fastapi import Request
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from orchestrator.registry.queue.token_store import PREFIX, TokenUse
from orchestrator.service.authorization import COOKIE, SHARE, Caller, RequestShare
from orchestrator.service.denied import Denied
from orchestrator.service.problems import MAX_HEAD, answer, say_internal
from orchestrator.service.service_settings import ServiceSettings

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from orchestrator.service.direct_route import DirectRoute
    from orchestrator.service.use_recorder import UseRecorder

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",  # with less, a browser does not say where a form of ours comes from
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
"""Of every answer."""
_HEADERS = [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]
_READING = frozenset({"GET", "HEAD", "OPTIONS"})
_TOKEN_IN_ADDRESS = re.compile(rf"(^|[&;?])(access_|api_|auth_)?(token|key|bearer)=|{PREFIX}[\w-]{{40}}", re.IGNORECASE)
_PORT = re.compile(r":\d+$")
_OTHER_CHARSET = re.compile(r";\s*charset\s*=(?!\s*\"?utf-8\b)", re.IGNORECASE)
_MAX_ADDRESS = 4096
_MAX_UNKNOWN = 16 * 1024  # of a body from somebody who has shown no token: the form of the login page
_UNKNOWN_S = 15.0  # for that body, as for a head: else anybody could hold connections for as long as an upload takes


class Gatekeeper:
    """Wraps the app. `recorder`: called when the first request comes, because it belongs to the running loop.

    `direct`: routes that are asked before the app is.
    """

    def __init__(
        self,
        app: ASGIApp,
        settings: ServiceSettings,
        recorder: "Callable[[], UseRecorder]",
        direct: "Sequence[DirectRoute]" = (),
    ) -> None:
        self._app, self._settings, self._recorder, self._direct = app, settings, recorder, direct
        self._hosts = settings.known_hosts
        self._arriving: Counter[str] = Counter()
        self._under_way: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return
        scope[SHARE] = share = RequestShare(self._under_way)
        request, started, withheld = Request(scope), False, False
        arrived: Counter[str] = Counter()

        async def leaving(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                given = {name for name, _ in message["headers"]}
                message["headers"] = [*message["headers"], *(one for one in _HEADERS if one[0] not in given)]
                started = True
            await send(message)

        async def sending(message: Message) -> None:
            nonlocal withheld
            if message["type"] == "http.response.start":
                try:
                    await self._record(scope, message["status"])
                except Exception as error:  # noqa: BLE001 - whatever it is: the client gets a sentence in its place
                    withheld = True
                    await answer(request, error)(scope, receive, leaving)
            if not withheld:
                await leaving(message)

        try:
            self._check(scope)
            await (self._directly(scope) or self._app)(scope, self._bounded(scope, receive, arrived), sending)
        except Exception as error:  # whatever it is, the client gets a sentence
            if started and _has_left(error):
                return
            if started:
                say_internal(error)
                raise
            await answer(request, error)(scope, receive, sending)
        finally:
            share.give_back()
            self._arriving -= arrived  # and those of whom nothing arrives are not kept

    def _directly(self, scope: Scope) -> ASGIApp | None:
        for route in self._direct:
            if scope["method"] in (route.methods or ()) and (found := route.path_regex.match(scope["path"])):
                scope.update(route=route, path_params=found.groupdict())
                return route.answered
        return None

    def _check(self, scope: Scope) -> None:
        """Raises Denied for what no route needs to see."""
        headers = Headers(scope=scope)
        query = scope.get("query_string", b"").decode("latin-1")
        path = scope["path"]
        if len(query) + len(path) + sum(len(name) + len(value) for name, value in scope["headers"]) > MAX_HEAD:
            raise HTTPException(431)
        if len(query) + len(path) > _MAX_ADDRESS:
            said = f"The address is longer than {_MAX_ADDRESS:,} characters."
            raise Denied(414, said, "Send data in the body.")
        if _TOKEN_IN_ADDRESS.search(query) or _TOKEN_IN_ADDRESS.search(path):
            raise Denied(
                400,
                "A token does not belong into an address, where logs keep it.",
                "Revoke it, make another one, and send that in the Authorization header.",
            )
        host = headers.get("host", "").lower()
        if _PORT.sub("", host) not in self._hosts:
            raise Denied(421, "This service does not answer under that name.", "Its operator can add --allow-host.")
        if _OTHER_CHARSET.search(headers.get("content-type", "")):
            raise Denied(415, "A request is in UTF-8, and in no other encoding.", "Leave the charset out.")
        if scope["method"] not in _READING:
            origin = headers.get("origin")
            if origin is None and COOKIE in headers.get("cookie", ""):
                raise Denied(403, "A browser has to say where the request comes from.", "Use the pages of the service.")
            if origin is not None and origin.lower() not in {f"http://{host}", f"https://{host}"}:
                raise Denied(403, "The request comes from another site.", "Use the pages of the service.")

    def _bounded(self, scope: Scope, receive: Receive, arrived: Counter[str]) -> Receive:
        """The body as it comes, as far as it may be large, and for as long as a client may take to send it.

        A form is kept whole, on the disk or in memory, before anybody looks at it, also where no token is needed. All
        that a token sends at once may be as much as may be kept of it. `arrived`: takes the bytes, by token.
        """
        began = asyncio.get_running_loop().time()
        complete, size = False, 0

        async def receiving() -> Message:
            nonlocal complete, size
            if complete:  # only the end of the connection can still come: that is waited for as long as it takes
                return await receive()
            caller, most_s = _caller_in(scope), self._settings.body_s
            try:
                async with asyncio.timeout_at(began + (min(_UNKNOWN_S, most_s) if caller is None else most_s)):
                    message = await receive()
            except TimeoutError:
                raise HTTPException(408) from None  # of no other class, or the reader of the body makes a 400 of it
            size += len(part := message.get("body", b""))
            if size > (_MAX_UNKNOWN if caller is None else self._settings.max_body):
                raise HTTPException(413)
            if caller is not None:
                arrived[caller.token.id] += len(part)
                self._arriving[caller.token.id] += len(part)
                if self._arriving[caller.token.id] > self._settings.max_arriving:
                    self._arriving -= arrived  # at once, so that the others may arrive
                    arrived.clear()
                    raise HTTPException(429)
            complete = not message.get("more_body", False)
            return message

        return receiving

    async def _record(self, scope: Scope, status: int) -> None:
        caller = _caller_in(scope)
        if caller is not None:
            route = getattr(scope.get("route"), "path", "") or "unknown"
            await self._recorder().record(TokenUse(caller.token.id, f"{scope['method'][:10]} {route}", status))


def _caller_in(scope: Scope) -> Caller | None:
    """Whose request it is, once its route has looked at the token."""
    caller: Caller | None = scope.get("state", {}).get("caller")
    return caller


def _has_left(error: Exception) -> bool:
    """Whether the client has closed the connection while it was being answered, as of a stream of events."""
    if isinstance(error, ExceptionGroup):
        return all(map(_has_left, error.exceptions))
    return isinstance(error, anyio.BrokenResourceError | anyio.ClosedResourceError | ClientDisconnect)
