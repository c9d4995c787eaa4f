"""The sandbox of an agent's tools: made by the first call that needs one, and made anew after it has failed."""

import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from orchestrator import bootstrap
from orchestrator.core.errors import SandboxError
from orchestrator.core.policy import Policy
from orchestrator.run.services import Services


class SandboxOnDemand:
    """Safe for threads. `close` ends it; whoever is at work then gets a SandboxError."""

    def __init__(self, policy: Policy) -> None:
        self._policy = policy
        self._lock = threading.Lock()
        self._stack = ExitStack()
        self._services: Services | None = None
        self._closed = False

    @contextmanager
    def services(self) -> Iterator[Services]:
        """Raises EngineUnavailable, ImageMissing or PostureError where the machine is not ready for it."""
        with self._lock:
            if self._closed:
                raise SandboxError("The server ends.")
            if self._services is None:
                self._services = self._stack.enter_context(bootstrap.sandboxed(self._policy))
            services = self._services
        try:
            yield services
        except SandboxError:
            self._forget(services)
            raise

    def _forget(self, services: Services) -> None:
        with self._lock:
            if self._services is services:
                self._services = None
                self._stack.close()

    def close(self) -> None:
        """Destroy every container. Idempotent."""
        with self._lock:
            self._closed = True
            self._services = None
            self._stack.close()
