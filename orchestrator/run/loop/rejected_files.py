"""What the gate has rejected in a chunk: for the proposer, and so that no file is judged again as it was.

Called by `iteration`.
"""

from collections.abc import Sequence

from orchestrator.core.candidate import Example
from orchestrator.core.errors import CandidateError
from orchestrator.core.ports import Gate
from orchestrator.core.requests import RejectedCandidate
from orchestrator.core.steps import VerificationStep
from orchestrator.core.verdict import Verdict

_EXAMPLES = "examples"  # the check by the tester's examples, among others


class RejectedFiles:
    """The files that the gate has rejected in a chunk, so that none is judged again under the same conditions."""

    def __init__(self) -> None:
        self._known: dict[str, list[tuple[VerificationStep, tuple[Example, ...]]]] = {}
        self._told: set[str] = set()

    def __contains__(self, source: str) -> bool:
        return source in self._known

    def add(self, source: str, step: VerificationStep, tests: Sequence[Example]) -> None:
        """Remember the verdict if it rejects the file; `tests`: the tester's examples by which it was judged."""
        if not (step.verdict.passed or step.verdict.held):
            self._known.setdefault(source, []).append((step, tuple(tests)))

    def same(self, source: str, against: str, tests: Sequence[Example]) -> VerificationStep | None:
        """The verdict that the gate would give again: beside the same functions.

        Where it failed by examples, only by the same ones of the tester.
        """
        for step, judged_by in self._known.get(source, ()):
            counts = any(check.id == _EXAMPLES for check in step.failures)
            if step.against == against and (not counts or judged_by == tuple(tests)):
                return step
        return None

    def tell(self, source: str) -> bool:
        """Whether the proposer is still to be told of the file that it is known; once for each."""
        new = source not in self._told
        self._told.add(source)
        return new


def rejected_candidate(source: str, verdict: Verdict, gate: Gate, *, waits: bool = False) -> RejectedCandidate:
    """A candidate that is not in use, as the proposer is told of it. `waits`: for a person to decide."""
    concerns = (concern.kind for concern in verdict.concerns) if verdict.held else ()
    failed = tuple(dict.fromkeys((*(check.id for check in verdict.failures), *concerns)))
    try:
        read = gate.read(source)
    except CandidateError:
        return RejectedCandidate(source=source, name=verdict.candidate.name, failed=failed, waits=waits)
    return RejectedCandidate(**dict(read), failed=failed, waits=waits)
