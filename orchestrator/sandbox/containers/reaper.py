"""Removes the containers that a crash left behind. Called when a DockerSandbox starts, and by the command line."""

import time
from contextlib import suppress

from orchestrator.core.errors import SandboxError
from orchestrator.sandbox.containers.engine import Engine
from orchestrator.sandbox.containers.owner import RUN, orphaned


def reap(engine: Engine) -> list[str]:
    """Remove our containers whose owner is gone or whose deadline passed; their ids. Raises EngineUnavailable."""
    removed = []
    now = time.time()
    for identity, labels in engine.labelled(RUN):
        if orphaned(labels, now):
            with suppress(SandboxError):
                engine.remove(identity)
                removed.append(identity)
    return removed
