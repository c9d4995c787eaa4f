"""One container's life: created with its whole posture, ready, one job or a session, destroyed. Called by pool.py.

Theory of operation: the engine is asked for a container, which is compared with what was asked; its streams are
attached before it starts; the guest says that it is ready; a job goes in and one reply comes out by a deadline that
the guest cannot move. Nothing is ever executed in a running container from outside.
"""

import secrets
import time
from contextlib import suppress
from typing import Any

from orchestrator.core.errors import CleanroomError, GuestProtocolError, PostureError
from orchestrator.core.jobs import ChildResult, Ended, Job
from orchestrator.sandbox.containers.engine import Engine
from orchestrator.sandbox.containers.owner import labels
from orchestrator.sandbox.containers.stream import AttachStream
from orchestrator.sandbox.containers.wire import Ready, Reply, encode_job, read_ready, read_reply
from orchestrator.sandbox.posture.inspection import differences
from orchestrator.sandbox.posture.posture import Posture, render

START_S = 60.0  # a guest that is not ready by then is given up
_MARGIN_S = 5.0  # what a job may take beside its children's wall limits
_MARGIN_CHILD_S = 0.5
_GUEST_SHARE = 0.8  # of the budget, if that is more than all but the margin: the answer must still come back
_HASH_SEEDS = 2**32 - 1  # as Python has it; 0 would switch the hashing of texts off
_GRACE_S = 30.0  # between the guest's own deadline and that of the reaper


class Container:
    """A ready guest. Use `start` to make one."""

    def __init__(
        self, engine: Engine, identity: str, stream: AttachStream, ready: Ready, posture: Posture, hash_seed: int
    ) -> None:
        self._engine = engine
        self._stream = stream
        self.id = identity
        self.ready = ready
        self.posture = posture
        self.hash_seed = hash_seed
        self.expires = time.monotonic() + posture.lifetime_s

    @classmethod
    def start(cls, engine: Engine, posture: Posture, run_id: str, *, inspect: bool) -> "Container":
        """A new container whose guest is ready. `inspect`: first compare what the engine made with what was asked."""
        hash_seed = 1 + secrets.randbelow(_HASH_SEEDS)
        owner = labels(run_id, posture.environment, posture.lifetime_s + START_S + _GRACE_S)
        body = render(posture, owner, hash_seed)
        identity = engine.create(body)
        try:
            if inspect:
                _compare(body, engine.inspect(identity))
            stream = AttachStream(engine.attach(identity))
            try:
                engine.start(identity)
                ready = read_ready(stream.receive, time.monotonic() + START_S)
            except BaseException:
                stream.close()
                raise
        except TimeoutError:
            engine.remove(identity)
            raise GuestProtocolError(f"a sandbox was not ready within {START_S:g} s") from None
        except BaseException:
            with suppress(CleanroomError):
                engine.remove(identity)
            raise
        return cls(engine, identity, stream, ready, posture, hash_seed)

    def usable(self, for_s: float) -> bool:
        """Whether the guest waits in silence and will live so much longer."""
        return time.monotonic() + for_s < self.expires and self._stream.silent()

    def run(self, job: Job, budget_s: float) -> Reply:
        """The reply. When the budget is used up, the guest ends what still runs; a guest that does not is destroyed.

        Then every child counts as timed out. Raises GuestProtocolError.
        """
        deadline = time.monotonic() + budget_s
        try:
            self._stream.send(encode_job(job, max(_GUEST_SHARE * budget_s, budget_s - _MARGIN_S)), deadline)
            return read_reply(self._stream.receive, deadline, job)
        except TimeoutError:
            self.destroy()
            return Reply(tuple(ChildResult(Ended.TIMEOUT) for _ in job.children), swept=0, reusable=False)

    def destroy(self) -> None:
        """Kill and remove. Idempotent; what the engine cannot do now, the guest's deadline and the reaper will."""
        self._stream.close()
        with suppress(CleanroomError):
            self._engine.remove(self.id)


def _compare(asked: dict[str, Any], observed: dict[str, Any]) -> None:
    if found := differences(asked, observed):
        raise PostureError(
            f"the engine made another container than was asked for: {'; '.join(found)[:500]}",
            advice="Run `cleanroom doctor`; sandboxes are not started with a limit missing.",
        )


def budget(job: Job, most_s: float) -> float:
    """Seconds after which the host gives up on the job, whatever the guest does.

    Never more than `most_s`, so that many children that each stay just below their own limit gain nothing.
    """
    return min(most_s, _MARGIN_S + sum(child.limits.wall_s + _MARGIN_CHILD_S for child in job.children))
