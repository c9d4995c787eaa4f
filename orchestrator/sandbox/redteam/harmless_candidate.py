"""Harmless data and the harmless candidate that runs after every attack. Called by attack_runs.py.

The data is made here, so that the corpus says the same on every machine.
"""

from typing import Any

from orchestrator.core.ports import Sample

NEIGHBOUR = """
def f(df):
    out = df.copy()
    out["city"] = out["city"].str.strip()
    return out
"""
_CITIES = (" Rome", "Oslo ", "Lima", " Bonn ", "Kiel", "Turin ", " Graz", "Basel")


def small() -> Any:
    """The table of jobs: four rows with a stray blank, a missing text and a missing number."""
    import pyarrow as pa

    return pa.table({"city": [" Rome", "Oslo ", None, "Lima"], "people": pa.array([3, None, 2, 1], pa.int32())})


NEIGHBOUR_SAYS = {"city": ["Rome", "Oslo", None, "Lima"], "people": [3, None, 2, 1]}


def sample() -> Sample:
    """The rows on which candidates of the corpus are judged: stray blanks in `city`, everything else in order."""
    return Sample(_rows(0, 48), _rows(48, 24))


def _rows(start: int, count: int) -> Any:
    import pyarrow as pa

    numbers = range(start, start + count)
    return pa.table({
        "city": [f"{_CITIES[n % 8]}" if n % 3 else f"{_CITIES[n % 8]} {n} " for n in numbers],
        "amount": pa.array([n * 1.25 for n in numbers], pa.float64()),
        "units": pa.array([n * 7 % 11 for n in numbers], pa.int64()),
        "note": [None if n % 5 == 0 else f"note {n}" for n in numbers],
    })  # fmt: skip
