"""ScriptedGate: the shipped fake of the Gate port. For tests of the run loop; it runs nothing and decides by name."""

from collections.abc import Callable, Mapping, Sequence

from orchestrator.core.candidate import Candidate, Example
from orchestrator.core.errors import CandidateError
from orchestrator.core.ports import Sample
from orchestrator.core.promoted import Promoted
from orchestrator.core.verdict import CheckResult, Outcome, Verdict
from orchestrator.gate import candidate_file
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

    def verify(
        self,
        source: str,
        sample: Sample,
        *,
        promoted: Sequence[Promoted] = (),
        examples: Sequence[Example] = (),
        screen: bool = True,
        quick: bool = False,
        on_check: Callable[[CheckResult], None] | None = None,
    ) -> Verdict:
        del promoted, examples, screen, quick
        builder = VerdictBuilder(source, on_check)
        try:
            candidate = self.read(source)
        except CandidateError as error:
            builder.note([CheckResult(id="screen", outcome=Outcome.FAIL, detail=error.message)])
            return builder.verdict()
        self.asked.append(candidate.name)
        builder.of(candidate)
        outcome = self._decide(candidate, sample)
        if outcome is Outcome.PASS:
            builder.note([CheckResult(id=name, outcome=Outcome.PASS, cases=1) for name in ORDER])
        else:
            builder.note([CheckResult(id="screen", outcome=Outcome.PASS, cases=1)])
            builder.note([CheckResult(id="executed", outcome=outcome, detail=self._detail)])
        return builder.verdict()

    def recheck(
        self,
        source: str,
        sample: Sample,
        *,
        promoted: Sequence[Promoted],
        examples: Sequence[Example] = (),
        on_check: Callable[[CheckResult], None] | None = None,
    ) -> Verdict:
        return self.verify(source, sample, promoted=promoted, examples=examples, quick=True, on_check=on_check)

    def _decide(self, candidate: Candidate, sample: Sample) -> Outcome:
        if isinstance(self._script, Mapping):
            return self._script.get(candidate.name, Outcome.PASS)
        return self._script(candidate, sample)
