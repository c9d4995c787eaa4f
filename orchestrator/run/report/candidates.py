"""Every candidate that was submitted, with its verdict and what became of it. Called by `summary` and `plans`."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from orchestrator.core.candidate import Candidate, Example
from orchestrator.core.errors import CandidateError
from orchestrator.core.proposals import ProbeFinding
from orchestrator.core.steps import (
    AnalysisStep,
    AnyStep,
    CandidateStep,
    HeldEntryStep,
    HoldStep,
    MergerStep,
    PromotionStep,
    RepairStep,
    VerificationStep,
    WitnessStep,
)
from orchestrator.core.verdict import Counterexample, Verdict
from orchestrator.gate.candidate_file import read

_Where = tuple[int, int, int]  # chunk, iteration, attempt


@dataclass
class CandidateHistory:
    """One submitted candidate, with all that is known about it."""

    candidate: Candidate
    chunk: int
    iteration: int
    attempt: int
    readable: bool = True
    tests: tuple[Example, ...] = ()  # by the independent tester
    findings: tuple[ProbeFinding, ...] = ()  # the explorer's findings in the chunk
    verdict: Verdict | None = None
    promoted: PromotionStep | None = None
    repaired: bool = False  # a later attempt was promoted
    held: bool = False  # waits for a person
    gone: str = ""  # why it is no longer in use, though it was promoted
    changed: dict[str, int] = field(default_factory=dict)  # cells by column, in the whole data set

    @property
    def changed_cells(self) -> int:
        return sum(self.changed.values())

    @property
    def active(self) -> bool:
        """Whether it was promoted and not replaced."""
        return self.promoted is not None and not self.gone

    @property
    def shown_tests(self) -> Counterexample:
        """The tester's examples as rows; a text is shown in a column of its own."""
        rows = [(_row(test.input), _row(test.output)) for test in self.tests]
        return Counterexample(input=tuple(one for one, _ in rows), output=tuple(two for _, two in rows))


class _Reading:
    """What is known after each step. Lanes interleave, so steps are matched by chunk, iteration and attempt."""

    def __init__(self) -> None:
        self.candidates: dict[_Where, CandidateHistory] = {}
        self.promoted: list[CandidateHistory] = []
        self._tests: dict[_Where, tuple[Example, ...]] = {}
        self._findings: dict[int, tuple[ProbeFinding, ...]] = {}

    def add(self, step: AnyStep) -> None:
        match step:
            case AnalysisStep():
                self._tests[step.chunk, step.iteration, 0] = step.tests
                self._findings[step.chunk] = (*self._findings.get(step.chunk, ()), *step.findings)
            case RepairStep():
                self._tests[step.chunk, step.iteration, step.attempt] = step.tests
            case CandidateStep():
                self._candidate(step)
            case VerificationStep():
                if one := self.candidates.get((step.chunk, step.iteration, step.attempt)):
                    one.verdict = step.verdict.judged_before(one.verdict)
            case MergerStep() if step.adopted:
                for one in self.promoted:
                    if one.active and one.candidate.name in step.replaces:
                        one.gone = f"merged into {step.name}"
            case WitnessStep():
                if one := self.candidates.get((step.chunk, step.iteration, step.attempt)):
                    one.tests = (*one.tests, *step.tests)
            case HoldStep():
                if one := self.candidates.get((step.chunk, step.iteration, step.attempt)):
                    one.held, one.tests = True, step.tests
            case HeldEntryStep() if not step.entered:
                for one in self.candidates.values():
                    if one.held and one.candidate.sha256 == step.sha256:
                        one.held, one.gone = False, f"not held: {step.reason}"
            case PromotionStep():
                self._promotion(step)
            case _:
                pass

    def _candidate(self, step: CandidateStep) -> None:
        key = (step.chunk, step.iteration, step.attempt)
        try:
            candidate, readable = read(step.source), True
        except CandidateError:
            candidate, readable = Candidate(source=step.source, name=step.name), False
        findings = self._findings.get(step.chunk, ()) if step.iteration else ()
        self.candidates[key] = CandidateHistory(candidate, *key, readable, self._tests.get(key, ()), findings)

    def _promotion(self, step: PromotionStep) -> None:
        attempts = [
            one for one in self.candidates.values() if (one.chunk, one.iteration) == (step.chunk, step.iteration)
        ]
        entered = next((one for one in reversed(attempts) if one.candidate.sha256 == step.sha256), None)
        entered = entered or next((one for one in reversed(attempts) if one.candidate.name == step.name), None)
        for one in attempts:
            one.repaired = step.iteration > 0 and one is not entered
        for one in self.promoted:
            if one.active and one.candidate.name == step.name:
                one.gone = f"superseded by version {step.version}"
            elif one.active and one.candidate.name == step.replaces:
                one.gone = f"replaced by {step.name}"
        if entered is not None:
            entered.promoted = step
            self.promoted.append(entered)


def read_candidates(steps: Sequence[AnyStep]) -> tuple[list[CandidateHistory], list[CandidateHistory]]:
    """All candidates in the order in which they came, and those that were promoted in the order of their promotion."""
    reading = _Reading()
    for step in steps:
        reading.add(step)
    return list(reading.candidates.values()), reading.promoted


def _row(value: object) -> dict[str, object]:
    return value if isinstance(value, dict) else {"text": value}
