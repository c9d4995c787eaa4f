"""The gate of a run: functions of another shape than the run's are not judged on its rows. Wired by `cleaning`.

The rows of a run are tables or records. A function that was judged on the one would later meet other values in the
other: in a JSON Lines file lists and objects, where the rows of the table have their text.
"""

from collections.abc import Callable, Sequence

from orchestrator.core.candidate import Candidate, Example, Shape
from orchestrator.core.errors import CandidateError
from orchestrator.core.ports import Gate, Sample
from orchestrator.core.promoted import Promoted
from orchestrator.core.verdict import CandidateInfo, CheckResult, Outcome, Verdict

_WANTED = {
    Shape.TABLE: "a function of a DataFrame",
    Shape.RECORD: "a function that takes one record, a dict, and returns a dict",
    Shape.TEXT: "a function that takes one str and returns a str",
}


class ShapedGate:
    """A Gate that refuses whatever is not of the shape; `gate` judges the rest."""

    def __init__(self, gate: Gate, shape: Shape = Shape.TABLE) -> None:
        self._gate = gate
        self._shape = shape
        self.recheck = gate.recheck  # what passed is of the shape

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
        if candidate is None or candidate.contract.shape is self._shape:
            return self._gate.verify(
                source, sample, promoted=promoted, examples=examples, screen=screen, quick=quick, on_check=on_check
            )
        refused = CheckResult(
            id="screen",
            outcome=Outcome.FAIL,
            detail=f"the contract says the shape `{candidate.contract.shape}`, and this run is for the shape "
            f"`{self._shape}`: write {_WANTED[self._shape]}, and the shape `{self._shape}` in its CONTRACT",
            cases=1,
        )
        if on_check is not None:
            on_check(refused)
        return Verdict(candidate=CandidateInfo.of(candidate), verdict=Outcome.FAIL, checks=(refused,))
