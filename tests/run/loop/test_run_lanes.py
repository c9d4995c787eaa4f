"""Several chunks in flight: what is promoted does not depend on who is faster, and one lane's trouble ends the run."""

import threading
import time
from collections.abc import Callable

import pyarrow as pa
import pytest

from orchestrator.core.errors import BudgetExceeded, SandboxError
from orchestrator.core.ports import VerifyRequest
from orchestrator.core.proposals import Analysis, ChunkStatus
from orchestrator.core.requests import ProposalRequest, RepairRequest
from orchestrator.core.steps import AnyStep, ChunkEndStep, PromotionStep, RunStatus, VerificationStep
from orchestrator.core.verdict import CheckResult, Outcome, Verdict
from orchestrator.data.chunks import Chunk
from orchestrator.gate.scripted_gate import ScriptedGate
from orchestrator.registry.memory_registry import MemoryRegistry
from orchestrator.run.apply.residual import Rest
from orchestrator.run.loop.loop import Loop
from orchestrator.run.loop.run_context import RunContext, RunTask
from orchestrator.run.loop.stopping import RunLimits

TABLE = pa.table({"city": ["a", "b"]})
SOURCE = '"""i"""\ndef {name}(df):\n    """d"""\n    return df\n'
CLEAN = Analysis(chunk_status=ChunkStatus.CLEAN)


class PerChunk:
    """Answers by the chunk's number: one function each, then clean. Keeps how many were asked at once."""

    name = "per-chunk"

    def __init__(self, answer: Callable[[ProposalRequest], Analysis] | None = None, meet: int = 1) -> None:
        """`meet`: so many questions about the first chunks wait for each other."""
        self._answer = answer or self._usual
        self._meet, self._together = meet, threading.Barrier(meet, timeout=60)
        self._lock = threading.Lock()
        self._now = 0
        self.most = 0

    def analyse(self, request: ProposalRequest) -> Analysis:
        with self._lock:
            self._now += 1
            self.most = max(self.most, self._now)
        try:
            if request.chunk_index < self._meet and request.iteration == 1:
                self._together.wait()
            time.sleep(0.01 * (1 + request.chunk_index % 3))
            return self._answer(request)
        finally:
            with self._lock:
                self._now -= 1

    def repair(self, repair: RepairRequest) -> Analysis:
        return Analysis()

    @staticmethod
    def _usual(request: ProposalRequest) -> Analysis:
        if request.iteration > 1:
            return CLEAN
        return Analysis(source=SOURCE.format(name=f"mend_{request.chunk_index}"))


class Bench:
    def __init__(self, proposer: PerChunk, lanes: int, gate: ScriptedGate | None = None) -> None:
        self.steps: list[AnyStep] = []
        self.registry = MemoryRegistry()
        around = RunContext(
            proposer,
            gate or ScriptedGate(),
            self.registry,
            lambda sample, functions: Rest(sample, tuple(functions)),
            self.steps.append,
            lambda _: None,
        )
        self.loop = Loop(around, RunTask(run_id="r1"), RunLimits(lanes=lanes, max_repairs=0, saturation=99))

    def run(self, chunks: int) -> RunStatus:
        return self.loop.run(Chunk(i, TABLE, TABLE.slice(0, 1), (0, 1), (0,)) for i in range(chunks))

    def names(self) -> list[str]:
        return [f.name for f in self.registry.functions()]


def test_the_same_functions_with_any_number_of_lanes() -> None:
    """Twelve chunks, one lane or four: the same set, each once; as many questions at once as lanes, never more."""
    alone, together = PerChunk(), PerChunk(meet=4)
    one, four = Bench(alone, 1), Bench(together, 4)
    assert one.run(12) is four.run(12) is RunStatus.CLEAN
    assert sorted(one.names()) == sorted(four.names()) == sorted(f"mend_{n}" for n in range(12))
    assert (alone.most, together.most) == (1, 4)


def test_every_lane_writes_its_steps_in_order() -> None:
    """The steps of one chunk are in the order of one lane, however they interleave with others."""
    bench = Bench(PerChunk(), 4)
    bench.run(8)
    kinds = [s.kind for s in bench.steps if getattr(s, "chunk", None) == 5]
    kinds = [kind for number, kind in enumerate(kinds) if kind != "verification" or kinds[number - 1] != kind]
    assert kinds == [
        "chunk", "analysis", "candidate", "verification", "promotion", "analysis", "chunk-end"
    ]  # fmt: skip


def test_a_candidate_is_judged_again_beside_what_others_promoted() -> None:
    """What passed beside an older registry, and fails beside the newest, is not promoted."""
    both = threading.Barrier(2, timeout=60)

    class Jealous(ScriptedGate):
        """Lets two candidates pass together, and none beside a promoted function."""

        def verify(self, request: VerifyRequest, on_check: Callable[[CheckResult], None] | None = None) -> Verdict:
            if not request.promoted:
                both.wait()
            name = self.read(request.source).name
            self._script = {name: Outcome.FAIL if request.promoted else Outcome.PASS}
            return super().verify(request)

    bench = Bench(PerChunk(), 2, Jealous())
    bench.run(2)
    assert len(bench.names()) == 1
    assert sum(isinstance(step, PromotionStep) for step in bench.steps) == 1
    verdicts = [step.verdict.passed for step in bench.steps if isinstance(step, VerificationStep)]
    assert sorted(verdicts) == [False, True, True]
    assert not any(step.rejected for step in bench.steps if isinstance(step, ChunkEndStep)), "it was not given up"


def test_the_same_function_from_two_lanes_is_promoted_once() -> None:
    """Who comes second finds it there and goes on."""

    def answer(request: ProposalRequest) -> Analysis:
        return CLEAN if request.iteration > 1 else Analysis(source=SOURCE.format(name="same"))

    bench = Bench(PerChunk(answer), 4)
    assert bench.run(8) is RunStatus.CLEAN
    assert bench.names() == ["same"]
    assert sum(isinstance(step, PromotionStep) for step in bench.steps) == 1


def test_a_used_up_budget_ends_all_lanes() -> None:
    """What was proposed is still judged and promoted; nothing more is asked."""
    asked = []

    def answer(request: ProposalRequest) -> Analysis:
        asked.append(request)
        if len(asked) > 5:
            raise BudgetExceeded("used up")
        return PerChunk._usual(request)

    bench = Bench(PerChunk(answer), 3)
    assert bench.run(50) is RunStatus.BUDGET
    assert len(asked) <= 5 + 3
    proposed = {step.name for step in bench.steps if step.kind == "candidate"}
    assert set(bench.names()) == proposed


@pytest.mark.parametrize("error", [SandboxError("broke"), KeyboardInterrupt()])
def test_trouble_in_one_lane_ends_the_run(error: BaseException) -> None:
    """The first error is what the caller gets."""

    def answer(request: ProposalRequest) -> Analysis:
        if request.chunk_index == 3:
            raise error
        return PerChunk._usual(request)

    with pytest.raises(type(error)):
        Bench(PerChunk(answer), 4).run(30)


def test_chunks_after_saturation_are_not_begun() -> None:
    """Two quiet chunks in a row are counted in the order of the chunks."""
    proposer = PerChunk(lambda _request: CLEAN)
    bench = Bench(proposer, 3)
    bench.loop = Loop(bench.loop._context, RunTask(), RunLimits(lanes=3, saturation=2))
    bench.run(100)
    assert sum(isinstance(step, ChunkEndStep) for step in bench.steps) < 20
