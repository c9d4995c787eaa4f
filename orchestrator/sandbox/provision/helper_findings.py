"""Whether the host's own processes that read hostile bytes are confined, as lines of `cleanroom doctor`.

Tried, not asked: `data.disposable.proof` attempts to break out of one. Called by doctor.py, with or without an engine.
"""

from orchestrator.core.errors import CleanroomError
from orchestrator.data.disposable import confinement
from orchestrator.data.disposable.proof import ConfinementProof, prove
from orchestrator.sandbox.provision.finding import DoctorFinding

NAME = "helpers"
_ADVICE = {
    "process namespace": "Other processes of this machine can be seen by number; the filter still refuses signals.",
    "user namespace": "Allow unprivileged user namespaces (user.max_user_namespaces, or an AppArmor profile).",
    "network namespace": "Only the filter keeps them from the network.",
    "IPC namespace": "Only the filter keeps them from shared memory and message queues.",
    "Landlock": "They can read what their user may read; a kernel ≥ 5.13 with `lsm=landlock,…` prevents it.",
    "system call filter": "They can make sockets and signal processes; nothing but another user holds them.",
}


def helper_findings() -> tuple[DoctorFinding, ...]:
    """What came of the attempts, and a line for each layer that this kernel lacks."""
    try:
        return lines(prove())
    except (CleanroomError, OSError, ValueError) as error:
        return (DoctorFinding(name=NAME, value=f"not tried: {error}", state="warn", advice="Install cleanroom again."),)


def lines(proof: ConfinementProof) -> tuple[DoctorFinding, ...]:
    """What a proof says, as doctor's lines."""
    names = [name for name in confinement.LAYERS if name in proof.missing]
    missing = [
        DoctorFinding(name=f"{NAME}: layer", value=f"there is no {name} here", state="warn", advice=_ADVICE[name])
        for name in names
    ]
    if proof.granted:
        advice = "Who takes over a process that reads hostile bytes can do this here."
        granted = DoctorFinding(name=NAME, value=f"can {', '.join(proof.granted)}", state="warn", advice=advice)
        return (granted, *missing)
    count = len(proof.tried) - len(proof.unproved)
    text = f"{count} of {len(proof.tried)} attempts denied that succeed outside"
    advice = f"Denied to everybody here: {', '.join(proof.unproved)}." if proof.unproved else "Tried just now."
    return (DoctorFinding(name=NAME, value=text, advice=advice), *missing)
