"""Judges what one container cannot show: a second run, the promoted functions on the result, and drawn rows.

Called by the verifier for a candidate that the first container did not fail. What does not need one another's result
runs side by side, and its results are noted in the order in which they would be known one after the other.
"""

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from orchestrator.core.jobs import ChildResult, Ended
from orchestrator.core.policy import Policy
from orchestrator.core.ports import Disposable, Sandbox
from orchestrator.core.promoted import Promoted
from orchestrator.core.verdict import CheckResult, Outcome
from orchestrator.gate.checks import composes, holdout, properties, resources
from orchestrator.gate.checks.catalog import ORDER
from orchestrator.gate.execution import Execution, VerdictDecided, infra
from orchestrator.gate.inputs import composing
from orchestrator.gate.inputs.case_planner import Stage
from orchestrator.gate.inputs.example_case import ExampleCase
from orchestrator.gate.judge.protocol import AnsweredStage, JudgeRequest
from orchestrator.gate.properties.property_runner import PropertyRunner
from orchestrator.gate.recheck_cache import ObservedCandidate
from orchestrator.gate.verdict_builder import VerdictBuilder

_ON_DRAWN_ROWS = {properties.ID, resources.ID}  # the checks that are judged on nothing else


class JudgedDrawn(NamedTuple):
    """What the judge says of the drawn rows. `unsure`: why a cost that looks too high may be the machine's fault."""

    checks: tuple[CheckResult, ...]
    unsure: str


class Confirmation:
    """The second half of a verdict. `team`: whether the team's own checks are asked, too."""

    def __init__(
        self, sandbox: Sandbox, disposable: Disposable, policy: Policy, execution: Execution, *, team: bool
    ) -> None:
        self._sandbox = sandbox
        self._disposable = disposable
        self._policy = policy
        self._execution = execution
        self._team = team

    def run(
        self, stage: Stage, runner: PropertyRunner | None, builder: VerdictBuilder
    ) -> tuple[AnsweredStage, tuple[ChildResult, ...]]:
        """Run the confirming container; what was drawn runs in it as well, in processes of its own."""
        own = len(stage.job.children)
        more = () if runner is None else runner.stage.job.children
        job = replace(stage.job, children=(*stage.job.children, *more))
        _, results = self._execution.run(replace(stage, job=job), builder)
        return (stage, results[:own]), tuple(results[own:])

    def run_promoted(
        self, promoted: Sequence[Promoted], rows: bytes, result: bytes, builder: VerdictBuilder
    ) -> AnsweredStage | None:
        """Run the promoted functions before and after the candidate, in one process; None where there are none."""
        if not promoted:
            return None
        stage = composing.together(promoted, rows, result, self._policy.limits)
        return self._execution.run(stage, builder, among_promoted=True)

    def judge(
        self,
        observed: ObservedCandidate,
        promoted: Sequence[Promoted],
        together: AnsweredStage | None,
        builder: VerdictBuilder,
        seen: AnsweredStage | None = None,
    ) -> None:
        """Judge the second run, and what the promoted functions did; these run alone where the judge is not content.

        `seen`: the first run, whose rows are evidence where something is suspected of the held-out ones.
        """
        candidate, first = observed.candidate, observed.first
        request = JudgeRequest(
            candidate=candidate,
            policy=self._policy.gate,
            done=tuple(builder.known),
            asked=observed.wanted.asked,
            matter=observed.wanted.matter,
            reads=observed.wanted.reads,
            facts=first.facts,
            orders={} if first.origin is None else {"chained-origin": first.origin},
            promoted=tuple(function.name for function in promoted),
            promoted_contracts=tuple(function.candidate.contract for function in promoted),
            duplicate_of=next((p.name for p in promoted if p.candidate.sha256 == candidate.sha256), ""),
            rules=self._policy.columns,
            team=self._team,
            final=True,
        ).with_examples(observed.examples)
        if together is None:
            builder.note(self._ask(request, [observed.confirmed], seen, builder))
            return
        if all(result.ended is Ended.OK for result in together[1]):
            checks = self._ask(request, [observed.confirmed, together], seen, builder)
            composed = request.names_taken or not any(c.id == composes.ID and c.outcome is Outcome.FAIL for c in checks)
            builder.note(check for check in checks if composed or check.id != composes.ID)
            if composed:
                return
        stage = composing.alone(promoted, observed.planner.working_bytes, first.result, self._policy.limits)
        alone = self._execution.run(stage, builder, among_promoted=True)
        request = request.model_copy(update={"done": tuple(builder.known)})
        builder.note(self._ask(request, [observed.confirmed, alone], seen, builder))

    def _ask(
        self,
        request: JudgeRequest,
        answered: Sequence[AnsweredStage],
        seen: AnsweredStage | None,
        builder: VerdictBuilder,
    ) -> list[CheckResult]:
        """What the judge says of these stages; of held-out rows that it suspects, with what it has `seen` before."""
        checks, _, _ = self._execution.ask(request.packed(answered), builder, "confirmed")
        if seen is None or not any(c.id == holdout.ID and c.outcome is Outcome.HOLD for c in checks):
            return list(checks)
        alone = request.model_copy(update={"done": tuple(set(ORDER) - {holdout.ID})})
        again, _, _ = self._execution.ask(alone.packed([seen, *answered]), builder, "confirmed")
        return [*(c for c in checks if c.id != holdout.ID), *again]

    def judge_drawn(
        self, runner: PropertyRunner, drawn: Sequence[ChildResult], examples: ExampleCase, builder: VerdictBuilder
    ) -> JudgedDrawn:
        """Have what was drawn judged; measure a cost that looks too high once more. Nothing is noted."""
        answered, costs, unsure = self._execution.measured(runner, drawn, builder)
        done = set(ORDER) - (_ON_DRAWN_ROWS - set(builder.known))
        request = runner.request(answered, costs, sorted(done), examples)
        checks, _, _ = self._execution.ask(request, builder, "properties")
        return JudgedDrawn(checks, unsure)

    def note_drawn(
        self, runner: PropertyRunner, drawn: Sequence[ChildResult], judged: JudgedDrawn, builder: VerdictBuilder
    ) -> None:
        """Note what the judge says of the drawn rows; make what fails smaller. Raises VerdictDecided."""
        blamed = judged.unsure and any(c.id == resources.ID and c.outcome is Outcome.FAIL for c in judged.checks)
        started = time.perf_counter()
        builder.note(
            runner.smaller(self._sandbox, self._disposable, drawn, check)
            for check in judged.checks
            if not (blamed and check.id == resources.ID)
        )
        builder.spent("sandbox_s", started)
        if blamed and not builder.settled:
            raise VerdictDecided(infra(resources.ID, judged.unsure))
