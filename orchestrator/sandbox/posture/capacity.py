"""Whether the machine has what a policy asks for. Called by access.py and the broker, before any container is.

The engine would refuse more processors than there are with every container, and take more memory than there is
without a word; both are the policy's fault, and said so.
"""

from contextlib import closing

from orchestrator.core.errors import UsageError
from orchestrator.core.policy import ContainerPolicy
from orchestrator.sandbox.containers.engine import Engine

_USUAL = ContainerPolicy()


def check_fits(policy: ContainerPolicy) -> None:
    """Raises UsageError when the engine's machine is too small for one container, EngineUnavailable without engine."""
    if policy.cpus <= _USUAL.cpus and policy.memory_bytes <= _USUAL.memory_bytes:
        return
    with closing(Engine()) as engine:
        cpus, memory = engine.capacity()
    if policy.cpus > cpus:
        raise UsageError(
            f"The policy is wrong at container.cpus: {policy.cpus:g} are asked for, and the machine has {cpus}.",
            advice="Ask for no more than there are.",
        )
    if policy.memory_bytes > memory:
        raise UsageError(
            f"The policy is wrong at container.memory_bytes: {policy.memory_bytes:,} are asked for, and the machine "
            f"has {memory:,}.",
            advice="Ask for no more than there is.",
        )
