"""Which functions can work together, and the rows that suit them. Called by apply, residual and verify."""

import threading
from collections.abc import Callable, Sequence

from orchestrator.core.candidate import Candidate
from orchestrator.core.errors import CandidateError, UsageError
from orchestrator.core.ports import Sample
from orchestrator.core.promoted import Promoted
from orchestrator.data.formats import Dataset
from orchestrator.data.record_rows import RecordDataset
from orchestrator.data.record_tables import is_records

_MIXED = "Functions of tables and functions of records or texts cannot be applied one after the other."
_ADVICE = "Keep them in registries of their own, and apply those one after the other."


def works_on_records(functions: Sequence[Promoted]) -> bool:
    """Whether the functions are of the shapes `record` and `text`, not `table`. Raises UsageError for a mixture."""
    kinds = {function.candidate.contract.shape.by_row for function in functions}
    if len(kinds) > 1:
        raise UsageError(_MIXED, advice=_ADVICE)
    return kinds == {True}


def check_suits(functions: Sequence[Promoted], sample: Sample) -> None:
    """Raise UsageError when the functions do not work on what the sample holds."""
    if functions and works_on_records(functions) is not is_records(sample.working):
        raise UsageError(_MIXED, advice=_ADVICE)


class Samples:
    """The rows of a data set to judge on, as tables or as records, as the candidate needs them; each drawn once."""

    def __init__(self, dataset: Dataset, draw: Callable[[Dataset], Sample], read: Callable[[str], Candidate]) -> None:
        self._dataset = dataset
        self._draw = draw
        self._read = read
        self._lock = threading.Lock()
        self._drawn: dict[bool, Sample] = {}

    def of(self, source: str) -> Sample:
        """The rows for the candidate in a source text; for one that cannot be read, tables. Raises DataError."""
        try:
            by_row = self._read(source).contract.shape.by_row
        except CandidateError:
            by_row = False
        with self._lock:
            if by_row not in self._drawn:
                self._drawn[by_row] = self._draw(RecordDataset(self._dataset) if by_row else self._dataset)
            return self._drawn[by_row]
