"""What the live display and the tree say of a step depends on the verdicts before it, also before a run was resumed."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from orchestrator.cli import console
from orchestrator.cli.views.live import LiveProgress
from orchestrator.core.proposals import Analysis
from orchestrator.core.steps import AnyStep, CandidateStep, RunStep, VerificationStep
from orchestrator.core.verdict import Outcome
from orchestrator.propose.scripted_models import ScriptedProposer
from orchestrator.run.events import Callbacks
from orchestrator.run.journal.resume import PastRun
from tests.run.loop.test_loop import BAD, GOOD, drawn
from tests.run.loop.test_loop_held import DOUBTFUL, SAID, WithTester, bench
from tests.run.report_steps import usual

MEANWHILE = "again, beside what was promoted meanwhile"


def opening(on_hold: str = "keep") -> RunStep:
    first = usual()[0]
    assert isinstance(first, RunStep)
    return first.model_copy(update={"configuration": first.configuration | {"on_hold": on_hold}})


def live(capsys: pytest.CaptureFixture[str], past: Sequence[AnyStep], steps: Sequence[AnyStep]) -> str:
    """What is shown of the steps; `past`: those of a run that is resumed."""
    console.stderr.cache_clear()
    capsys.readouterr()
    callbacks = Callbacks()
    LiveProgress(PastRun(Path("out"), opening(), tuple(past), authentic=True) if past else None).register(callbacks)
    for step in steps:
        callbacks.emit(step)
    return " ".join(capsys.readouterr().err.split())


def test_a_candidate_that_was_at_work_is_judged_for_the_first_time(capsys: pytest.CaptureFixture[str]) -> None:
    """It was announced before the run was interrupted; nobody promoted anything meanwhile."""
    run = bench(ScriptedProposer([GOOD]))
    run.run()
    steps = [opening(), *run.steps]
    cut = next(number for number, step in enumerate(steps) if isinstance(step, CandidateStep)) + 1
    said = live(capsys, steps[:cut], steps[cut:])
    assert "✓ good" in said
    assert "again" not in said
    judged = next(step for step in steps if isinstance(step, VerificationStep))
    assert MEANWHILE in live(capsys, [*steps[:cut], judged], [judged])


def test_a_verdict_that_failed_with_the_sandbox_counts_for_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    """After it, the candidate is judged as if for the first time."""
    run = bench(ScriptedProposer([GOOD]))
    run.run()
    steps = [opening(), *run.steps]
    at = next(number for number, step in enumerate(steps) if isinstance(step, VerificationStep))
    judged = steps[at]
    assert isinstance(judged, VerificationStep)
    broken = judged.model_copy(update={"verdict": judged.verdict.model_copy(update={"verdict": Outcome.INFRA})})
    assert "again" not in drawn([*steps[:at], broken, *steps[at:]])
    assert MEANWHILE in drawn([*steps[:at], judged, *steps[at:]])
    assert "again" not in live(capsys, [*steps[:at], broken], steps[at:])


def test_what_the_tester_settles_is_judged_with_its_examples(capsys: pytest.CaptureFixture[str]) -> None:
    """In both, though there is one lane."""
    run = bench(WithTester(DOUBTFUL, said=[(SAID,)]))
    run.run()
    for said in (live(capsys, [], run.steps), drawn(run.steps)):
        assert "again, with the tester's examples" in said
        assert MEANWHILE not in said


@pytest.mark.parametrize("on_hold", ["keep", "reject"])
def test_what_is_held_is_not_given_up(capsys: pytest.CaptureFixture[str], on_hold: str) -> None:
    """A proposer without a narrower function has given up only what failed, or what nobody is to decide on."""
    run = bench(ScriptedProposer([DOUBTFUL, BAD], [Analysis(), Analysis()]), on_hold=on_hold)
    run.run()
    steps = [opening(on_hold), *run.steps]
    for said, at_the_end in ((live(capsys, [], steps), 0), (drawn(steps), 1)):
        assert said.count("given up") == (2 if on_hold == "reject" else 1) + at_the_end
        assert said.count("no narrower function is proposed") == (1 if on_hold == "keep" else 0)
