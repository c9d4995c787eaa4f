"""How steps appear in a later prompt."""

from datetime import UTC, datetime

from orchestrator.core.proposals import ChunkStatus, Issue
from orchestrator.core.steps import AnalysisStep, ChunkStep, RepairStep, RunStatus, VerificationStep
from orchestrator.core.verdict import CandidateInfo, CheckResult, Outcome, Verdict

NOW = datetime.now(UTC)
CELL = "4111 1111"
REJECTED = VerificationStep(
    at=NOW,
    chunk=0,
    iteration=1,
    verdict=Verdict(
        candidate=CandidateInfo(name="trim", sha256="0"),
        verdict=Outcome.FAIL,
        checks=(
            CheckResult(id="screen", outcome=Outcome.PASS),
            CheckResult(id="precise", outcome=Outcome.FAIL, detail=f"it changed {CELL}"),
        ),
    ),
)
ANSWER = AnalysisStep(
    at=NOW,
    chunk=0,
    iteration=2,
    issues=(Issue(id="1", description=CELL),),
    chunk_status=ChunkStatus.NEEDS_WORK,
    proposed=True,
    reply=f"whole reply about {CELL}",
)


def test_whole_steps_say_everything() -> None:
    """A recent step appears as it was: the reply, and each check that failed with its reason."""
    assert [(m.role, m.content) for m in ANSWER.to_messages()] == [("assistant", f"whole reply about {CELL}")]
    (told,) = REJECTED.to_messages()
    assert told.role == "user"
    assert told.content == f"trim: rejected\nprecise: it changed {CELL}"


def test_a_summary_is_one_line_without_any_cell() -> None:
    """An older step appears in a line of names, ids and numbers: no text that could hold data."""
    repair = RepairStep(at=NOW, chunk=0, iteration=2, attempt=1, error=f"unreadable: {CELL}")
    for step in (ANSWER, REJECTED, repair):
        (told,) = step.to_messages(summary=True)
        assert "\n" not in told.content
        assert CELL not in told.content
        assert len(told.content) < 80
    assert REJECTED.to_messages(summary=True)[0].content == "trim: rejected by precise"


def test_steps_that_no_model_needs_say_nothing() -> None:
    """The taking up of a chunk is no turn of a conversation."""
    assert ChunkStep(at=NOW, chunk=0, rows=1, holdout=0).to_messages() == ()


def test_which_ends_can_be_resumed() -> None:
    """Natural ends are final; limits can be raised, and whatever came from outside may be over."""
    resumable = {status for status in RunStatus if status.resumable}
    assert resumable == {RunStatus.LIMIT, RunStatus.BUDGET, RunStatus.INTERRUPTED, RunStatus.FAILED}
