"""Judges functions that are stored already once more, in their order, on data that the caller names.

Called by `cleanroom registry adopt`, `import` and `verify --rerun`. No recorded verdict is believed.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from orchestrator.core.candidate import Candidate
from orchestrator.core.errors import SandboxError
from orchestrator.core.ports import VerifyRequest
from orchestrator.core.promoted import Evidence, Promoted
from orchestrator.core.verdict import Outcome, Verdict
from orchestrator.data.formats import Dataset
from orchestrator.run.apply.residual import Residual
from orchestrator.run.services import Services
from orchestrator.run.verify.verify import samples_of


class JudgedAgain(NamedTuple):
    """A stored function with a new verdict. `candidate`: read from its source once more; None where it is rejected."""

    function: Promoted
    verdict: Verdict
    candidate: Candidate | None
    evidence: Evidence


def judge_again(
    functions: Sequence[Promoted],
    dataset: Dataset,
    services: Services,
    *,
    after: Sequence[Promoted] = (),
    accepted: bool = False,
) -> Iterator[JudgedAgain]:
    """One verdict per function, each on the rows as `after` and the functions before it leave them.

    `accepted`: they are signed, so that one whose concerns a person has accepted may have concerns again. Raises
    SandboxError where the infrastructure fails: then nothing is known of the function.
    """
    samples = samples_of(dataset, services)
    with Residual(services.access) as residual:
        before = list(after)
        for function in functions:
            source = function.candidate.source
            sample = samples.of(source)
            verdict = services.gate.verify(VerifyRequest(source, residual.of(sample, before), promoted=tuple(before)))
            if verdict.verdict is Outcome.INFRA:
                raise SandboxError(
                    f"The sandbox failed while {function.name} was judged; nothing was changed.",
                    advice="Run `cleanroom doctor`.",
                )
            evidence = Evidence(
                verdict=verdict,
                policy_sha256=services.policy_sha256,
                proposer=function.evidence.proposer,
                run_id=function.evidence.run_id,
                data_sha256=dataset.sha256,
            )
            fine = verdict.passed or (accepted and verdict.held and function.evidence.verdict.held)
            candidate = services.gate.read(source) if fine else None
            if candidate is not None:
                evidence = residual.must_follow(sample, before, candidate, evidence)
                before.append(function.model_copy(update={"candidate": candidate}))
            yield JudgedAgain(function, verdict, candidate, evidence)
