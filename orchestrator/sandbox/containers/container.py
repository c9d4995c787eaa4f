"""One container's life: created with its whole posture, ready, one job or a session, destroyed. Called by pool.py.

Theory of operation: the engine is asked for a container, which is compared with what was asked; its streams are
attached before it starts; the guest says that it is ready; a job goes in and one reply comes out by a deadline that
the guest cannot move. Nothing is ever executed in a running container from outside.
"""

import secrets
import time
from contextlib import suppress

from orchestrator.core.errors import CleanroomError, GuestProtocolError
from orchestrator.core.jobs import ChildResult, Ended, Job
from orchestrator.sandbox.containers.launcher import START_S, Launcher
from orchestrator.sandbox.containers.stream import AttachStream
from orchestrator.sandbox.containers.wire import Ready, Reply, encode_job, read_ready, read_reply
from orchestrator.sandbox.posture.posture import Posture

_MARGIN_S = 5.0  # what a job may take beside its children's wall limits
_MARGIN_CHILD_S = 0.5
_GUEST_SHARE = 0.8  # of the budget, if that is more than all but the margin: the answer must still come back
_HASH_SEEDS = 2**32 - 1  # as Python has it; 0 would switch the hashing of texts off


class Container:
    """A ready guest. Use `start` to make one."""

    def __init__(
        self, launcher: Launcher, identity: str, stream: AttachStream, ready: Ready, posture: Posture, hash_seed: int
    ) -> None:
        self._launcher = launcher
        self._stream = stream
        self.id = identity
        self.ready = ready
        self.posture = posture
        self.hash_seed = hash_seed
        self.expires = time.monotonic() + posture.lifetime_s

    @classmethod
    def start(cls, launcher: Launcher, posture: Posture, run_id: str, *, inspect: bool) -> "Container":
        """A new container whose guest is ready. `inspect`: first compare what the engine made with what was asked."""
        hash_seed = 1 + secrets.randbelow(_HASH_SEEDS)
        identity, handle = launcher.launch(posture, run_id, hash_seed, inspect=inspect)
        stream = AttachStream(handle)
        try:
            ready = read_ready(stream.receive, time.monotonic() + START_S)
        except BaseException as error:
            stream.close()
            with suppress(CleanroomError):
                launcher.remove(identity)
            if isinstance(error, TimeoutError):
                raise GuestProtocolError(f"a sandbox was not ready within {START_S:g} s") from None
            raise
        return cls(launcher, identity, stream, ready, posture, hash_seed)

    def usable(self, for_s: float) -> bool:
        """Whether the guest waits in silence and will live so much longer."""
        return time.monotonic() + for_s < self.expires and self._stream.silent()

    def run(self, job: Job, budget_s: float) -> Reply:
        """The reply. When the budget is used up, the guest ends what still runs; a guest that does not is destroyed.

        Then every child counts as timed out. Raises GuestProtocolError.
        """
        deadline = time.monotonic() + budget_s
        try:
            for piece in encode_job(job, max(_GUEST_SHARE * budget_s, budget_s - _MARGIN_S)):
                self._stream.send(piece, deadline)
            return read_reply(self._stream.receive, deadline, job)
        except TimeoutError:
            self.destroy()
            return Reply(tuple(ChildResult(Ended.TIMEOUT) for _ in job.children), swept=0, reusable=False)

    def destroy(self) -> None:
        """Kill and remove. Idempotent; what the engine cannot do now, the guest's deadline and the reaper will."""
        self._stream.break_off()
        with suppress(CleanroomError):
            self._launcher.remove(self.id)


def budget(job: Job, most_s: float) -> float:
    """Seconds after which the host gives up on the job, whatever the guest does.

    Never more than `most_s`, so that many children that each stay just below their own limit gain nothing.
    """
    return min(most_s, _MARGIN_S + sum(child.limits.wall_s + _MARGIN_CHILD_S for child in job.children))
