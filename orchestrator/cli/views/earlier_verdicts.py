"""What a step means after the verdicts before it, in words. Called by the live display and by the tree of a run."""

from orchestrator.core.steps import RepairStep, RunStep, Step, VerificationStep, WitnessStep
from orchestrator.core.verdict import Outcome

_Place = tuple[int, int, int]


class EarlierVerdicts:
    """Is told every step of a run in turn, also those before it was resumed."""

    def __init__(self) -> None:
        self._judged: set[_Place] = set()
        self._witnessed: set[_Place] = set()
        self._held: set[tuple[int, int]] = set()  # by chunk and iteration: the newest verdict
        self._passed: dict[str, int] = {}  # the first chunk in which a source passed, by its hash
        self._keeps = True

    def take(self, step: Step) -> None:
        """Remember the step, after it was shown. A verdict that the sandbox failed to reach is none."""
        if isinstance(step, RunStep):
            self._keeps = step.configuration.get("on_hold") != "reject"
        elif isinstance(step, WitnessStep):
            self._witnessed.add(_place(step))
        elif isinstance(step, VerificationStep) and step.verdict.verdict is not Outcome.INFRA:
            self._judged.add(_place(step))
            if step.verdict.passed:
                self._passed.setdefault(step.verdict.candidate.sha256, step.chunk)
            (self._held.add if step.verdict.held else self._held.discard)((step.chunk, step.iteration))

    def passed_elsewhere(self, step: VerificationStep) -> bool:
        """Whether another lane has said of this very function that it passed: it is promoted once."""
        return step.verdict.passed and self._passed.get(step.verdict.candidate.sha256, step.chunk) != step.chunk

    def why_again(self, step: VerificationStep) -> str:
        """Why the candidate is judged once more; empty where it was not judged before."""
        if _place(step) not in self._judged:
            return ""
        witnessed = _place(step) in self._witnessed
        return "with the tester's examples" if witnessed else "beside what was promoted meanwhile"

    def without_repair(self, step: RepairStep) -> str:
        """What it means that no repair was proposed: a candidate with concerns is kept without one."""
        held = (step.chunk, step.iteration) in self._held
        return "no narrower function is proposed" if held and self._keeps else "given up"


def _place(step: VerificationStep | WitnessStep) -> _Place:
    return step.chunk, step.iteration, step.attempt
