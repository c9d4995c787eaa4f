"""Makes containers of a posture and takes them away: by this process's own rights on the engine, or by the broker's.

Called by container.py, which knows no other way to a container.
"""

from contextlib import suppress
from typing import Any, NamedTuple, Protocol

from orchestrator.core.errors import CleanroomError, PostureError
from orchestrator.sandbox.containers.engine import Engine
from orchestrator.sandbox.containers.owner import labels
from orchestrator.sandbox.containers.stream import AttachStream
from orchestrator.sandbox.posture.inspection import differences
from orchestrator.sandbox.posture.posture import Posture, render

START_S = 60.0  # a guest that is not ready by then is given up
GRACE_S = 30.0  # between the guest's own deadline and that of whoever removes what is left


class Launched(NamedTuple):
    """A started container: its id, and the handle on its standard streams, which were attached before it started."""

    identity: str
    handle: Any


class Launcher(Protocol):
    """Where containers come from. Safe for threads."""

    def launch(self, posture: Posture, run_id: str, hash_seed: int, *, inspect: bool) -> Launched:
        """A started container. `inspect`: first compare what the engine made with what was asked.

        Raises SandboxError; then no container is left.
        """
        ...

    def remove(self, identity: str) -> None:
        """Kill and remove; returns when it is gone. Raises SandboxError."""
        ...

    def close(self) -> None:
        """Remove what is left and let go of the engine. Idempotent."""
        ...


class DirectLauncher:
    """By this process's own rights on the engine."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def launch(self, posture: Posture, run_id: str, hash_seed: int, *, inspect: bool) -> Launched:
        owner = labels(run_id, posture.environment, lifetime_s(posture))
        body = render(posture, owner, hash_seed)
        identity = self._engine.create(body)
        try:
            if inspect:
                _compare(body, self._engine.inspect(identity))
            handle = self._engine.attach(identity)
            try:
                self._engine.start(identity)
            except BaseException:
                AttachStream(handle).close()
                raise
        except BaseException:
            with suppress(CleanroomError):
                self._engine.remove(identity)
            raise
        return Launched(identity, handle)

    def remove(self, identity: str) -> None:
        self._engine.remove(identity)

    def close(self) -> None:
        self._engine.close()


def lifetime_s(posture: Posture) -> float:
    """After so many seconds nobody can still be using a container of the posture."""
    return posture.lifetime_s + START_S + GRACE_S


def _compare(asked: dict[str, Any], observed: dict[str, Any]) -> None:
    if found := differences(asked, observed):
        raise PostureError(
            f"the engine made another container than was asked for: {'; '.join(found)[:500]}",
            advice="Run `cleanroom doctor`; sandboxes are not started with a limit missing.",
        )
