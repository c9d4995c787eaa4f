"""How long the search for a smaller counterexample may go on. Called by `property_runner`.

What counts is processor time, so that a busy machine finds the same counterexample as an idle one. The wall clock
only ends what would otherwise not end: attempts that sleep, or a machine on which nothing gets on.
"""

import time
from collections.abc import Iterable

from orchestrator.core.jobs import ChildResult, Limits

PATIENCE = 6.0  # wall-clock seconds for every processor second that is allowed
_LEAST_S = 0.01  # a limit of no seconds is none


class SearchBudget:
    """Counts the processor seconds of attempts. `cpu_s`: how many they may use; 0 allows no attempt."""

    def __init__(self, cpu_s: float) -> None:
        self._left_s = cpu_s
        self._deadline = time.monotonic() + PATIENCE * cpu_s

    @property
    def used_up(self) -> bool:
        """Whether no further attempt may be run."""
        return self._left_s <= 0 or time.monotonic() >= self._deadline

    def within(self, limits: Limits) -> Limits:
        """The limits of a process whose attempts may use what is left."""
        wall_s = max(self._deadline - time.monotonic(), _LEAST_S)
        left = {"cpu_s": max(self._left_s, _LEAST_S), "wall_s": wall_s}
        return limits.model_copy(update={name: min(getattr(limits, name), most) for name, most in left.items()})

    def charge(self, results: Iterable[ChildResult]) -> None:
        """Count what attempts have used."""
        self._left_s -= sum(result.cpu_s for result in results)
