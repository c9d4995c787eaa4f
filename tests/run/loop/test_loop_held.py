"""Functions with concerns in a run: who is asked, what is kept, what is applied, and that a run goes on with them."""

from typing import Any

import pyarrow as pa
import pytest

from orchestrator.core.candidate import Example
from orchestrator.core.errors import BudgetExceeded, ReplyError
from orchestrator.core.exchanges import Exchange
from orchestrator.core.ports import Sample, VerifyRequest
from orchestrator.core.proposals import Analysis, WitnessAnswer
from orchestrator.core.requests import WitnessRequest
from orchestrator.core.steps import (
    AnyStep,
    ChunkEndStep,
    HeldEntryStep,
    HoldStep,
    RunStatus,
    VerificationStep,
    WitnessStep,
)
from orchestrator.core.verdict import Counterexample, Outcome, SettledConcerns, Verdict
from orchestrator.gate.scripted_gate import ScriptedGate
from orchestrator.propose.scripted_models import ScriptedProposer
from orchestrator.run.journal.cursor import RecordedSteps
from orchestrator.run.loop.promotion import combined
from orchestrator.run.loop.stopping import RunLimits
from tests.run.loop.test_loop import BAD, GOOD, Bench, drawn

DOUBTFUL = '"""i"""\ndef doubtful(df):\n    """d"""\n    return df\n'
NARROW = DOUBTFUL.replace("doubtful", "narrow")
SAID = Example(input={"text": "12 apples"}, output={"text": "apples"})


class Gate(ScriptedGate):
    """Holds `doubtful` until a tester's example says what it does, fails it where the example says otherwise."""

    def __init__(self, **more: Outcome) -> None:
        super().__init__({"doubtful": Outcome.HOLD, "bad": Outcome.FAIL, **more})
        self.requests: list[VerifyRequest] = []

    def verify(self, request: VerifyRequest, on_check: Any = None) -> Verdict:
        self.requests.append(request)
        if not request.tests:
            return super().verify(request, on_check)
        known, self._script = self._script, lambda *_: Outcome.PASS if request.tests == (SAID,) else Outcome.FAIL
        verdict = super().verify(request, on_check)
        self._script = known
        return verdict


class WithTester(ScriptedProposer):
    """A proposer with a tester."""

    def __init__(self, *proposals: Any, said: Any = (), repairs: Any = (), has_tester: bool = True) -> None:
        super().__init__(proposals, repairs)
        self.has_tester = has_tester
        self.asked: list[WitnessRequest] = []
        self._said = list(said)

    def testify(self, request: WitnessRequest) -> WitnessAnswer:
        self.asked.append(request)
        answer = self._said.pop(0) if self._said else ()
        if isinstance(answer, Exception):
            raise answer
        asked = Exchange(role="tester", model="a-tester", about="rows in doubt")
        return WitnessAnswer(tests=answer, exchanges=(asked,))


def bench(proposer: ScriptedProposer, **more: Any) -> Bench:
    return Bench(proposer, gate=more.pop("gate", None) or Gate(), **more)


def of(kind: type[AnyStep], steps: list[AnyStep]) -> list[Any]:
    return [step for step in steps if isinstance(step, kind)]


def test_the_tester_settles_a_concern() -> None:
    """It is asked about exactly the row in doubt, without code or result; its word is a witness."""
    proposer = WithTester(DOUBTFUL, said=[(SAID,)])
    run = bench(proposer)
    assert run.run() is RunStatus.CLEAN
    assert [f.name for f in run.registry.functions()] == ["doubtful"]
    assert [(row.cells, row.columns) for row in proposer.asked[0].rows] == [({"text": "12 apples"}, ("text",))]
    assert run.kinds()[1:7] == ["analysis", "candidate", "verification", "witness", "verification", "promotion"]
    assert "the tester said what should become of 1 of 1 row in doubt" in drawn(run.steps)
    told = [message.content for step in proposer.requests[1].history for message in step.to_messages(summary=True)]
    assert told[1:] == ["doubtful: in doubt (figures-vanish)", "doubtful: accepted"]


@pytest.mark.parametrize("same", [True, False])
def test_what_the_tester_settled_is_in_the_evidence(same: bool) -> None:
    """Which concern it was, who settled it, and whether that is the model which wrote the function."""
    proposer = WithTester(DOUBTFUL, said=[(SAID,)])
    proposer.name = "a-tester" if same else "a-proposer"
    run = bench(proposer)
    run.run()
    [kept] = run.registry.functions()
    settled = kept.evidence.verdict.settled
    assert settled is not None
    assert (settled.by, settled.also_proposed) == ("a-tester", same)
    assert [concern.kind for concern in settled.concerns] == ["figures-vanish"]
    assert "settled by the model's answers, not by you: a-tester" in drawn(run.steps)
    assert ("which wrote the function as well" in drawn(run.steps)) is same


def test_what_was_there_before_the_tester_spoke_is_not_called_settled() -> None:
    """Nobody was asked about a function without concerns, so that nothing is said of it."""
    run = bench(WithTester(GOOD))
    run.run()
    assert [kept.evidence.verdict.settled for kept in run.registry.functions()] == [None]


def test_a_newer_verdict_beside_other_functions_still_says_it() -> None:
    """Unless the function fails now: what was judged twice has what its first verdict said in its evidence."""
    said = SettledConcerns(by="a-tester", also_proposed=True)
    newer = ScriptedGate().verify(VerifyRequest(GOOD, Sample(few_rows(), few_rows())))
    older = newer.model_copy(update={"settled": said})
    assert combined(older, newer).settled == said
    failed = ScriptedGate({"good": Outcome.FAIL}).verify(VerifyRequest(GOOD, Sample(few_rows(), few_rows())))
    assert combined(older, failed).settled is None


def few_rows() -> pa.Table:
    return pa.table({"text": ["a"]})


def test_examples_that_a_tester_wrote_first_are_said_to_be_its() -> None:
    """What they settled is not known, since there never was a concern; that they are not the user's is."""
    first = Analysis(
        source=DOUBTFUL, tests=(SAID,), exchanges=(Exchange(role="tester", model="a-tester", about="the issue"),)
    )
    run = bench(WithTester(first))
    run.run()
    [kept] = run.registry.functions()
    settled = kept.evidence.verdict.settled
    assert settled is not None
    assert (settled.by, settled.concerns) == ("a-tester", ())


class Dropping(Gate):
    """Its concerns are about a column that goes, so that there is no cell afterwards."""

    def verify(self, request: VerifyRequest, on_check: Any = None) -> Verdict:
        made = super().verify(request, on_check)
        gone = [
            one.model_copy(update={"counterexample": one.counterexample.model_copy(update={"output": ()})})
            for one in made.concerns
            if one.counterexample is not None
        ]
        return made.model_copy(update={"concerns": tuple(gone)})


class Adding(Gate):
    """Holds a function for a new column, and shows three of its cells."""

    def verify(self, request: VerifyRequest, on_check: Any = None) -> Verdict:
        verdict = super().verify(request, on_check)
        rows = tuple({"gross": gross} for gross in (119, 238, 357))
        made = tuple({**row, "net": row["gross"] / 1.19} for row in rows)
        shown = Counterexample(input=rows, output=made, wanted="")
        concerns = tuple(
            one.model_copy(update={"columns": ("net",), "counterexample": shown}) for one in verdict.concerns
        )
        return verdict.model_copy(update={"concerns": concerns})


def test_the_tester_is_asked_about_each_row_that_a_concern_shows() -> None:
    """What belongs in a new column is said of all of them: one cell may be right by chance."""
    proposer = WithTester(DOUBTFUL, said=[()])
    bench(proposer, gate=Adding()).run()
    [asked] = proposer.asked
    assert [(row.cells, row.columns) for row in asked.rows] == [({"gross": g}, ("net",)) for g in (119, 238, 357)]


def test_the_tester_is_not_asked_whether_a_column_goes() -> None:
    """It says what cells become, and would call the cell of a column that is to go unchanged."""
    proposer = WithTester(DOUBTFUL, said=[(SAID,)])
    run = bench(proposer, gate=Dropping())
    run.run()
    assert proposer.asked == []
    assert [kept.name for kept in run.registry.held()] == ["doubtful"]


@pytest.mark.parametrize("said", [(), ReplyError("mumble")])
def test_without_a_witness_it_is_held(said: Any) -> None:
    """It is kept with its evidence, out of use; the run says so; nothing is called clean or rejected."""
    run = bench(WithTester(DOUBTFUL, said=[said]))
    assert run.run() is RunStatus.FINISHED
    assert run.registry.functions() == ()
    [kept] = run.registry.held()
    assert kept.evidence.verdict.concerns[0].kind == "figures-vanish"
    assert (run.loop.rejected, len(of(WitnessStep, run.steps))) == (0, 1)
    [entry] = of(HeldEntryStep, run.steps)
    assert (entry.name, entry.entered, entry.version) == ("doubtful", True, 1)
    shown = drawn(run.steps)
    for words in ("doubtful is held", "{'text': '12 apples'} → {'text': 'apples'}", "to settle it: Confirm that"):
        assert words in shown


def test_a_witness_against_it_rejects_it() -> None:
    """The tester says otherwise: the candidate fails by its example, and is repaired like any other."""
    other = Example(input={"text": "12 apples"}, output={"text": "12"})
    proposer = WithTester(DOUBTFUL, said=[(other,)], repairs=[GOOD])
    run = bench(proposer)
    run.run()
    assert [f.name for f in run.registry.functions()] == ["good"]
    assert proposer.repair_requests[0].tests == (other,)
    assert run.registry.held() == ()


@pytest.mark.parametrize("has_tester", [True, False])
@pytest.mark.parametrize(
    ("repairs", "promoted", "held"),
    [
        ([NARROW], ["narrow"], []),
        ([DOUBTFUL.replace("df\n", "df  # x\n")], [], ["doubtful"]),
        ([BAD], [], ["doubtful"]),
        ([], [], ["doubtful"]),
    ],
)
def test_what_no_tester_settles_the_model_is_asked_once_to_narrow(
    repairs: list[str], promoted: list[str], held: list[str], has_tester: bool
) -> None:
    """What is narrower and passes is promoted; what is no better leaves the one with the concern held."""
    proposer = WithTester(DOUBTFUL, repairs=[*repairs, GOOD], has_tester=has_tester)
    run = bench(proposer)
    run.run()
    assert [f.name for f in run.registry.functions()] == (promoted or (["good"] if not repairs else []))
    assert [f.name for f in run.registry.held()] == (held if repairs else [])
    assert len(proposer.repair_requests) == 1
    assert proposer.repair_requests[0].verdict.held
    assert bool(proposer.asked) is has_tester


def test_a_run_that_was_cut_off_before_the_narrower_function_asks_for_it() -> None:
    """The journal of an older version, which asked for none where there was a tester, is taken as it is."""
    begun = bench(WithTester(DOUBTFUL, repairs=[NARROW]))
    begun.run()
    kinds = [step.kind for step in begun.steps]
    cut = kinds.index("witness") + 1
    rest = bench(WithTester(repairs=[NARROW]), recorded=RecordedSteps(begun.steps[:cut]))
    rest.run()
    assert [f.name for f in rest.registry.functions()] == ["narrow"]
    kept = bench(WithTester(DOUBTFUL, repairs=[DOUBTFUL]))
    kept.run()
    steps = [step for step in kept.steps if step.kind != "repair"]
    older = bench(WithTester(repairs=[NARROW]), recorded=RecordedSteps(steps))
    older.run()
    assert isinstance(older.proposer, WithTester)
    assert (older.proposer.repair_requests, older.registry.functions()) == ([], ())


def of_column(name: str, column: str) -> str:
    return f'"""i"""\nCONTRACT = {{"modifies": ["{column}"]}}\ndef {name}(df):\n    """d"""\n    return df\n'


@pytest.mark.parametrize(
    ("second", "promoted", "held"), [("good", ["good"], ["doubtful"]), ("doubtful2", [], ["doubtful", "doubtful2"])]
)
def test_a_repair_about_another_column_takes_no_place_of_what_is_held(
    second: str, promoted: list[str], held: list[str]
) -> None:
    """Both are kept and counted, the proposer is told of the first one, and a run that was cut off goes on with it."""
    first, other = of_column("doubtful", "city"), of_column(second, "product")

    def begun(*proposals: str, **more: Any) -> Bench:
        proposer = WithTester(*proposals, repairs=[other], has_tester=False)
        return bench(proposer, gate=Gate(doubtful2=Outcome.HOLD), **more)

    run = begun(first)
    run.run()
    assert [f.name for f in run.registry.functions()] == promoted
    assert [f.name for f in run.registry.held()] == held
    [end] = of(ChunkEndStep, run.steps)
    assert (end.proposed, end.promoted, end.held, end.rejected) == (2, len(promoted), len(held), 0)
    assert isinstance(run.proposer, WithTester)
    assert "doubtful" in [c.name for c in run.proposer.requests[1].rejected]
    holds = [at for at, step in enumerate(run.steps) if step.kind == "hold"]
    for cut in holds:
        rest = begun(recorded=RecordedSteps(run.steps[: cut + 1]))
        rest.run()
        assert [s.kind for s in (*run.steps[: cut + 1], *rest.steps)] == [s.kind for s in run.steps]
    rejecting = begun(first, on_hold="reject")
    rejecting.run()
    assert ([f.name for f in rejecting.registry.functions()], rejecting.registry.held()) == (promoted, ())
    assert rejecting.loop.rejected == len(held)


def test_rules_narrow_what_they_propose_or_it_stays_held() -> None:
    """A proposer without a tester is asked for a function without the columns in doubt."""
    narrowing = bench(ScriptedProposer([DOUBTFUL], [NARROW]))
    narrowing.run()
    assert ([f.name for f in narrowing.registry.functions()], narrowing.registry.held()) == (["narrow"], ())
    proposer = ScriptedProposer([DOUBTFUL])
    holding = bench(proposer)
    holding.run()
    assert [f.name for f in holding.registry.held()] == ["doubtful"]
    assert len(proposer.repair_requests) == 1


def test_nobody_may_be_there_to_decide() -> None:
    """`reject` gives it up; `accept` promotes it with the concern in its evidence and an approval that says why."""
    rejecting = bench(ScriptedProposer([DOUBTFUL]), on_hold="reject")
    assert rejecting.run() is RunStatus.GAVE_UP
    assert (rejecting.registry.held(), rejecting.loop.rejected) == ((), 1)
    accepting = bench(ScriptedProposer([DOUBTFUL]), on_hold="accept")
    assert accepting.run() is RunStatus.CLEAN
    [function] = accepting.registry.functions()
    assert function.evidence.verdict.concerns
    assert accepting.registry.history()[0].events[0].reason == "--on-hold accept"


def test_the_proposer_is_told_what_waits_for_a_person_and_what_was_given_up() -> None:
    """With the checks that have concerns; held functions were told as given up, with no check that they failed."""
    for more, waits in (({}, True), ({"on_hold": "reject"}, False)):
        run = bench(ScriptedProposer([DOUBTFUL, GOOD]), **more)
        run.run()
        assert isinstance(run.proposer, ScriptedProposer)
        [told] = run.proposer.requests[1].rejected
        assert (told.name, told.waits, bool(told.failed)) == ("doubtful", waits, True)


def test_it_is_judged_beside_what_was_promoted_after_it() -> None:
    """At the end of the run; where it does not fit any more it is not kept, and the run says why."""
    fits = bench(ScriptedProposer([DOUBTFUL, GOOD]))
    fits.run()
    assert [f.name for f in fits.registry.held()] == ["doubtful"]
    gate = fits.gate
    assert isinstance(gate, Gate)
    assert [[f.name for f in r.promoted] for r in gate.requests] == [[], [], ["good"]]
    verdicts = iter([Outcome.HOLD, Outcome.PASS, Outcome.FAIL])
    lost = bench(ScriptedProposer([DOUBTFUL, GOOD]), gate=ScriptedGate(lambda *_: next(verdicts)))
    lost.run()
    assert lost.registry.held() == ()
    [entry] = of(HeldEntryStep, lost.steps)
    assert (entry.entered, entry.reason) == (False, "executed: as scripted")
    assert "doubtful is not held: executed" in drawn(lost.steps)


def test_the_budget_ends_the_questions_and_loses_nothing() -> None:
    """The tester's question counts; what is held then waits for the rest of the run."""
    run = bench(WithTester(DOUBTFUL, said=[BudgetExceeded("used up")]))
    assert run.run() is RunStatus.BUDGET
    assert run.registry.held() == ()
    assert of(WitnessStep, run.steps)[0].again


def test_a_run_goes_on_with_what_is_held() -> None:
    """Cut off after any step, the rest gives the same steps; nobody is asked twice, and nothing is entered twice."""
    script = (DOUBTFUL, GOOD, Analysis(source=DOUBTFUL.replace("doubtful", "doubtful2")))
    gate = {"doubtful2": Outcome.HOLD}
    whole = bench(WithTester(*script), gate=Gate(**gate))
    whole.run()
    told = [step.kind for step in whole.steps]
    assert told.count("hold") == told.count("held-entry") == told.count("witness") == 2
    for cut in range(1, len(told)):
        past = whole.steps[:cut]
        proposer = WithTester(*script[sum(step.kind == "analysis" for step in past) :])
        rest = bench(proposer, gate=Gate(**gate), recorded=RecordedSteps(past))
        for step in past:
            if step.kind == "promotion":
                candidate = rest.gate.read(GOOD)
                rest.registry.promote(candidate, whole.registry.functions()[0].evidence)
            elif isinstance(step, HeldEntryStep):
                hold = next(one for one in of(HoldStep, past) if one.sha256 == step.sha256)
                evidence = next(f.evidence for f in whole.registry.held() if f.candidate.sha256 == step.sha256)
                rest.registry.hold(rest.gate.read(hold.source), evidence)
        rest.run()
        assert [s.kind for s in (*past, *rest.steps)] == told, cut
        assert [f.name for f in rest.registry.held()] == ["doubtful", "doubtful2"]


def test_what_is_held_is_not_proposed_again() -> None:
    """The proposer is told in the same chunk; of two of one name the newer one is kept, and the run says so."""
    newer = DOUBTFUL.replace("return df", "return df.copy()")
    proposer = ScriptedProposer([DOUBTFUL, newer])
    run = bench(proposer, limits=RunLimits(max_iterations=5))
    run.run()
    assert [c.name for c in proposer.requests[1].rejected] == ["doubtful"]
    assert [f.candidate.source for f in run.registry.held()] == [newer]
    assert len(of(VerificationStep, run.steps)) == 2
    displaced, kept = of(HeldEntryStep, run.steps)
    assert (displaced.entered, displaced.reason) == (False, "a function of the same name was held after it")
    assert (kept.entered, kept.sha256) == (True, run.registry.held()[0].candidate.sha256)
