"""Measures how a function's cost grows with the rows, on machines of any speed. Called by `property_runner`.

Theory of operation. Each load runs in a process of its own, and what counts is processor time. A load that was stopped
has cost at least what it had used by then, which is evidence, too: it bounds the cost from below, so that it can show
growth but never hide it. One more load is run then that even a quadratic function nearly ends in its time. Chance adds
to a cost, which feigns growth as well as it hides it: what is not clear is measured again, and the lower cost counts.
"""

import math
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field

from orchestrator.core.jobs import Child, ChildResult, Ended
from orchestrator.core.policy import LARGEST_ROWS, Policy
from orchestrator.gate.checks.resources import DOUBT, growth
from orchestrator.gate.properties.lengths import LengthCosts, is_long, length
from orchestrator.gate.properties.plan import GROWTH, LOAD_ROWS

BUSY_SHARE = 0.5
BASE_ROWS = GROWTH * LOAD_ROWS  # what a function must manage within the policy's limits


@dataclass(frozen=True)
class LoadCosts:
    """Processor seconds by number of rows. `stopped`: of loads that ran out of time, at least so many.

    `lengths`: the same by the length of a text.
    """

    finished: dict[int, float] = field(default_factory=dict)
    stopped: dict[int, float] = field(default_factory=dict)
    lengths: LengthCosts = field(default_factory=LengthCosts)

    @classmethod
    def of(cls, children: Sequence[Child], results: Sequence[ChildResult]) -> "LoadCosts":
        """The costs of the children that are loads."""
        costs = cls(lengths=LengthCosts.of(children, results))
        for child, result in zip(children, results, strict=True):
            if is_load(child) and result.ended in (Ended.OK, Ended.TIMEOUT):
                known = costs.finished if result.ended is Ended.OK else costs.stopped
                known[load_rows(child)] = result.cpu_s
        return costs

    def found(self, policy: Policy) -> str:
        """Why the cost seems to grow too fast, with the rows or with a text; empty when nothing says so."""
        return growth(self.finished, self.stopped, policy.gate) or self.lengths.found(policy)

    def suspects(self, policy: Policy) -> Callable[[Child], bool]:
        """Which children are measured again: those of the kind of growth that seems too fast, or nearly.

        A cost that was too high by chance hides growth as well as it feigns it. A load that was stopped is not run
        again where one more load tells.
        """
        rows, texts = self._doubtful(policy), self.lengths.doubtful(policy)
        return lambda child: (
            (is_load(child) and load_rows(child) in rows) or (is_long(child) and length(child) in texts)
        )

    def _doubtful(self, policy: Policy) -> Collection[int]:
        if self.one_more(policy):
            return self.finished
        doubtful = self.stopped_by_others(policy) or growth(self.finished, self.stopped, policy.gate, noise=DOUBT)
        return {*self.finished, *self.stopped} if doubtful else ()

    @property
    def base_stopped(self) -> bool:
        """Whether as many rows as it must manage ran out of time."""
        return any(rows <= BASE_ROWS for rows in self.stopped)

    def stopped_by_others(self, policy: Policy) -> bool:
        """Whether that may be so because a busy machine gave it little of the processor time that it may use."""
        return any(
            rows <= BASE_ROWS and seconds < BUSY_SHARE * policy.limits.cpu_s for rows, seconds in self.stopped.items()
        )

    def one_more(self, policy: Policy) -> int:
        """How many rows to try where the largest load was stopped; 0 when it was not, or when they were tried."""
        base_s = self.finished.get(BASE_ROWS, 0.0) - min(self.finished.values(), default=0.0)  # the rows' own share
        tried = any(BASE_ROWS < rows < LARGEST_ROWS for rows in (*self.finished, *self.stopped))
        if not self.stopped or self.base_stopped or base_s <= 0 or tried:
            return 0
        factor = math.sqrt(0.9 * policy.limits.cpu_s / base_s)  # the square of it takes nearly all the time
        return round(BASE_ROWS * min(factor, GROWTH - 1)) if factor >= 2 else 0


def is_load(child: Child) -> bool:
    return child.cases[0].id.startswith("load")


def load_rows(child: Child) -> int:
    """How many rows a load has."""
    _, _, rows = child.cases[0].id.partition("~")
    return int(rows) if rows else BASE_ROWS


def better(one: ChildResult, other: ChildResult) -> ChildResult:
    """Of two measurements of the same load the one that is better for the function."""
    if (one.ended is Ended.OK) is not (other.ended is Ended.OK):
        return one if one.ended is Ended.OK else other
    return one if one.cpu_s <= other.cpu_s else other
