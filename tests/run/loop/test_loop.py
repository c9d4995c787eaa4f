"""The loop, with fakes of all its ports: what it promotes, what it gives up, and when it ends."""

import io
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import pyarrow as pa
import pytest
from rich.console import Console

from orchestrator.cli.views.run_tree import run_tree
from orchestrator.core.conventions import ColumnConvention, Conventions
from orchestrator.core.errors import BudgetExceeded, ModelRefused, ReplyError, SandboxError
from orchestrator.core.ports import Sample, VerifyRequest
from orchestrator.core.promoted import Promoted
from orchestrator.core.proposals import Analysis, ChunkStatus, FurtherFunction
from orchestrator.core.steps import (
    AnalysisStep,
    AnyStep,
    ChunkEndStep,
    EndStep,
    PromotionStep,
    RepairStep,
    ResumeStep,
    RunStatus,
    VerificationStep,
)
from orchestrator.core.verdict import CheckResult, Outcome, Verdict
from orchestrator.data.chunks import Chunk
from orchestrator.gate.scripted_gate import ScriptedGate
from orchestrator.propose.scripted_models import ScriptedProposer
from orchestrator.registry.memory_registry import MemoryRegistry
from orchestrator.run.apply.residual import Rest
from orchestrator.run.journal.cursor import RecordedSteps
from orchestrator.run.journal.in_use import functions_in_use
from orchestrator.run.loop.loop import Loop
from orchestrator.run.loop.run_context import OnHold, RunContext, RunTask
from orchestrator.run.loop.run_summary import forms_left
from orchestrator.run.loop.stopping import RunLimits
from tests.registry.conftest import make_candidate, make_evidence

if TYPE_CHECKING:
    from orchestrator.core.requests import ProposalRequest

GOOD = '"""i"""\ndef good(df):\n    """d"""\n    return df\n'
BETTER = '"""i"""\ndef better(df):\n    """d"""\n    return df\n'
REPAIR = '"""i"""\nCONTRACT = {"replaces": "good"}\ndef repair(df):\n    """d"""\n    return df\n'
BAD = '"""i"""\ndef bad(df):\n    """d"""\n    return df\n'


def bad(number: int) -> str:
    """Another file that the gate rejects."""
    return BAD.replace('"""d"""', f'"""d{number}"""')


class Bench:
    """A loop with its fakes, and what it did."""

    def __init__(
        self,
        proposer: ScriptedProposer,
        *,
        limits: RunLimits | None = None,
        gate: ScriptedGate | None = None,
        recorded: RecordedSteps | None = None,
        on_hold: OnHold = "keep",
        task: RunTask | None = None,
    ) -> None:
        self.steps: list[AnyStep] = []
        self.registry = MemoryRegistry()
        self.proposer = proposer
        self.gate = gate or ScriptedGate(
            {"good": Outcome.PASS, "better": Outcome.PASS, "bad": Outcome.FAIL, "broken": Outcome.INFRA}
        )
        around = RunContext(
            proposer,
            self.gate,
            self.registry,
            _unchanged,
            self.steps.append,
            on_check=lambda _check: None,
            recorded=recorded or RecordedSteps(),
            on_hold=on_hold,
        )
        self.loop = Loop(around, task or RunTask(run_id="r1"), limits or RunLimits())

    def run(self, chunks: int = 1) -> RunStatus:
        table = pa.table({"city": ["a", "b"]})
        return self.loop.run(Chunk(i, table, table.slice(0, 1), (0, 1), (0,)) for i in range(chunks))

    def kinds(self) -> list[str]:
        return [step.kind for step in self.steps]


def drawn(steps: Sequence[AnyStep]) -> str:
    """The run as `runs show` prints it."""
    console = Console(width=200, file=io.StringIO())
    with console.capture() as shown:
        console.print(run_tree(steps))
    return shown.get()


def _unchanged(sample: Sample, functions: Sequence[Promoted]) -> Rest:
    return Rest(sample, tuple(functions))


def test_a_passing_candidate_is_promoted() -> None:
    """What passes the gate enters the registry, with a step for everything that happened."""
    bench = Bench(ScriptedProposer([GOOD]))
    assert bench.run() is RunStatus.CLEAN
    assert [p.name for p in bench.registry.functions()] == ["good"]
    assert bench.kinds() == ["chunk", "analysis", "candidate", "verification", "promotion", "analysis", "chunk-end"]


def test_the_evidence_names_run_and_proposer() -> None:
    """A promoted function carries the verdict and where it comes from."""
    bench = Bench(ScriptedProposer([GOOD], name="rules"))
    bench.run()
    evidence = bench.registry.functions()[0].evidence
    assert (evidence.run_id, evidence.proposer, evidence.verdict.passed) == ("r1", "rules", True)


def test_a_failing_candidate_is_repaired() -> None:
    """The proposer is shown the verdict, and its better answer is promoted."""
    proposer = ScriptedProposer([BAD], [GOOD])
    bench = Bench(proposer)
    bench.run()
    assert [p.name for p in bench.registry.functions()] == ["good"]
    shown = proposer.repair_requests[0]
    assert shown.source == BAD
    assert shown.verdict.verdict is Outcome.FAIL


def test_a_candidate_is_given_up_after_its_repairs() -> None:
    """Never more than max_repairs tries; the proposer is told what was rejected."""
    proposer = ScriptedProposer([BAD], [bad(1), bad(2), GOOD])
    bench = Bench(proposer, limits=RunLimits(max_repairs=2))
    bench.run()
    assert bench.registry.functions() == ()
    assert bench.loop.rejected == 1
    assert sum(isinstance(s, RepairStep) for s in bench.steps) == 2
    assert {c.name for c in proposer.requests[1].rejected} == {"bad"}


def test_a_repaired_candidate_is_not_given_up() -> None:
    """What a repair made good is on no list and counts towards no limit; what is given up names its failed checks."""
    proposer = ScriptedProposer([BAD, BAD, BAD], [GOOD, BETTER])
    bench = Bench(proposer, limits=RunLimits(max_repairs=1, max_rejected=1))
    assert bench.run() is RunStatus.LIMIT
    assert [request.rejected for request in proposer.requests] == [(), (), ()]
    assert (bench.loop.rejected, len(bench.registry.functions())) == (1, 2)
    assert bench.steps[-1].reason == "1 function given up (--max-rejected)"  # type: ignore[union-attr]  # the end


def test_what_is_given_up_names_the_checks_that_failed() -> None:
    """The next proposal is told why, and sees one entry for a candidate and its repairs."""
    proposer = ScriptedProposer([BAD], [bad(1)])
    Bench(proposer, limits=RunLimits(max_repairs=1)).run()
    (one,) = proposer.requests[1].rejected
    assert (one.name, one.failed) == ("bad", ("executed",))


def test_a_proposer_that_never_stops_is_stopped() -> None:
    """A chunk in which everything is rejected ends at the limit, which is not called clean."""
    bench = Bench(ScriptedProposer(map(bad, range(50))), limits=RunLimits(max_repairs=0, max_rejected=3))
    assert bench.run() is RunStatus.LIMIT
    assert bench.loop.rejected == 3


def test_the_functions_of_an_answer_are_judged_one_by_one() -> None:
    """One question for three functions: each has its turn, its repair and its fate; then the next question comes."""
    more = (FurtherFunction(source=BAD), FurtherFunction(source=BETTER))
    proposer = ScriptedProposer([Analysis(source=GOOD, more=more, reply="three")])
    bench = Bench(proposer, limits=RunLimits(max_repairs=1))
    assert bench.run() is RunStatus.GAVE_UP
    assert [p.name for p in bench.registry.functions()] == ["good", "better"]
    assert [request.iteration for request in proposer.requests] == [1, 4]
    assert [repair.request.iteration for repair in proposer.repair_requests] == [2]
    steps = [s for s in bench.steps if isinstance(s, AnalysisStep)]
    assert [(s.iteration, len(s.more), bool(s.reply)) for s in steps] == [
        (1, 2, True), (2, 1, False), (3, 0, False), (4, 0, False),
    ]  # fmt: skip


def test_clean_is_asked_once_more_where_the_host_sees_otherwise() -> None:
    """With an instruction and nothing promoted, or with findings left; only once, and only a model."""
    task = RunTask(run_id="r1", instruction="Trim city.", prompt_sha256="0")
    proposer = ScriptedProposer([Analysis(chunk_status=ChunkStatus.CLEAN), GOOD])
    bench = Bench(proposer, task=task)
    assert bench.run() is RunStatus.CLEAN
    assert [p.name for p in bench.registry.functions()] == ["good"]
    assert [len(request.remaining) for request in proposer.requests] == [0, 1, 0]
    assert "no function is in use yet" in proposer.requests[1].remaining[0]

    rules = ScriptedProposer()
    Bench(rules, task=RunTask(instruction="Trim city.")).run()
    assert len(rules.requests) == 1


def test_clean_is_believed_where_nothing_is_left() -> None:
    """No second question without a finding: after a function that was asked for, and where nothing was asked for."""
    done = ScriptedProposer([GOOD, Analysis(chunk_status=ChunkStatus.CLEAN)])
    assert Bench(done, task=RunTask(run_id="r1", instruction="Trim city.", prompt_sha256="0")).run() is RunStatus.CLEAN
    assert len(done.requests) == 2
    unasked = ScriptedProposer([Analysis(chunk_status=ChunkStatus.CLEAN)])
    assert Bench(unasked, task=RunTask(run_id="r1", prompt_sha256="0")).run() is RunStatus.CLEAN
    assert len(unasked.requests) == 1


def test_the_forms_that_are_left_are_counted_in_the_holdout_too() -> None:
    """The end of the chunk says which rare forms nothing was done about, and in how many rows of which part."""
    task = RunTask(instruction="Tidy zip.", prompt_sha256="0")
    bench = Bench(ScriptedProposer(), task=task)
    working = pa.table({"zip": ["12345"] * 97 + ["D-1234"] * 3})
    bench.loop.run([Chunk(0, working, pa.table({"zip": ["12345"] * 9 + ["D-9"]}), (0, 110), (0,))])
    end = bench.steps[-1]
    assert isinstance(end, ChunkEndStep)
    assert [(one.column, one.form, one.rows, one.holdout) for one in end.forms] == [("zip", "A-9", 3, 1)]
    assert forms_left([end, end]) == end.forms


def test_a_named_column_that_mixes_forms_is_asked_about_once_and_told_as_a_suspicion() -> None:
    """States of which 15 % are in lower case; not in a column that is not named, to be left alone, or of numbers."""
    states = pa.table({"state": ["TX"] * 85 + ["tx"] * 15, "other": ["A-1"] * 50 + ["a"] * 50, "n": [1, -5] * 50})
    for instruction, conventions, asked in (
        ("Upper case for state, and n.", None, ("state: 15 cells in another form than most, which may be right",)),
        ("Upper case for towns.", None, ()),
        ("Tidy.", Conventions(columns={"state": ColumnConvention(leave=True)}), ()),
    ):
        task = RunTask(run_id="r1", instruction=instruction, conventions=conventions, prompt_sha256="0")
        proposer = ScriptedProposer([GOOD, *[Analysis(chunk_status=ChunkStatus.CLEAN)] * 9])
        bench = Bench(proposer, task=task)
        assert bench.loop.run([Chunk(0, states, states.slice(80, 10), (0, 110), (0,))]) is RunStatus.CLEAN
        assert [request.remaining for request in proposer.requests[2:]] == [asked] * bool(asked)
        end = bench.steps[-1]
        assert isinstance(end, ChunkEndStep)
        told = [(one.column, one.form, one.rows, one.holdout, one.suspected) for one in forms_left([end])]
        assert told == [("state", "a", 15, 5, True)] * bool(asked)


def test_what_the_host_still_finds_is_named_and_in_focus() -> None:
    """Null words and stray blanks by column; a second clean, an unreadable answer or no budget ends the chunk."""
    task = RunTask(run_id="r1", prompt_sha256="0")
    for second in (Analysis(chunk_status=ChunkStatus.CLEAN), ReplyError("no answer"), BudgetExceeded("used up")):
        proposer = ScriptedProposer([Analysis(chunk_status=ChunkStatus.CLEAN), second])
        bench = Bench(proposer, task=task)
        table = pa.table({"city": ["a ", "b", "n/a"], "zip": ["1", "2", "3"]})
        assert bench.loop.run([Chunk(0, table, table.slice(0, 1), (0, 1), (0,))]) is RunStatus.FINISHED
        assert [request.remaining for request in proposer.requests] == [
            (),
            ("city: 1 null word, 1 with stray blanks",),
        ]
        assert proposer.requests[1].focus == ("city",)


def test_what_is_left_where_the_budget_ended_a_chunk_is_told() -> None:
    """Such a chunk has no end; what the functions that were promoted leave in it is measured nevertheless."""
    bench = Bench(ScriptedProposer([GOOD, BudgetExceeded("used up")]))
    table = pa.table({"city": ["a ", "b", "n/a"], "zip": ["1", "2", "3"]})
    assert bench.loop.run([Chunk(0, table, table.slice(0, 1), (0, 1), (0,))]) is RunStatus.BUDGET
    assert bench.loop.left == {"city": 3}, "two among the working rows, one of them as holdout"
    done = Bench(ScriptedProposer([GOOD]))
    assert done.loop.run([Chunk(0, table, table.slice(0, 1), (0, 1), (0,))]) is RunStatus.FINISHED
    assert done.loop.left == {}


def test_iterations_are_limited() -> None:
    """No chunk gets more proposals than max_iterations."""
    proposer = ScriptedProposer([f'"""i"""\nX = {i}\ndef good(df):\n    """d"""\n    return df\n' for i in range(9)])
    bench = Bench(proposer, limits=RunLimits(max_iterations=4))
    assert bench.run() is RunStatus.LIMIT
    assert len(proposer.requests) == 4


def test_the_loop_stops_when_chunk_after_chunk_is_clean() -> None:
    """Two chunks in a row without a finding are enough."""
    bench = Bench(ScriptedProposer(), limits=RunLimits(saturation=2))
    assert bench.run(chunks=10) is RunStatus.CLEAN
    assert bench.kinds().count("chunk") == 2


def test_an_unreadable_reply_is_recorded_and_the_loop_goes_on() -> None:
    """A reply that cannot be read costs an iteration, not the run."""
    bench = Bench(ScriptedProposer([ReplyError("no function in the reply"), GOOD]))
    bench.run()
    first = next(s for s in bench.steps if isinstance(s, AnalysisStep))
    assert first.error == "no function in the reply"
    assert [p.name for p in bench.registry.functions()] == ["good"]


def test_a_chunk_ends_when_nothing_that_is_said_of_it_can_be_read() -> None:
    """A model that refuses, or a filter that objects to the rows, does not cost sixty proposals."""
    proposer = ScriptedProposer([ReplyError("I am sorry")] * 60)
    bench = Bench(proposer, limits=RunLimits(max_unread=3))
    assert bench.run(chunks=1) is RunStatus.LIMIT
    assert len(proposer.requests) == 3
    [end] = (step for step in bench.steps if isinstance(step, ChunkEndStep))
    assert end.reason == "3 answers in a row could not be read, the last one: I am sorry"


def test_a_resumed_run_asks_again_for_what_could_not_be_read() -> None:
    """Such a chunk goes on under the same limits, and again after the next such end.

    One that was killed before its own end does not: it goes on as if nothing had happened.
    """
    mumble = [ReplyError("mumble")] * 3
    first = Bench(ScriptedProposer([GOOD, *mumble]))
    assert first.run() is RunStatus.LIMIT
    killed = Bench(ScriptedProposer([BETTER]), recorded=RecordedSteps(first.steps))
    assert killed.run() is RunStatus.LIMIT
    assert killed.proposer.requests == []
    end = EndStep(at=first.steps[-1].at, status=RunStatus.LIMIT)
    second = Bench(ScriptedProposer(mumble), recorded=RecordedSteps([*first.steps, end]))
    assert second.run() is RunStatus.LIMIT
    assert len(second.proposer.requests) == 3
    steps = [*first.steps, end, *second.steps, end]
    third = Bench(ScriptedProposer([BETTER]), recorded=RecordedSteps(steps))
    assert third.run() is RunStatus.CLEAN
    assert [p.name for p in third.registry.functions()] == ["better"]


def test_a_raised_limit_forgets_what_could_not_be_read_as_well() -> None:
    """Else the answers before it would end the chunk again."""
    first = Bench(ScriptedProposer([GOOD, *[ReplyError("mumble")] * 3]))
    first.run()
    began = ResumeStep(at=first.steps[0].at, configuration={"limits": {"max_iterations": 60}})
    steps = RecordedSteps([began, *first.steps], {"max_iterations": 99})
    second = Bench(ScriptedProposer([BETTER]), recorded=steps)
    assert second.run() is RunStatus.CLEAN
    assert [p.name for p in second.registry.functions()] == ["better"]


def test_a_used_up_budget_keeps_what_was_promoted() -> None:
    """The loop ends with the status `budget`; the registry keeps what is in it."""
    bench = Bench(ScriptedProposer([GOOD, BudgetExceeded("used up")]))
    assert bench.run(chunks=3) is RunStatus.BUDGET
    assert [p.name for p in bench.registry.functions()] == ["good"]


def test_a_model_that_refuses_ends_the_run() -> None:
    """A wrong key is not worth another try."""
    with pytest.raises(ModelRefused):
        Bench(ScriptedProposer([ModelRefused("the key is wrong")])).run()


def test_infra_ends_the_run_and_promotes_nothing() -> None:
    """A verdict `infra` is never a promotion and never the candidate's fault."""
    broken = GOOD.replace("good", "broken")
    bench = Bench(ScriptedProposer([broken]))
    with pytest.raises(SandboxError):
        bench.run()
    assert bench.registry.functions() == ()
    assert not any(isinstance(s, PromotionStep) for s in bench.steps)


def test_clean_with_code_does_not_lose_the_code() -> None:
    """A proposer that says clean and hands in a function is judged on the function."""
    bench = Bench(ScriptedProposer([Analysis(source=GOOD, chunk_status=ChunkStatus.CLEAN)]))
    bench.run()
    assert [p.name for p in bench.registry.functions()] == ["good"]


def test_an_unreadable_candidate_is_rejected_like_any_other() -> None:
    """A source without a function gets a verdict and feedback, not a crash."""
    bench = Bench(ScriptedProposer(["this is no python("], [GOOD]))
    bench.run()
    assert [p.name for p in bench.registry.functions()] == ["good"]


def test_the_proposer_never_sees_the_holdout() -> None:
    """The request holds the working rows only."""
    proposer = ScriptedProposer([GOOD])
    Bench(proposer).run()
    request: ProposalRequest = proposer.requests[0]
    assert request.rows.num_rows == 2


def test_every_candidate_is_followed_by_its_verdict() -> None:
    """The journal never holds a candidate without a verdict when the run ends by itself."""
    bench = Bench(ScriptedProposer([BAD, GOOD], [BETTER]))
    bench.run()
    judged = [s for s in bench.steps if isinstance(s, VerificationStep)]
    assert len(judged) == bench.kinds().count("candidate") == 3


def test_a_promoted_mistake_is_repaired() -> None:
    """A function that replaces another is judged without it, and takes its place; the step shows the difference."""
    seen: list[tuple[str, ...]] = []

    class Watching(ScriptedGate):
        def verify(self, request: VerifyRequest, on_check: Callable[[CheckResult], None] | None = None) -> Verdict:
            seen.append(tuple(function.name for function in request.promoted))
            return super().verify(request, on_check)

    bench = Bench(ScriptedProposer([GOOD, BETTER, REPAIR]), gate=Watching())
    bench.run()
    assert [p.name for p in bench.registry.functions()] == ["better", "repair"]
    assert seen == [(), ("good",), ("better",)]
    step = [s for s in bench.steps if isinstance(s, PromotionStep)][-1]
    assert (step.replaces, step.differences and step.differences.replaced) == ("good", "good")
    assert list(functions_in_use(bench.steps).values()) == ["better", "repair"]
    assert "repair replaces good" in drawn(bench.steps)


def test_only_what_the_run_promoted_is_replaced() -> None:
    """A model cannot take a function of a shared registry out of use."""
    bench = Bench(ScriptedProposer([REPAIR]))
    candidate = bench.gate.read(GOOD)
    bench.registry.promote(candidate, make_evidence(candidate, run_id="another"))
    bench.run()
    assert [p.name for p in bench.registry.functions()] == ["good"]
    verdict = next(s for s in bench.steps if isinstance(s, VerificationStep)).verdict
    assert "replaces 'good'" in verdict.failures[0].detail


def test_a_name_that_waits_for_a_decision_is_not_taken() -> None:
    """In a shared registry a run's function ended somebody's held one of its name, which nobody could approve then."""
    bench = Bench(ScriptedProposer([GOOD, BETTER]))
    held = make_candidate("good", issue="Another.")
    theirs = bench.registry.hold(held, make_evidence(held, Outcome.HOLD, run_id="another"))
    assert bench.run() is RunStatus.GAVE_UP
    assert [p.name for p in bench.registry.functions()] == ["better"]
    assert bench.registry.held() == (theirs,)


def test_what_is_suspended_is_not_promoted_again() -> None:
    """A run found the same function as the one that had acted up, and had it back in use; others are found."""
    bench = Bench(ScriptedProposer([GOOD, BETTER]))
    candidate = bench.gate.read(GOOD)
    made = MemoryRegistry().promote(candidate, make_evidence(candidate, run_id="another"))
    bench.registry.suspended = lambda: (made,)  # type: ignore[method-assign]
    assert bench.run() is RunStatus.GAVE_UP
    assert [p.name for p in bench.registry.functions()] == ["better"]
    assert bench.loop.rejected == 1
