"""ScriptedGate: the shipped fake of the Gate port. For tests of the run loop; it runs nothing and decides by name."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from orchestrator.core.candidate import Candidate
from orchestrator.core.errors import CandidateError
from orchestrator.core.ports import Sample, VerifyRequest
from orchestrator.core.verdict import CheckResult, Concern, Counterexample, Outcome, Verdict
from orchestrator.gate import candidate_file, screen
from orchestrator.gate.checks import keeps_information
from orchestrator.gate.checks.catalog import ORDER
from orchestrator.gate.verdict_builder import VerdictBuilder

Decide = Callable[[Candidate, Sample], Outcome]


class ScriptedGate:
    """Verdicts by candidate name, or from a function; what is not in the script passes.

    `asked` keeps the candidates' names in the order in which they were judged.
    """

    def __init__(self, script: Mapping[str, Outcome] | Decide | None = None, *, detail: str = "as scripted") -> None:
        self._script = script or {}
        self._detail = detail
        self.asked: list[str] = []

    def read(self, source: str) -> Candidate:
        return candidate_file.read(source)

    def verify(self, request: VerifyRequest, on_check: Callable[[CheckResult], None] | None = None) -> Verdict:
        builder = VerdictBuilder(request.source, on_check)
        try:
            candidate = self.read(request.source)
        except CandidateError as error:
            builder.note([screen.unreadable(error)])
            return builder.verdict()
        builder.of(candidate)
        if refusals := request.refusals(candidate):
            builder.note([screen.refused(refusals)])
            return builder.verdict()
        self.asked.append(candidate.name)
        outcome = self._decide(candidate, request.sample)
        if outcome in (Outcome.PASS, Outcome.HOLD):
            doubted = keeps_information.ID if outcome is Outcome.HOLD else ""
            builder.note([self._held(name) for name in ORDER if name == doubted])
            builder.note([CheckResult(id=name, outcome=Outcome.PASS, cases=1) for name in ORDER if name != doubted])
        else:
            builder.note([CheckResult(id="screen", outcome=Outcome.PASS, cases=1)])
            builder.note([CheckResult(id="executed", outcome=outcome, detail=self._detail)])
        return builder.verdict()

    def recheck(self, request: VerifyRequest, on_check: Callable[[CheckResult], None] | None = None) -> Verdict:
        return self.verify(replace(request, quick=True), on_check)

    def _held(self, check: str) -> CheckResult:
        concern = Concern(
            kind="figures-vanish",
            check=check,
            detail=self._detail,
            settles="Confirm that '12 apples' becomes 'apples'.",
            columns=("text",),
            counterexample=Counterexample(input=({"text": "12 apples"},), output=({"text": "apples"},)),
            rows=1,
        )
        return CheckResult(id=check, outcome=Outcome.HOLD, detail=self._detail, cases=1, concerns=(concern,))

    def _decide(self, candidate: Candidate, sample: Sample) -> Outcome:
        if isinstance(self._script, Mapping):
            return self._script.get(candidate.name, Outcome.PASS)
        return self._script(candidate, sample)
