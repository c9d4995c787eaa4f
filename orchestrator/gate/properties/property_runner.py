"""Runs drawn rows, has them judged, and makes what fails as small as it gets. Called by the verifier.

Theory of operation. All that was drawn is run once, in the confirming container, and judged in one call. Only when a
law is broken does a search begin, in a container for this candidate alone that is kept for its length: each
round tries many smaller inputs in one job, has them judged in one call and goes on from the smallest that still breaks
the same law. It ends when nothing smaller does, or when its budget is used up.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from pydantic import TypeAdapter, ValidationError

from orchestrator.core.candidate import Candidate
from orchestrator.core.errors import DisposableDied, SandboxError
from orchestrator.core.jobs import Case, Child, ChildResult
from orchestrator.core.policy import Policy
from orchestrator.core.ports import Disposable, Sandbox, SandboxSession
from orchestrator.core.verdict import CheckResult, Counterexample, Outcome
from orchestrator.data.record_tables import is_records, kind_of
from orchestrator.gate.checks import properties
from orchestrator.gate.checks.resources import LOAD, LONG, LONG_MEMORY, LONG_STOPPED, STOPPED
from orchestrator.gate.inputs.case_planner import Stage
from orchestrator.gate.inputs.example_case import ExampleCase
from orchestrator.gate.judge.protocol import ATTEMPTS, AnsweredStage, JudgeRequest, unpack
from orchestrator.gate.properties.lengths import is_long
from orchestrator.gate.properties.loads import LoadCosts, better
from orchestrator.gate.properties.plan import Drawn, work
from orchestrator.gate.properties.search_budget import SearchBudget
from orchestrator.gate.properties.shrink import ShrinkAttempt, smaller

if TYPE_CHECKING:
    import pyarrow as pa

_FOUND = TypeAdapter(list[tuple[str, str, str, Counterexample | None] | None])
Broken = tuple[str, str, str, Counterexample | None]


class PropertyRunner:
    """The drawn inputs of one candidate. `stage` holds the jobs for the laws and the loads.

    `answered`: what the first container showed, of which is told how long the jobs will take.
    """

    def __init__(self, candidate: Candidate, policy: Policy, drawn: Drawn, answered: AnsweredStage) -> None:
        self._candidate, self._policy, self._drawn = candidate, policy, drawn
        self._kinds = kinds_in(drawn.working)
        self.stage = drawn.stage(_cost(answered))

    def again(self, results: Sequence[ChildResult]) -> Stage | None:
        """The loads to run once more before the function is rejected or accepted; None when what is known is enough."""
        costs = LoadCosts.of(self.stage.job.children, results)
        more = self._drawn.more(costs.one_more(self._policy), costs.lengths.more(self._policy))
        again = self.doubtful([(self.stage, results)], costs)
        children = (*again.job.children, *more.job.children)
        return Stage(replace(again.job, children=children), again.orders | more.orders) if children else None

    def measured(
        self, results: Sequence[ChildResult], again: AnsweredStage | None
    ) -> tuple[list[AnsweredStage], LoadCosts]:
        """What ran, with the better of two measurements of a load, and what the loads cost."""
        return self.better([(self.stage, results)], again)

    def better(
        self, answered: Sequence[AnsweredStage], again: AnsweredStage | None
    ) -> tuple[list[AnsweredStage], LoadCosts]:
        """The same, where loads of several stages were measured `again`."""
        stages = list(answered)
        if again is not None:
            second = {child.cases[0].id: one for child, one in zip(again[0].job.children, again[1], strict=True)}
            stages = [(stage, _best(stage, results, second)) for stage, results in answered]
            known = {child.cases[0].id for stage, _ in stages for child in stage.job.children}
            others = _kept(again, lambda child: child.cases[0].id not in known)  # of all else the better one is known
            stages += [others] if others[1] else []
        children = [child for stage, _ in stages for child in stage.job.children]
        return stages, LoadCosts.of(children, [one for _, ends in stages for one in ends])

    def doubtful(self, answered: Sequence[AnsweredStage], costs: LoadCosts) -> Stage:
        """All loads that were run and have to be measured again, as one stage."""
        children = tuple(filter(costs.suspects(self._policy), (c for stage, _ in answered for c in stage.job.children)))
        orders = {name: order for stage, _ in answered for name, order in stage.orders.items()}
        return Stage(replace(self.stage.job, children=children), orders)

    def request(
        self, answered: Sequence[AnsweredStage], costs: LoadCosts, done: Sequence[str], examples: ExampleCase
    ) -> bytes:
        """The request to the judge."""
        facts = {f"{LOAD}{rows}": round(cost * 1e6) for rows, cost in costs.finished.items()}
        facts |= {f"{STOPPED}{rows}": round(cost * 1e6) for rows, cost in costs.stopped.items()}
        lengths = costs.lengths
        facts |= {f"{LONG}{chars}": round(cost * 1e6) for chars, cost in lengths.finished.items()}
        facts |= {f"{LONG_STOPPED}{chars}": round(cost * 1e6) for chars, cost in lengths.stopped.items()}
        facts |= {f"{LONG_MEMORY}{chars}": 1 for chars in lengths.memory}
        request = self._request(done=tuple(done), facts=facts)
        return request.with_examples(examples).packed([_without_long(one) for one in answered])

    def _request(self, done: tuple[str, ...], facts: Mapping[str, int] = MappingProxyType({})) -> JudgeRequest:
        policy = self._policy.gate
        return JudgeRequest(candidate=self._candidate, policy=policy, kinds=self._kinds, done=done, facts=dict(facts))

    def smaller(
        self, sandbox: Sandbox, judge: Disposable, results: Sequence[ChildResult], check: CheckResult
    ) -> CheckResult:
        """The check as it is, or a failed one with a smaller counterexample where one is found."""
        if check.id != properties.ID or check.outcome is not Outcome.FAIL:
            return check
        budget = SearchBudget(self._policy.gate.shrink_s)
        try:
            broken = self._ask(judge, self.stage, results)[0]
            attempt = None if broken is None else ShrinkAttempt.of(broken[0], broken[1], self.stage)
            if broken is None or attempt is None:
                return check
            with sandbox.session(alone=True) as session:
                law, _, detail, shown = self._descend(session, judge, attempt, broken, budget)
        except (SandboxError, DisposableDied, ValidationError, ValueError):
            return check  # the verdict stands; only its example could have been smaller
        return check.model_copy(update={"detail": f"{law}: {detail}", "counterexample": shown})

    def _descend(
        self, session: SandboxSession, judge: Disposable, attempt: ShrinkAttempt, broken: Broken, budget: SearchBudget
    ) -> Broken:
        best = broken
        again = True
        while again:
            again = False
            for tries in smaller(attempt, self._drawn.focus):
                if budget.used_up:
                    break
                answers = self._run(session, judge, tries, best[0], budget)
                fit = [(one, answer) for one, answer in zip(tries, answers, strict=False) if answer is not None]
                if fit:
                    attempt, best = min(fit, key=lambda pair: pair[0].size)
                    again = True
                    break
        return best

    def _run(
        self, session: SandboxSession, judge: Disposable, tries: Sequence[ShrinkAttempt], law: str, budget: SearchBudget
    ) -> list[Broken | None]:
        cases: list[Case] = []
        orders: dict[str, list[int]] = {}
        for number, attempt in enumerate(tries):
            made, order = attempt.cases(f"{number}|", self._drawn.case)
            cases += made
            orders |= order
        job = replace(self.stage.job, children=(Child(tuple(cases), budget.within(self._policy.limits)),))
        results = session.run(job).children
        budget.charge(results)
        return self._ask(judge, Stage(job, orders), results, law)

    def _ask(
        self, judge: Disposable, stage: Stage, results: Sequence[ChildResult], law: str = ""
    ) -> list[Broken | None]:
        done = (law,) if law else ()
        request = self._request(done=done)
        answer, _ = unpack(judge.call(request.packed([_without_long((stage, results))], ATTEMPTS)))
        return _FOUND.validate_python(answer.get("found"))


def kinds_in(working: "pa.Table") -> dict[str, tuple[str, ...]]:
    """Which kinds of values each key of the sample's records has."""
    if not is_records(working):
        return {}
    columns = {name: set(working.column(name).to_pylist()) for name in working.column_names}
    return {name: tuple(sorted(set(map(kind_of, cells)))) for name, cells in columns.items()}


def _best(stage: Stage, results: Sequence[ChildResult], second: Mapping[str, ChildResult]) -> list[ChildResult]:
    measured = zip(stage.job.children, results, strict=True)
    return [better(one, second.get(child.cases[0].id, one)) for child, one in measured]


def _without_long(answered: AnsweredStage) -> AnsweredStage:
    """What the judge looks at: of the long texts only the cost counts."""
    return _kept(answered, lambda child: not is_long(child))


def _kept(answered: AnsweredStage, wanted: Callable[[Child], bool]) -> AnsweredStage:
    stage, results = answered
    kept = [(child, one) for child, one in zip(stage.job.children, results, strict=True) if wanted(child)]
    return replace(stage, job=replace(stage.job, children=tuple(c for c, _ in kept))), [one for _, one in kept]


def _cost(answered: AnsweredStage) -> float:
    """Processor seconds per byte of input and op, as the first container showed."""
    stage, results = answered
    return sum(result.cpu_s for result in results) / max(sum(work(child.cases) for child in stage.job.children), 1)
