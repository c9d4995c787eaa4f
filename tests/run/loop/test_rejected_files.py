"""A file that the gate has rejected is not judged again: the proposer is told so once."""

from orchestrator.core.candidate import Example
from orchestrator.core.ports import VerifyRequest
from orchestrator.core.proposals import Analysis
from orchestrator.core.steps import ChunkEndStep, RepairStep, RunStatus, VerificationStep
from orchestrator.core.verdict import CheckResult, OnCheck, Outcome, Verdict
from orchestrator.gate.scripted_gate import ScriptedGate
from orchestrator.propose.scripted_models import ScriptedProposer
from orchestrator.run.journal.cursor import RecordedSteps
from orchestrator.run.loop.stopping import RunLimits
from tests.run.loop.test_loop import BAD, GOOD, Bench, bad


def verdicts(bench: Bench) -> int:
    return sum(isinstance(step, VerificationStep) for step in bench.steps)


def end(bench: Bench) -> ChunkEndStep:
    [found] = (step for step in bench.steps if isinstance(step, ChunkEndStep))
    return found


def test_the_same_file_again_and_again_is_judged_once() -> None:
    """One verdict, the proposer told once; from then on each such proposal ends at once, and the chunk at its limit."""
    proposer = ScriptedProposer([BAD] * 60, [BAD] * 60)
    bench = Bench(proposer, limits=RunLimits(max_repairs=2, max_rejected=5))
    assert bench.run(chunks=1) is RunStatus.LIMIT
    assert verdicts(bench) == 1
    assert [repair.repeated for repair in proposer.repair_requests] == [False, True]
    assert len(proposer.requests) == 5
    assert (end(bench).proposed, end(bench).rejected) == (5, 1)
    assert end(bench).reason == (
        "1 function given up, and 4 proposals of a file that was rejected before (--max-rejected)"
    )
    assert [len(request.rejected) for request in proposer.requests] == [0, 1, 1, 1, 1]


def test_a_repeated_file_is_no_try_of_its_own() -> None:
    """Told of it, the proposer still has all of its repairs; a file of an earlier proposal is known, too."""
    proposer = ScriptedProposer([BAD, bad(1)], [BAD, bad(1), bad(2), BAD, GOOD])
    bench = Bench(proposer, limits=RunLimits(max_repairs=2))
    bench.run(chunks=1)
    assert [repair.repeated for repair in proposer.repair_requests] == [False, True, False, True]
    assert verdicts(bench) == 3
    assert [step.attempt for step in bench.steps if isinstance(step, RepairStep)] == [1, 2, 3, 1]


def test_without_repairs_nothing_is_asked() -> None:
    """Where the limit allows no repair, the proposer is not told either."""
    proposer = ScriptedProposer([BAD, BAD])
    bench = Bench(proposer, limits=RunLimits(max_repairs=0))
    assert bench.run(chunks=1) is RunStatus.GAVE_UP
    assert (verdicts(bench), proposer.repair_requests) == (1, [])


def test_a_resumed_run_says_the_same() -> None:
    """At any step of the journal, and also with the journal of a version that judged each file again."""

    def script() -> ScriptedProposer:
        return ScriptedProposer([BAD, BAD, GOOD], [BAD, bad(1), bad(2)])

    whole = Bench(script(), limits=RunLimits(max_repairs=2))
    whole.run(chunks=1)
    kinds = [step.kind for step in whole.steps]
    for cut in range(len(kinds)):
        proposer = script()
        asked = [step.kind for step in whole.steps[:cut]]
        proposer._proposals, proposer._repairs = (
            proposer._proposals[asked.count("analysis") :], proposer._repairs[asked.count("repair") :],
        )  # fmt: skip
        again = Bench(proposer, limits=RunLimits(max_repairs=2), recorded=RecordedSteps(whole.steps[:cut]))
        again.run(chunks=1)
        assert [*kinds[:cut], *(step.kind for step in again.steps)] == kinds, cut


def test_beside_other_functions_or_by_other_examples_it_is_judged_again() -> None:
    """The verdict may be another one then: something was promoted since, or the tester has changed its mind."""
    proposer = ScriptedProposer([BAD, GOOD, BAD])
    bench = Bench(proposer, limits=RunLimits(max_repairs=0))
    bench.run(chunks=1)
    assert verdicts(bench) == 3

    class ByExamples(ScriptedGate):
        def verify(self, request: VerifyRequest, on_check: OnCheck | None = None) -> Verdict:
            verdict = super().verify(request, on_check)
            failed = CheckResult(id="examples", outcome=Outcome.FAIL)
            return verdict.model_copy(update={"checks": (failed,)}) if request.tests else verdict

    tests = tuple(Example(input={"city": f" {n}"}, output={"city": f"{n}"}) for n in range(2))
    for said, judged in (((tests[:1], tests[:1]), 1), ((tests[:1], tests[1:]), 2)):
        answers = [Analysis(source=BAD, tests=one) for one in said]
        bench = Bench(
            ScriptedProposer(answers), gate=ByExamples({"bad": Outcome.FAIL}), limits=RunLimits(max_repairs=0)
        )
        bench.run(chunks=1)
        assert verdicts(bench) == judged
