"""Judges functions that are stored already once more, in their order, on data that the caller names.

Called by `cleanroom registry adopt`, `import` and `verify --rerun`, and by `check`. No recorded verdict is believed.
What witnesses said is, where somebody whom the caller trusts has signed it: examples are run again, and a person's
approval settles the concerns that it was about, in the columns that they were about.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from orchestrator.core.candidate import Candidate, Example
from orchestrator.core.ports import Sample, VerifyRequest
from orchestrator.core.promoted import Evidence, Promoted
from orchestrator.core.verdict import Verdict
from orchestrator.core.witnesses import Witnesses
from orchestrator.data.formats import Dataset
from orchestrator.run.apply.residual import Residual
from orchestrator.run.infra_verdict import raise_if_infra
from orchestrator.run.services import Services
from orchestrator.run.verify.rows_to_judge import samples_of


class JudgedAgain(NamedTuple):
    """A stored function with a new verdict. `candidate`: read from its source once more; None where it is rejected.

    `accepted`: it is held, and somebody has signed that its concerns are accepted.
    """

    function: Promoted
    verdict: Verdict
    candidate: Candidate | None
    evidence: Evidence
    accepted: bool = False

    @property
    def usable(self) -> bool:
        """Whether it may stay in use, or come into use."""
        return self.verdict.passed or self.accepted


def verdict_again(
    function: Promoted,
    rows: Sample,
    before: Sequence[Promoted],
    services: Services,
    witnesses: Witnesses,
    *,
    quick: bool = False,
) -> Verdict:
    """A new verdict on the rows as `before` leave them. Raises SandboxError where the infrastructure fails."""
    request = VerifyRequest(
        function.candidate.source,
        rows,
        promoted=tuple(before),
        examples=witnesses.examples,
        tests=witnesses.tests,
        instruction=witnesses.instruction,
        conventions=witnesses.conventions,
        quick=quick,
    )
    verdict = services.gate.verify(request)
    raise_if_infra(verdict, "Nothing was changed.")
    return verdict


def judge_again(
    functions: Sequence[Promoted],
    dataset: Dataset,
    services: Services,
    *,
    after: Sequence[Promoted] = (),
    examples: Sequence[Example] = (),
) -> Iterator[JudgedAgain]:
    """One verdict per function, each on the rows as `after` and the functions before it leave them.

    `examples`: the user's, together with those that are signed. Raises SandboxError where the infrastructure fails:
    then nothing is known of the function.
    """
    user = Witnesses(examples=tuple(examples))
    samples = samples_of(dataset, services)
    with Residual(services.access) as residual:
        before = list(after)
        for function in functions:
            source = function.candidate.source
            sample = samples.of(source)
            witnesses = _together(user.about(function.candidate.contract), function.witnesses)
            rest = residual.of(sample, before)
            verdict = verdict_again(function, rest.sample, rest.functions, services, witnesses)
            if witnesses.tests:
                verdict = verdict.judged_before(function.evidence.verdict)
            evidence = Evidence(
                verdict=verdict,
                policy_sha256=services.policy_sha256,
                proposer=function.evidence.proposer,
                run_id=function.evidence.run_id,
                data_sha256=dataset.sha256,
                witnesses=witnesses,
            )
            candidate = services.gate.read(source) if verdict.passed or verdict.held else None
            if candidate is not None:
                evidence = residual.must_follow(sample, before, candidate, evidence)
            judged = JudgedAgain(function, verdict, candidate, evidence, is_accepted(function, verdict))
            if candidate is not None and judged.usable:
                before.append(function.model_copy(update={"candidate": candidate}))
            yield judged


def _together(given: Witnesses, signed: Witnesses) -> Witnesses:
    """The user's examples of today, and what was signed."""
    known = [example for example in signed.examples if example not in given.examples]
    return signed.model_copy(update={"examples": (*given.examples, *known)})


def is_accepted(function: Promoted, verdict: Verdict) -> bool:
    """Whether somebody has approved the function in spite of every concern that there is today."""
    settled = {(concern.kind, concern.columns) for concern in function.accepted}
    return verdict.held and all((concern.kind, concern.columns) in settled for concern in verdict.concerns)
