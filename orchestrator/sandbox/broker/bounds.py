"""Whether what a client asks for stays within the broker's own policy. Called by connection.py, and by scale for hosts.

Every setting of a container is looked at, so that one that is added later has its bound without a line here.
"""

from orchestrator.core.errors import PostureError
from orchestrator.core.policy import LOCKS, ContainerPolicy
from orchestrator.sandbox.posture.posture import NOT_OF_ONE

_GVISOR = "runsc"


def check_within(asked: ContainerPolicy, policy: ContainerPolicy) -> None:
    """Raises PostureError where more is asked for than the broker's policy gives.

    gVisor may always be asked for, with the limits that it needs, since it is the stronger wall.
    """
    most = policy
    if asked.runtime != policy.runtime:
        if asked.runtime != _GVISOR:
            raise _refused(f"the runtime {asked.runtime}, and not {policy.runtime}")
        needed = ContainerPolicy(runtime=_GVISOR)
        larger = {name: max(getattr(policy, name), getattr(needed, name)) for name in ("memory_bytes", "pids")}
        most = policy.model_copy(update=larger)
    for name in sorted(type(policy).model_fields.keys() - NOT_OF_ONE - {"runtime"}):
        wanted, given = getattr(asked, name), getattr(most, name)
        if name in LOCKS:
            if LOCKS[name].index(wanted) < LOCKS[name].index(given):
                raise _refused(f"{name} {wanted}, and not {given}")
        elif wanted > given:
            raise _refused(f"{name} {wanted:.15g}, and not at most {given:.15g}")


def _refused(what: str) -> PostureError:
    return PostureError(
        f"the broker refuses a container that would have {what}",
        advice="Ask for less in the policy, or start the broker with a policy that gives more (`--policy`).",
    )
