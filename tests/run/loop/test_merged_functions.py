"""Mergers: by whose word they are judged, and what is said of one in doubt."""

from pathlib import Path
from typing import Any

import pytest

from orchestrator import bootstrap
from orchestrator.core.candidate import Example, Shape
from orchestrator.core.exchanges import Exchange
from orchestrator.core.policy import Policy
from orchestrator.core.ports import VerifyRequest
from orchestrator.core.promoted import Promoted
from orchestrator.core.proposals import Analysis, ChunkStatus, Consolidation, Merger, WitnessAnswer
from orchestrator.core.requests import WitnessRequest
from orchestrator.core.steps import MergerStep
from orchestrator.core.verdict import Outcome, Verdict
from orchestrator.core.witnesses import Witnesses
from orchestrator.data.disposable.disposable_process import DisposableProcess
from orchestrator.gate.scripted_gate import ScriptedGate
from orchestrator.propose.scripted_models import ScriptedPlanner
from orchestrator.run.journal.journal import read_journal
from orchestrator.run.loop.merger import said_of_replaced
from orchestrator.run.loop.run_summary import RefusedMerger, RunSummary
from orchestrator.run.loop.stopping import RunLimits
from orchestrator.run.services import Services
from orchestrator.sandbox.containers.local import LocalSandbox
from tests.registry.conftest import make_candidate, make_evidence
from tests.run.loop.test_run_shapes import request_for, run, trim

SAID = Example(input={"b": "b1 "}, output={"b": "b1"})


class DoubtingGate(ScriptedGate):
    """Holds every function of `b`, unless it is judged by what a tester said."""

    def verify(self, request: VerifyRequest, on_check: Any = None) -> Verdict:
        doubtful = "'b'" in request.source and SAID not in request.tests
        self._script = lambda *_: Outcome.HOLD if doubtful else Outcome.PASS
        return super().verify(request, on_check)


class PlannerWithTester(ScriptedPlanner):
    """A planner whose run has a tester."""

    has_tester = True

    def testify(self, request: WitnessRequest) -> WitnessAnswer:
        asked = Exchange(role="tester", model="a-tester", about="rows in doubt")
        return WitnessAnswer(tests=(SAID,), exchanges=(asked,))


@pytest.fixture(scope="module")
def doubting(local_sandbox: LocalSandbox, decoder: DisposableProcess) -> Services:
    return Services(local_sandbox, DoubtingGate, decoder, Policy(), "policy", bootstrap.open_registry)


@pytest.fixture(scope="module")
def parts(local_sandbox: LocalSandbox, decoder: DisposableProcess) -> Services:
    return Services(local_sandbox, ScriptedGate, decoder, Policy(), "policy", bootstrap.open_registry)


def merged(parts: Services, folder: Path, replaces: tuple[str, ...]) -> tuple[MergerStep, RunSummary]:
    clean = Analysis(chunk_status=ChunkStatus.CLEAN)
    functions: list[str | Analysis] = [
        trim("trim_a", "a"),
        clean,
        clean,
        trim("trim_b", "b"),
        clean,
        clean,
        trim("trim_c", "c"),
    ]
    plan = Consolidation(mergers=(Merger(replaces=replaces, source=trim("trim_all", "a", "b", "c")),))
    proposer = PlannerWithTester(functions, [Consolidation(), plan])
    limits = RunLimits(plan_every=1, saturation=9)
    request = request_for(folder, Shape.RECORD, limits=limits).model_copy(update={"chunk_rows": 6})
    summary = run(request, parts, proposer)
    [step] = [step for step in read_journal(folder / "out" / "run.jsonl") if isinstance(step, MergerStep)]
    return step, summary


def test_what_a_tester_settled_settles_the_merger(doubting: Services, tmp_path: Path) -> None:
    """It was held for the doubt that the functions had which it was to replace, and refused without a reason."""
    step, summary = merged(doubting, tmp_path, ("trim_a", "trim_b", "trim_c"))
    assert (step.adopted, step.reason, summary.promoted) == (True, "", ("trim_all",))
    assert summary.refused_mergers == ()
    with bootstrap.open_registry(f"sqlite:///{tmp_path}/out/registry/registry.db") as registry:
        [kept] = registry.functions()
    settled = kept.evidence.verdict.settled
    assert kept.evidence.witnesses.tests == (SAID,)
    assert settled is not None
    assert (settled.by, [one.kind for one in settled.concerns]) == ("a-tester", ["figures-vanish"])


def test_a_merger_in_doubt_is_refused_with_the_doubt(doubting: Services, tmp_path: Path) -> None:
    """It was `rejected by` nothing, and the summary did not say it."""
    step, summary = merged(doubting, tmp_path, ("trim_a", "trim_c"))
    assert step.reason == "in doubt, and nobody is asked about a merger: as scripted"
    assert step.counterexample is not None
    assert step.counterexample.input == ({"text": "12 apples"},)
    assert summary.refused_mergers == (
        RefusedMerger(name="trim_all", replaces=("trim_a", "trim_c"), reason=step.reason),
    )


def test_a_merger_may_do_no_more_than_what_it_replaces(parts: Services, tmp_path: Path) -> None:
    """One that changes the same cells of the chunks, and may change another column of the rest, is refused."""
    step, _ = merged(parts, tmp_path, ("trim_a", "trim_c"))
    assert step.reason == "its contract lets it change 'b', and none of those that it would replace does so"
    assert not step.adopted


def of(name: str, column: str, *tests: Example, **contract: Any) -> Promoted:
    made = make_candidate(name, column)
    made = made.model_copy(update={"contract": made.contract.model_copy(update=contract)})
    evidence = make_evidence(made, witnesses=Witnesses(tests=tests))
    return Promoted.model_validate(
        {"candidate": made, "evidence": evidence, "order": 0, "promoted_at": "2026-01-01T00:00:00Z"}
    )


def test_of_cells_that_several_of_them_change_the_tester_said_what_only_one_makes() -> None:
    """Whoever strips a text leaves two blanks inside of it, and the merger has not to."""
    both = Example(input={"city": " Bad  Bonn", "zip": " 1"}, output={"city": "Bad  Bonn", "zip": "1"})
    strip, squeeze = of("strip", "city", both, modifies=("city", "zip")), of("squeeze", "city")
    assert said_of_replaced([strip, squeeze]) == (Example(input=both.input, output={"zip": "1"}),)
    assert said_of_replaced([strip, of("other", "street")]) == (both,)
    assert said_of_replaced([strip, of("any", "city", modifies=None)]) == ()


def test_what_one_of_them_adds_is_in_no_row_of_the_merger() -> None:
    """The row was asked about after another one had added a column; in front of the merger there is none."""
    said = Example(input={"name": "Ann King", "year": "2024"}, output={"first": "Ann"})
    replaced = [of("names", "first", said), of("years", "joined", adds=("year",), modifies=())]
    assert said_of_replaced(replaced) == (Example(input={"name": "Ann King"}, output={"first": "Ann"}),)
