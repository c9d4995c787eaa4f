"""The gate of a run: functions of another shape than the run's rows are not judged on them. Wired by `cleaning`.

A run hands tables to its proposer and its gate. A function of records that was judged on them would later meet other
values in a JSON Lines file: lists and objects, where the rows of the table have their text.
"""

from collections.abc import Callable, Sequence

from orchestrator.core.candidate import Candidate, Example
from orchestrator.core.errors import CandidateError
from orchestrator.core.ports import Gate, Sample
from orchestrator.core.promoted import Promoted
from orchestrator.core.verdict import CandidateInfo, CheckResult, Outcome, Verdict


class TableGate:
    """A Gate that refuses whatever is not a function of tables; `gate` judges the rest."""

    def __init__(self, gate: Gate) -> None:
        self._gate = gate

    def read(self, source: str) -> Candidate:
        return self._gate.read(source)

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
        """Judge one candidate, as `Gate` says."""
        try:
            candidate = self._gate.read(source)
        except CandidateError:
            candidate = None
        if candidate is None or not candidate.contract.shape.by_row:
            return self._gate.verify(
                source, sample, promoted=promoted, examples=examples, screen=screen, quick=quick, on_check=on_check
            )
        shape = candidate.contract.shape
        refused = CheckResult(
            id="screen", outcome=Outcome.FAIL, cases=1,
            detail=f"a run works on tables: write a function of the shape `table`, not `{shape}`",
        )  # fmt: skip
        if on_check is not None:
            on_check(refused)
        return Verdict(candidate=CandidateInfo.of(candidate), verdict=Outcome.FAIL, checks=(refused,))
