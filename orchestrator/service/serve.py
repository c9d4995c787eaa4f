"""Runs the service until it is told to end. Called by `cleanroom serve`."""

import contextlib
import gc
import logging
import shlex
import signal
import socket
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import uvicorn

from orchestrator.core.errors import UsageError
from orchestrator.http_connections import TimedH11Protocol, make_room
from orchestrator.registry.queue.token_store import TokenStore
from orchestrator.service.app import make_app
from orchestrator.service.gatekeeper import HEADERS
from orchestrator.service.problems import MAX_HEAD, MEDIA_TYPE, problem_of
from orchestrator.service.service_settings import ServiceSettings
from orchestrator.service.worker_process import WorkerProcess

_BACKLOG = 2048


def serve(settings: ServiceSettings, say: Callable[[str], None]) -> None:
    """Listen, and return when a signal has ended it and its jobs are done or handed back.

    `say` takes lines for the person who started it. Raises UsageError where nobody can listen there, RegistryError.
    """
    make_room()
    app = make_app(settings, lambda jobs: WorkerProcess(settings, jobs))
    with contextlib.closing(_socket(settings)) as listening:
        port = listening.getsockname()[1]
        address = settings.address(port)
        what = f"registry: {app.state.jobs.name}" if settings.opened is None else f"run: {settings.opened}"
        say(f"cleanroom serves {address} ({what}); Ctrl-C ends it.")
        if settings.opened is None:
            for line in _without_token(app.state.tokens):
                say(line)
        else:
            say(f"Open {address}/login#{app.state.sessions.one_time_code()} (good for ten minutes, once)")
        gc.freeze()  # what stays for good is not searched for garbage again and again, while everybody waits
        _Server(configured(app), app).run(sockets=[listening])


def _without_token(tokens: TokenStore) -> Iterator[str]:
    """What is to be done where nobody can log in: there may be no token yet, or the registry is another one."""
    if not any(token.usable for token in tokens.tokens()):
        registry = shlex.quote(tokens.name)
        yield f"No token counts there yet: cleanroom tokens create NAME --scope SCOPE --registry {registry} makes one."


class _ProblemProtocol(TimedH11Protocol):
    """One connection: what comes before any route is refused as a problem, like all else."""

    def refusal(self, status: int) -> tuple[Mapping[str, str], bytes]:
        """A problem, with the headers of every answer."""
        return HEADERS | {"Content-Type": MEDIA_TYPE}, problem_of(status).model_dump_json().encode()


def configured(app: Any) -> uvicorn.Config:
    """How the app is served. Called by tests, too."""
    logging.getLogger("python_multipart").setLevel(logging.CRITICAL)  # a form that cannot be read: it is told as well
    return uvicorn.Config(
        app,
        http=_ProblemProtocol,
        ws="none",
        log_level="error",  # less are requests that a client got wrong, which it is told: anybody could fill a log
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=1,
        h11_max_incomplete_event_size=MAX_HEAD,
    )


class _Server(uvicorn.Server):
    """Lets go of those who follow a job, and lets the worker begin to stop, before it waits for requests to end."""

    def __init__(self, config: uvicorn.Config, app: Any) -> None:
        super().__init__(config)
        self._app = app

    def handle_exit(self, sig: int, frame: Any) -> None:
        if feed := getattr(self._app.state, "feed", None):
            feed.close()
        self._app.state.worker.begin_to_stop()
        super().handle_exit(sig, frame)

    @contextlib.contextmanager
    def capture_signals(self) -> Any:
        """Handle the signals, and do not raise them again at the end: to be stopped is no failure."""
        before = {number: signal.signal(number, self.handle_exit) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


def _socket(settings: ServiceSettings) -> socket.socket:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    made = socket.socket(family)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((settings.host, settings.port))
        made.listen(_BACKLOG)  # before it is said where: whoever reads that and connects waits, and is not refused
    except (OSError, OverflowError) as error:
        made.close()
        reason = error.strerror if isinstance(error, OSError) else "there is no such port"
        where = f"{settings.host}, port {settings.port}"
        raise UsageError(f"Nobody can listen on {where}: {reason}.", advice="Name another --host or --port.") from error
    made.set_inheritable(True)
    return made
