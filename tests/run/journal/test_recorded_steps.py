"""Which steps of a journal a resumed run repeats, and which it does again."""

from datetime import UTC, datetime

import pytest

from orchestrator.core.steps import VerificationStep
from orchestrator.core.verdict import CandidateInfo, Outcome, Verdict
from orchestrator.run.journal.cursor import RecordedSteps, StepStream

CHUNK = StepStream(0)


def step(outcome: Outcome) -> VerificationStep:
    verdict = Verdict(candidate=CandidateInfo(name="trim", sha256="0" * 64), verdict=outcome, checks=())
    return VerificationStep(at=datetime.now(UTC), chunk=0, iteration=1, verdict=verdict)


@pytest.mark.parametrize("outcome", [Outcome.PASS, Outcome.FAIL, Outcome.HOLD])
def test_a_verdict_of_the_infrastructure_is_not_repeated(outcome: Outcome) -> None:
    """It says nothing of the function, which is judged again; a verdict on the function is used as it stands."""
    failed, judged = step(Outcome.INFRA), step(outcome)
    assert RecordedSteps([failed]).take(VerificationStep, CHUNK) is None
    recorded = RecordedSteps([failed, judged])
    assert recorded.take(VerificationStep, CHUNK) is judged
    assert recorded.take(VerificationStep, CHUNK) is None
