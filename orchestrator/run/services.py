"""The services that a job works with, made by `bootstrap`."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from orchestrator.core.policy import Policy
from orchestrator.core.ports import Disposable, Gate, Registry, Sandbox, SandboxAccess


@dataclass(frozen=True)
class Services:
    """What verify, apply and run share: sandbox, gate, decoder, policy, registry.

    `libraries`: what the sandboxes have, as `SandboxInfo` says it; empty where nobody knows. `lanes`: how many batches
    the sandbox cleans at once, where that does not depend on this machine.
    """

    sandbox: Sandbox
    make_gate: Callable[[], Gate]
    decoder: Disposable
    policy: Policy
    policy_sha256: str
    open_registry: Callable[[str | Path], AbstractContextManager[Registry]]
    lanes: int | None = None
    libraries: str = ""

    @cached_property
    def gate(self) -> Gate:
        """The gate, made when it is first asked for: `apply` never does, and need not import it."""
        return self.make_gate()

    @property
    def access(self) -> SandboxAccess:
        """The sandbox and decoder for running functions, with the policy's limits and rules."""
        policy = self.policy
        return SandboxAccess(self.sandbox, self.decoder, policy.limits, policy.audit, policy.columns)
