"""Whether what a client asks for stays within the broker's own policy. Called by connection.py."""

from orchestrator.core.errors import PostureError
from orchestrator.core.policy import ContainerPolicy

_LIMITS = (
    "memory_bytes", "pids", "cpus", "open_files", "file_bytes", "tmpfs_bytes", "tmpfs_inodes", "lifetime_s",
)  # fmt: skip
_STRENGTH = {
    "child_filter": ("off", "required"),
    "landlock": ("off", "available", "required"),
}
"""The settings of a layer, the weakest first."""
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
    for name in _LIMITS:
        if getattr(asked, name) > getattr(most, name):
            raise _refused(f"{name} {getattr(asked, name):g}, and not at most {getattr(most, name):g}")
    for name, strength in _STRENGTH.items():
        if strength.index(getattr(asked, name)) < strength.index(getattr(most, name)):
            raise _refused(f"{name} {getattr(asked, name)}, and not {getattr(most, name)}")


def _refused(what: str) -> PostureError:
    return PostureError(
        f"the broker refuses a container that would have {what}",
        advice="Ask for less in the policy, or start the broker with a policy that gives more (`--policy`).",
    )
