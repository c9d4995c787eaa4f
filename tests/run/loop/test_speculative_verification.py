"""The next candidate is judged while the one before it is promoted, and nothing of that shows in what a run does."""

import threading
from collections.abc import Callable
from dataclasses import replace

import pyarrow as pa
import pytest

from orchestrator.core.candidate import Candidate
from orchestrator.core.errors import SandboxError
from orchestrator.core.ports import Sample, VerifyRequest
from orchestrator.core.promoted import Evidence
from orchestrator.core.proposals import Analysis, ChunkStatus, FurtherFunction
from orchestrator.core.requests import ProposalRequest, RepairRequest
from orchestrator.core.steps import AnyStep, VerificationStep
from orchestrator.core.verdict import CheckResult, Outcome, Verdict
from orchestrator.data.chunks import Chunk
from orchestrator.gate.scripted_gate import ScriptedGate
from orchestrator.registry.memory_registry import MemoryRegistry
from orchestrator.run.apply.residual import Rest
from orchestrator.run.loop.loop import Loop
from orchestrator.run.loop.run_context import RunContext, RunTask, fingerprint
from orchestrator.run.loop.stopping import RunLimits
from tests.registry.conftest import make_evidence

SOURCE = '"""i"""\nCONTRACT = {contract}\ndef {name}(df):\n    """d"""\n    return df\n'
NAMES = ["one", "two", "three"]
WAIT_S = 30.0


def source(name: str, **contract: object) -> str:
    return SOURCE.format(name=name, contract=contract)


class OneByOne:
    """Proposes the names one after the other; what it costs is not said."""

    name = "one-by-one"

    def __init__(self, names: list[str] | None = None) -> None:
        self._names = names or NAMES
        self.asked = 0

    def analyse(self, request: ProposalRequest) -> Analysis:
        self.asked += 1
        tried = {s.verdict.candidate.name for s in request.history if isinstance(s, VerificationStep)}
        left = [name for name in self._names if name not in tried]
        return Analysis(source=source(left[0])) if left else Analysis(chunk_status=ChunkStatus.CLEAN)

    def repair(self, repair: RepairRequest) -> Analysis:
        return Analysis()


class Rules(OneByOne):
    """The same, and it costs nothing."""

    costs_nothing = True


class Model(OneByOne):
    """Gives all functions in one answer."""

    def analyse(self, request: ProposalRequest) -> Analysis:
        self.asked += 1
        if request.history:
            return Analysis(chunk_status=ChunkStatus.CLEAN)
        first, *more = map(source, NAMES)
        return Analysis(source=first, more=tuple(FurtherFunction(source=one) for one in more))


class Gate(ScriptedGate):
    """Keeps each request with the thread that asked; `before` runs in that thread."""

    def __init__(self, before: Callable[[str, bool], None] = lambda _name, _ahead: None) -> None:
        super().__init__()
        self._before = before
        self.requests: list[tuple[str, bool, VerifyRequest]] = []

    def verify(self, request: VerifyRequest, on_check: Callable[[CheckResult], None] | None = None) -> Verdict:
        name, ahead = self.read(request.source).name, threading.current_thread().name == "ahead"
        self.requests.append((name, ahead, request))
        self._before(name, ahead)
        return super().verify(request, on_check)

    def asked_for(self) -> list[tuple[str, bool]]:
        return [(name, ahead) for name, ahead, _ in self.requests]


class Bench:
    """A run of one chunk; `promoting` is called before each promotion, as the trial of orders is."""

    def __init__(
        self, proposer: OneByOne, gate: Gate | None = None, promoting: Callable[[str], None] = lambda _name: None
    ) -> None:
        self.steps: list[AnyStep] = []
        self.checks: list[str] = []
        self.registry = MemoryRegistry()
        self.gate = gate or Gate()

        def must_follow(_: Sample, functions: object, candidate: Candidate, evidence: Evidence) -> Evidence:
            promoting(candidate.name)
            return evidence

        self.context = RunContext(
            proposer,
            self.gate,
            self.registry,
            lambda sample, functions: Rest(sample, tuple(functions)),
            self._record,
            lambda check: self.checks.append(check.id),
            must_follow=must_follow,
        )

    def _record(self, step: AnyStep) -> None:
        self.checks.append(f"-- {step.kind}")
        self.steps.append(step)

    def run(self, **limits: int) -> "Bench":
        table = pa.table({"city": ["a", "b"]})
        Loop(self.context, RunTask(run_id="r"), RunLimits(**limits)).run(
            [Chunk(0, table, table.slice(0, 1), (0, 1), (0,))]
        )
        return self

    def told(self) -> list[tuple[str, str, str]]:
        return [(s.kind, str(getattr(s, "name", "")), str(getattr(s, "against", ""))) for s in self.steps]


def in_turn(proposer: OneByOne) -> Bench:
    """The same run with nothing judged ahead: with two lanes nothing is."""
    return Bench(proposer).run(lanes=2)


def waits_for(event: threading.Event) -> None:
    assert event.wait(WAIT_S), "nothing was judged meanwhile"


def test_the_next_candidate_is_judged_while_one_is_promoted() -> None:
    """No promotion ends before the verdict after it has begun, and each candidate is judged once."""
    begun = {name: threading.Event() for name in NAMES}
    following = dict(zip(NAMES, [*NAMES[1:], ""], strict=True))

    def promoting(name: str) -> None:
        if following[name]:
            waits_for(begun[following[name]])

    bench = Bench(Rules(), Gate(lambda name, _: begun[name].set()), promoting).run()
    assert [f.name for f in bench.registry.functions()] == NAMES
    assert bench.gate.asked_for() == [("one", False), ("two", True), ("three", True)]


@pytest.mark.parametrize("proposer", [Rules, Model])
@pytest.mark.parametrize("slow", ["the promotion", "the verdict"])
def test_the_steps_are_those_of_a_run_without_it(proposer: type[OneByOne], slow: str) -> None:
    """Whichever is there first: the same steps in the same order, checks right before their verdict, each once."""
    promoted, judged = threading.Event(), threading.Event()

    def before(_name: str, ahead: bool) -> None:
        if ahead and slow == "the verdict":
            waits_for(promoted)
        if ahead:
            judged.set()

    def promoting(name: str) -> None:
        if name == "one" and slow == "the promotion":
            waits_for(judged)
        promoted.set()

    bench, plain = Bench(proposer(), Gate(before), promoting).run(), in_turn(proposer())
    assert bench.told() == plain.told()
    assert bench.checks == plain.checks
    assert any(ahead for _, ahead in bench.gate.asked_for())
    assert not any(ahead for _, ahead in plain.gate.asked_for())


def test_a_model_is_asked_in_its_turn_only() -> None:
    """What it has answered already is judged ahead; nothing is asked ahead that may cost something."""
    proposer = Model()
    bench = Bench(proposer).run()
    assert bench.gate.asked_for() == [("one", False), ("two", True), ("three", True)]
    assert proposer.asked == 2
    assert Bench(OneByOne()).run().gate.asked_for() == [(name, False) for name in NAMES]


def test_rules_are_asked_once_for_each_function() -> None:
    """The answer that was given ahead is the one that is used."""
    proposer = Rules()
    Bench(proposer).run()
    assert proposer.asked == len(NAMES) + 1


def test_what_is_outdated_is_not_used() -> None:
    """Somebody else promotes a function meanwhile: the next candidate is judged again, beside that one as well."""
    begun = threading.Event()

    def promoting(name: str) -> None:
        if name == "one":
            waits_for(begun)
            foreign = bench.gate.read(source("foreign"))
            bench.registry.promote(foreign, make_evidence(foreign))

    bench = Bench(Rules(["one", "two"]), Gate(lambda name, _: begun.set() if name == "two" else None), promoting)
    bench.run()
    assert bench.gate.asked_for() == [("one", False), ("two", True), ("two", False)]
    beside = [[f.name for f in request.promoted] for _, _, request in bench.gate.requests]
    assert beside == [[], ["one"], ["foreign", "one"]]
    verdicts = [step for step in bench.steps if isinstance(step, VerificationStep)]
    assert [step.verdict.candidate.name for step in verdicts] == ["one", "two"]
    assert verdicts[1].against == fingerprint(bench.registry.functions()[:2])


@pytest.mark.parametrize("trouble", [SandboxError("broke"), ValueError("a bug"), Outcome.INFRA])
def test_trouble_ahead_harms_nothing(trouble: Exception | Outcome) -> None:
    """Where the machinery fails ahead, the candidate is judged in its turn, and only what fails there counts."""

    class Troubled(Gate):
        def verify(self, request: VerifyRequest, on_check: Callable[[CheckResult], None] | None = None) -> Verdict:
            ahead = threading.current_thread().name == "ahead"
            self._script = lambda _candidate, _sample: Outcome.INFRA if ahead else Outcome.PASS
            verdict = super().verify(request, on_check)
            if ahead and isinstance(trouble, Exception):
                raise trouble
            return verdict

    bench = Bench(Rules(), Troubled()).run()
    assert bench.told() == in_turn(Rules()).told()
    assert bench.checks == in_turn(Rules()).checks, "nothing is said of the verdict that does not count"
    assert sum(ahead for _, ahead in bench.gate.asked_for()) == 2


@pytest.mark.parametrize("error", [KeyboardInterrupt(), SandboxError("broke")])
def test_nothing_waits_for_it_when_the_run_ends(error: BaseException) -> None:
    """An interrupt or a failure while a function is promoted ends the run at once, though a verdict is under way."""
    begun, ended = threading.Event(), threading.Event()

    def before(_name: str, ahead: bool) -> None:
        if ahead:
            begun.set()
            ended.wait(WAIT_S)

    def promoting(_name: str) -> None:
        waits_for(begun)
        raise error

    bench = Bench(Rules(), Gate(before), promoting)
    try:
        with pytest.raises(type(error)):
            bench.run()
        thread = next(one for one in threading.enumerate() if one.name == "ahead")
        assert not thread.daemon, "Python would end it inside foreign code"
        assert [step.kind for step in bench.steps] == ["chunk", "analysis", "candidate", "verification"]
    finally:
        ended.set()
        thread.join(WAIT_S)
    assert [step.kind for step in bench.steps] == ["chunk", "analysis", "candidate", "verification"]


def test_rows_that_cannot_be_made_are_met_in_their_turn() -> None:
    """A function is promoted, also where what it leaves cannot be computed for the next one."""
    bench = Bench(Rules())

    def residual(sample: Sample, functions: object) -> Rest:
        if functions:
            raise SandboxError("broke")
        return Rest(sample, ())

    bench.context = replace(bench.context, residual=residual)
    with pytest.raises(SandboxError, match="broke"):
        bench.run()
    assert [f.name for f in bench.registry.functions()] == ["one"]
    assert bench.gate.asked_for() == [("one", False)]


def test_nothing_is_judged_that_has_no_turn() -> None:
    """After the last proposal that a chunk may have, nothing is judged ahead."""
    bench = Bench(Rules()).run(max_iterations=2)
    assert bench.gate.asked_for() == [("one", False), ("two", True)]


def test_a_function_that_replaces_another_one_is_left_to_its_turn() -> None:
    """It is judged on the rows without the one that it replaces, which are not there yet."""

    class Replaces(Model):
        def analyse(self, request: ProposalRequest) -> Analysis:
            if request.history:
                return Analysis(chunk_status=ChunkStatus.CLEAN)
            more = (FurtherFunction(source=source("better", replaces="one")),)
            return Analysis(source=source("one"), more=more)

    bench = Bench(Replaces()).run()
    assert bench.gate.asked_for() == [("one", False), ("better", False)]
    assert bench.told() == in_turn(Replaces()).told()
