"""The engine as provisioning needs it: connect, and turn the SDK's errors into ours. Used by this whole package.

`DOCKER_HOST` and the contexts of the Docker command line are honoured, in this order.
"""

import contextlib
import errno
import os
import socket
from collections.abc import Callable, Iterator

import docker
from docker.context import ContextAPI
from docker.errors import DockerException
from requests.exceptions import RequestException

from orchestrator.core.errors import EngineUnavailable, SetupError

OnProgress = Callable[[str], None]
"""Takes a line that says what is being done."""

TUNNEL = (
    "Bring its socket here, `ssh -nNT -L /tmp/engine.sock:/var/run/docker.sock user@machine`, then set "
    "DOCKER_HOST=unix:///tmp/engine.sock (docs/engines.md)."
)
NO_SPACE = "no space left on device"


def connect(timeout_s: float = 60.0) -> docker.DockerClient:
    """A client for an engine that has just answered. Raises EngineUnavailable."""
    if address().startswith("ssh://"):
        raise EngineUnavailable("An engine is not spoken to over ssh:// itself.", advice=TUNNEL)
    client = None
    try:
        _knock(address())
        client = _client("1.41", timeout_s)  # no request yet, so any version will do
        version = str(client.api.version(api_version=False)["ApiVersion"])
        client.close()
        client = _client(version, timeout_s)
    except (DockerException, RequestException, OSError, ValueError) as error:
        if client is not None:
            client.close()
        raise EngineUnavailable(f"No container engine answers: {reason(error)}.", advice=_advice(error)) from error
    return client


def _client(version: str, timeout_s: float) -> docker.DockerClient:
    """A client that goes by DOCKER_* alone: REQUESTS_CA_BUNDLE would win over the engine's own certificates."""
    client = docker.from_env(version=version, timeout=max(1, round(timeout_s)))
    client.api.trust_env = False
    return client


def _knock(where: str) -> None:
    """Tries a local socket first: at once, with the kernel's own words, and without the SDK's unclosed socket."""
    if where.startswith("unix://"):
        with socket.socket(socket.AF_UNIX) as knock:
            knock.settimeout(5)
            knock.connect(where.removeprefix("unix://"))


def address() -> str:
    """Where the engine is looked for, as the Docker command line would say it."""
    if host := os.environ.get("DOCKER_HOST"):
        return host
    context = ContextAPI.get_current_context()
    return str(context.Host) if context is not None and context.Host else "unix:///var/run/docker.sock"


def answers() -> bool:
    """Whether an engine answers now."""
    try:
        connect(5).close()
    except EngineUnavailable:
        return False
    return True


def reason(error: BaseException) -> str:
    """The innermost cause in a few words; the SDK wraps a plain "connection refused" four times."""
    while (inner := error.__cause__ or error.__context__) is not None:
        error = inner
    if isinstance(error, OSError) and error.strerror:
        return error.strerror.lower()
    return str(error).strip().rstrip(".").splitlines()[0] if str(error).strip() else type(error).__name__


def _advice(error: BaseException) -> str:
    if os.environ.get("DOCKER_HOST"):
        return "DOCKER_HOST names it: start that engine, or unset DOCKER_HOST to use this machine's."
    if "permission denied" in str(error).lower():
        return "Let this user reach the engine (`sudo usermod -aG docker $USER`, then log in again), or use sudo."
    return "Run `cleanroom setup`."


@contextlib.contextmanager
def engine_errors(doing: str) -> Iterator[None]:
    """Maps whatever the SDK raises while `doing` to SetupError."""
    try:
        yield
    except (DockerException, RequestException) as error:
        text = str(getattr(error, "explanation", None) or getattr(error, "msg", None) or error)
        if NO_SPACE in text.lower():
            raise no_space(doing) from error
        raise SetupError(f"{doing} failed: {text.strip().rstrip('.')}.", advice=_failed_advice(error)) from error
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise no_space(doing) from error
        raise


def no_space(doing: str) -> SetupError:
    return SetupError(
        f"{doing} failed: no space left on the disk.",
        advice="Free about 2 GB (`docker system df` shows what the engine holds), then run `cleanroom setup` again.",
    )


def _failed_advice(error: Exception) -> str:
    if isinstance(error, RequestException):
        return "The engine stopped answering: see `cleanroom doctor`, then run `cleanroom setup` again."
    return "Run `cleanroom setup` again; `cleanroom doctor` shows the state of the engine and where its log is."
