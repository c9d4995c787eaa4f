"""The tools over streamable HTTP, on loopback: with a token, for known hosts and origins. Called by `mcp_command`.

A page in a browser can reach a port of its own machine: it does not know the token, its Origin is refused, and so is a
name of its own that it made point here (DNS rebinding).
"""

import hmac
import socket
from collections.abc import Callable
from contextlib import closing, suppress

import uvicorn
from mcp.server.transport_security import TransportSecuritySettings
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from orchestrator.agents.mcp_server import AgentServer, make_server
from orchestrator.core.errors import UsageError
from orchestrator.http_connections import TimedH11Protocol, make_room

PATH = "/mcp"
_HOSTS = ("127.0.0.1", "localhost", "[::1]")


class TokenCheck:
    """Lets no request pass that does not bring the token in its Authorization header."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self._app, self._wanted = app, f"Bearer {token}".encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            given = [value for name, value in scope["headers"] if name == b"authorization"]
            if len(given) != 1 or not hmac.compare_digest(given[0], self._wanted):
                said = PlainTextResponse("This needs the token.", 401, {"WWW-Authenticate": "Bearer"})
                await said(scope, receive, send)
                return
        await self._app(scope, receive, send)


def http_app(agents: AgentServer, token: str, port: int) -> ASGIApp:
    """The ASGI app; clients use it at `PATH`, under a name of this machine with exactly this port."""
    names = [f"{host}:{port}" for host in _HOSTS]
    security = TransportSecuritySettings(
        enable_dns_rebinding_protection=True, allowed_hosts=names, allowed_origins=[f"http://{name}" for name in names]
    )
    server = make_server(agents, security)
    server.settings.streamable_http_path = PATH
    return TokenCheck(server.streamable_http_app(), token)


def serve_http(agents: AgentServer, host: str, port: int, token: str, say: Callable[[str], None]) -> None:
    """Listen until a signal ends it. Raises UsageError where nobody can listen there."""
    make_room()
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with closing(socket.socket(family)) as listening:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((host, port))
            listening.listen(128)  # before anybody is told: who comes before the server has begun waits, and is served
        except OSError as error:
            raise UsageError(
                f"Nobody can listen on {host}, port {port}: {error.strerror}.", advice="Name another port."
            ) from error
        port = listening.getsockname()[1]
        say(f"cleanroom answers agents at http://{f'[{host}]' if ':' in host else host}:{port}{PATH}; Ctrl-C ends it.")
        config = uvicorn.Config(
            http_app(agents, token, port),
            http=TimedH11Protocol,
            ws="none",
            log_level="error",
            access_log=False,
            server_header=False,
            proxy_headers=False,
            timeout_graceful_shutdown=1,
        )
        with suppress(KeyboardInterrupt):  # the server raises its signal again at the end: to be stopped is no failure
            uvicorn.Server(config).run(sockets=[listening])
