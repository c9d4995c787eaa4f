"""Who may do what: every route names its scopes, and one that names none cannot be made. Called by the routes.

The token is looked at before the body of a request is read. It comes in the Authorization header, or from a browser
that has logged in (`login_sessions`); never in the address.
"""

import re
from collections import Counter
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from fastapi import Request, Response
from fastapi.routing import APIRoute

from orchestrator.registry.queue.token_store import ServiceToken, TokenScope
from orchestrator.service.denied import Denied

if TYPE_CHECKING:
    from orchestrator.service.login_sessions import LoginSessions
    from orchestrator.service.lookups import Lookups

COOKIE = "cleanroom_session"
"""How the names of sessions' cookies begin."""
SHARE = "cleanroom.request_share"
_MOST_AT_ONCE = 500  # requests of one token: a quarter of the connections that there may be (http_connections)
_SCOPES = "__cleanroom_scopes__"
_PORT = re.compile(r":(\d{1,5})$")
_Endpoint = TypeVar("_Endpoint", bound=Callable[..., Any])


@dataclass(frozen=True)
class Caller:
    """Whose request it is. `session`: of the browser, empty for a program."""

    token: ServiceToken
    session: str = ""

    def may(self, scope: TokenScope) -> bool:
        return scope in self.token.scopes

    @property
    def sees(self) -> str | None:
        """Whose jobs the caller sees: its own, or (None) those of all."""
        return None if TokenScope.ADMIN in self.token.scopes else self.token.id


class RequestShare:
    """A request, counted among those of its token that are under way: others shall find room, too.

    `under_way`: of all tokens. Kept by the gatekeeper in the scope of the request.
    """

    def __init__(self, under_way: Counter[str]) -> None:
        self._under_way, self._token_id = under_way, ""

    def take(self, token: ServiceToken) -> None:
        """Raises Denied where there are too many."""
        if self._under_way[token.id] >= _MOST_AT_ONCE:
            said = f"This token has {_MOST_AT_ONCE} requests under way."
            raise Denied(429, said, "End some: each follower of a job, and each upload, is one.", 5)
        self._under_way[token.id] += 1
        self._token_id = token.id

    def give_back(self) -> None:
        if self._token_id:
            self._under_way -= Counter([self._token_id])  # a token of which nothing is under way is not kept


def cookie_of(request: Request) -> str:
    """The name of the session's cookie. It names the port: a browser has one jar for all ports of a machine.

    Of two services there each login ended the session at the other one.
    """
    port = _PORT.search(request.headers.get("host", ""))
    return COOKIE if port is None else f"{COOKIE}_{port[1]}"


def needs(*scopes: TokenScope) -> Callable[[_Endpoint], _Endpoint]:
    """The endpoint is for callers with any one of these scopes."""

    def mark(endpoint: _Endpoint) -> _Endpoint:
        setattr(endpoint, _SCOPES, frozenset(scopes))
        return endpoint

    return mark


def public(endpoint: _Endpoint) -> _Endpoint:
    """The endpoint is for everybody, without a token."""
    setattr(endpoint, _SCOPES, frozenset())
    return endpoint


class ScopedRoute(APIRoute):
    """A route that says who may use it. Raises TypeError where the endpoint was marked by neither of the above."""

    def __init__(self, path: str, endpoint: Callable[..., Any], **options: Any) -> None:
        if not hasattr(endpoint, _SCOPES):
            raise TypeError(f"The route {path} does not say which scopes it needs.")
        self.scopes: frozenset[TokenScope] = getattr(endpoint, _SCOPES)
        super().__init__(path, endpoint, **options)

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()

        async def guarded(request: Request) -> Response:
            await self.authorize(request)
            return await handle(request)

        return guarded

    async def authorize(self, request: Request) -> None:
        """Raises Denied unless a usable token with one of the scopes came with the request, or the route is public."""
        if self.scopes:
            request.state.caller = caller = await _caller(request)
            _check(caller.token, self.scopes)
            share: RequestShare = request.scope[SHARE]
            share.take(caller.token)


def caller_of(request: Request) -> Caller:
    """Whose request it is, on a route that needs a scope."""
    caller: Caller = request.state.caller
    return caller


async def usable_caller(request: Request) -> Caller | None:
    """Who sends the request, while the token and the session have not ended: also asked while it is being answered."""
    try:
        caller = await _caller(request)
    except Denied:
        return None
    return caller if caller.token.usable else None


async def _caller(request: Request) -> Caller:
    """Who sent the token, or logged in with it. Raises Denied where it is not known."""
    lookups: Lookups = request.app.state.lookups
    sessions: LoginSessions = request.app.state.sessions
    kind, _, secret = request.headers.get("authorization", "").partition(" ")
    session = ""
    held: str | ServiceToken | None = None
    if secret and kind.lower() == "bearer":
        held = secret.strip()
    elif session := request.cookies.get(cookie_of(request), ""):
        held = sessions.held_by(session)
    token = await lookups.token(held) if isinstance(held, str) else held
    if token is None:
        raise Denied(401, "This needs a token that is known here.", "Send it as `Authorization: Bearer …`.")
    return Caller(token, session)


def _check(token: ServiceToken, scopes: frozenset[TokenScope]) -> None:
    if not token.usable:
        raise Denied(401, f"The token is {token.state}.", "Ask for a new one.")
    if not token.scopes & scopes:
        wanted = " or ".join(sorted(scopes))
        raise Denied(403, f"The token may not do that: it needs the scope {wanted}.", "Ask for a token that may.")
