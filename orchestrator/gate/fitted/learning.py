"""Has a fitted candidate learn from the sample, and its learning judged, before its `transform` is. Called by verifier.

What it learnt there is the state with which all other checks run it: given a state, a fitted function is a function of
tables, and every law of those holds for it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from orchestrator.core.candidate import Candidate
from orchestrator.core.conventions import Conventions
from orchestrator.core.fitted import LearntState
from orchestrator.core.policy import Policy
from orchestrator.core.ports import Sample
from orchestrator.gate.checks.fitted_checks import learns
from orchestrator.gate.execution import Execution, VerdictDecided, failed
from orchestrator.gate.fitted.agreement import agreed_answers
from orchestrator.gate.fitted.learning_plan import MORE, NONE, ONE, OTHERS, WHOLE, LearningPlan
from orchestrator.gate.judge.protocol import STATES, AnsweredStage, JudgeRequest
from orchestrator.gate.verdict_builder import VerdictBuilder


@dataclass(frozen=True)
class Learning:
    """How a fitted candidate is taught."""

    execution: Execution
    policy: Policy
    seed: Callable[[], int]

    def taught(
        self, candidate: Candidate, sample: Sample, conventions: Conventions | None, builder: VerdictBuilder
    ) -> Candidate | None:
        """The candidate with what it learnt; None where a check of its learning failed."""
        plan = LearningPlan(candidate, sample, self.policy.limits, self.seed())
        first = self.execution.run(plan.first(), builder)
        states = self._judged(JudgeRequest(candidate=candidate, policy=self.policy.gate), [first], builder)
        if states is None:
            return None
        if not {WHOLE, NONE, ONE, OTHERS} <= states.keys():
            raise VerdictDecided(failed(learns.ID, "hostile-output: the judge gave no state, and no failed check"))
        second = self.execution.run(plan.second(states), builder)
        answered = [first, second]
        more = self._judged(JudgeRequest(candidate=candidate, policy=self.policy.gate), [second], builder)
        if more is not None and MORE in more:
            answered.append(self.execution.run(plan.third(more[MORE]), builder))
        agreed = agreed_answers(sample, candidate.contract, conventions, of_one_row=True)
        request = JudgeRequest(candidate=candidate, policy=self.policy.gate, agreed=agreed, final=True)
        if self._judged(request, answered, builder) is None:
            return None
        builder.state = LearntState.of(states[WHOLE], plan.rows)
        return candidate.model_copy(update={"state": states[WHOLE]})

    def _judged(
        self, request: JudgeRequest, answered: list[AnsweredStage], builder: VerdictBuilder
    ) -> dict[str, str] | None:
        """The states by case, after what the judge found is noted; None where a check failed."""
        request = request.model_copy(update={"done": tuple(builder.known)})
        answer, blobs = self.execution.judge(request.packed(answered, STATES), builder, learns.ID)
        names: Any = answer.get("states", ())
        if not isinstance(names, list) or len(names) != len(blobs):
            raise VerdictDecided(failed(learns.ID, "hostile-output: the judge gave an invalid answer"))
        if builder.settled:
            return None
        return {str(name): blob.decode("utf-8", "replace") for name, blob in zip(names, blobs, strict=True)}
