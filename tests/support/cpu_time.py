"""How processor time grows with the input, for tests that no quadratic step came in.

A busy machine slows either run down, also in processor time: one pair says little, and the best of several says it.
"""

from collections.abc import Callable
from time import process_time

# Pairs of runs. What grows too fast does so in each of them.
TRIES = 5


def seconds(work: Callable[[], object]) -> float:
    """Of processor time, for one run of `work`."""
    started = process_time()
    work()
    return process_time() - started


def assert_growth(few: Callable[[], object], many: Callable[[], object], *, below: float) -> None:
    """In one of up to `TRIES` pairs, the run of `many` takes less than `below` times as long as that of `few`."""
    few()  # what only a first run costs
    pairs: list[float] = []
    while len(pairs) < TRIES:
        pairs.append(seconds(many) / seconds(few))
        if pairs[-1] < below:
            return
    raise AssertionError(f"{min(pairs):.1f} times as long, and in no pair less than {below} times")
