"""What the run makes of verdicts: broken machinery ends it, two verdicts are one. Called by chunk work and planning."""

from orchestrator.core.errors import SandboxError
from orchestrator.core.verdict import Outcome, Verdict


def raise_if_infra(verdict: Verdict) -> None:
    """Raises SandboxError when the machinery broke while the candidate was judged."""
    if verdict.verdict is Outcome.INFRA:
        details = "; ".join(c.detail for c in verdict.checks if c.outcome is Outcome.INFRA)
        raise SandboxError(
            f"The sandbox broke while {verdict.candidate.name} was judged: {details}",
            advice="Look at `cleanroom doctor`.",
        )


def together(whole: Verdict, again: Verdict) -> Verdict:
    """The newer verdict, with the checks that a quick one leaves out as they were in the whole one."""
    earlier = {check.id: check for check in whole.checks}
    checks = tuple(earlier.get(c.id, c) if c.outcome is Outcome.SKIP else c for c in again.checks)
    return again.model_copy(update={"checks": checks})
