"""Whether sandboxes are what the policy says, layer by layer, as doctor tells it: proved by starting some.

Called by doctor.py, once for every runtime that the engine knows.
"""

from orchestrator.core.errors import CleanroomError
from orchestrator.core.policy import ContainerPolicy, Policy
from orchestrator.sandbox.containers.engine import Engine
from orchestrator.sandbox.posture.proof.prove import PostureProof, prove
from orchestrator.sandbox.provision.finding import DoctorFinding, State

_LAYERS = (
    ("engine", "engine's words", "What `inspect` says is what was asked for, setting by setting."),
    ("container", "container", "Seen from inside: calls, mounts, devices, limits, groups, interfaces."),
    ("child", "child's locks", "Seen by an ordinary candidate, with its own filter and Landlock on."),
)


def proof_findings(runtimes: tuple[str, ...], image: str) -> tuple[DoctorFinding, ...]:
    """A line per layer and runtime; never raises for what it finds."""
    engine = Engine()
    try:
        return tuple(line for runtime in runtimes for line in _findings(engine, runtime, image))
    finally:
        engine.close()


def _findings(engine: Engine, runtime: str, image: str) -> tuple[DoctorFinding, ...]:
    policy = Policy(container=ContainerPolicy(runtime=runtime, pool_size=1))
    # runc is what runs take unless told otherwise: only there does a failure forbid all runs
    bad: State = "bad" if runtime == "runc" else "warn"
    try:
        return lines(runtime, prove(engine, policy, image), bad)
    except CleanroomError as error:
        return (DoctorFinding(name=f"{runtime}: sandbox", value=error.message, state=bad, advice=error.advice),)


def lines(runtime: str, proof: PostureProof, bad: State) -> tuple[DoctorFinding, ...]:
    """What a proof says, as doctor's lines."""
    found = []
    for field, name, advice in _LAYERS:
        deviations: tuple[str, ...] = getattr(proof, field)
        value = "as asked" if not deviations else "; ".join(deviations[:4])
        state: State = bad if deviations else "ok"
        told = "The engine or the runtime does not do what it was asked." if deviations else advice
        found.append(DoctorFinding(name=f"{runtime}: {name}", value=value, state=state, advice=told))
    for missing in proof.missing:
        advice = "Runs do without it; `--strict` refuses them."
        found.append(DoctorFinding(name=f"{runtime}: layer", value=missing, state="warn", advice=advice))
    return tuple(found)
