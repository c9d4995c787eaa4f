"""What becomes of a verdict that says nothing of its function, because the infrastructure failed. Called by run."""

from orchestrator.core.errors import SandboxError
from orchestrator.core.verdict import Outcome, Verdict


def raise_if_infra(verdict: Verdict, said: str = "") -> None:
    """Raise SandboxError if the infrastructure failed while the function was judged, with what the checks say of it.

    A busy machine is one of the reasons, and not for `cleanroom doctor`. `said`: what else the caller has to say.
    """
    if verdict.verdict is Outcome.INFRA:
        reasons = "; ".join(check.detail for check in verdict.checks if check.outcome is Outcome.INFRA)
        message = f"The sandbox failed while {verdict.candidate.name} was judged: {reasons}"
        raise SandboxError(f"{message.rstrip('.')}. {said}" if said else message, advice="Run `cleanroom doctor`.")
