"""Draws cells with hypothesis and makes rows of them: a sample row in which some are replaced. Called by `plan`.

Hypothesis only draws here: what it drew is run in one job, many rows at once, and a failure is made smaller by
`shrink`, since asking a container and the judge about every single attempt would take minutes. One seed, one drawing.
"""

import math
import random
import sys
import warnings
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from orchestrator.gate.properties.drawn_column import DrawnColumn

CIRCLES = ("usual", "near", "odd")
MAX_VALUES = 300
ROWS = 200
SHARES = (1.0, 0.6, 0.3)  # of cells and rows, by circle
REPLACED = 0.7  # of the cells that may be replaced
AT_ONCE = 20  # rows of cells in one example of hypothesis, whose own work for an example is more than that of drawing
_NO_FOLDER = "/dev/null/hypothesis"  # cannot be made: a killed process would leave a folder of its own behind
TRIES = 2  # drawings for each different cell that is wanted: about half of them repeat another one
_DRAWING = ThreadPoolExecutor(1, thread_name_prefix="drawing")
"""Hypothesis sets and restores the state of the global random numbers, so it draws once at a time. And always in one
thread: for each new one it collects garbage and walks through all objects of the process, .25 s of processor time."""


def draw(sample: pa.Table, focus: Sequence[str], cells: int, seed: int) -> dict[str, pa.Table]:
    """A table for each circle. Only cells in the columns `focus` are replaced, by about `cells` different ones each."""
    columns = {name: column_of(sample.column(name)) for name in focus}
    chance = random.Random(seed)  # noqa: S311 - the seed is secret; the numbers need not be
    made = {}
    for circle, share in zip(CIRCLES, SHARES, strict=True):
        drawn = _DRAWING.submit(_cells, columns, circle, max(1, round(cells * share)), seed).result()
        made[circle] = _rows(sample, drawn, round(ROWS * share), chance)
    return made


def column_of(column: pa.ChunkedArray) -> DrawnColumn:
    """What the sample says of a column."""
    if pa.types.is_nested(column.type) or not len(column):
        return DrawnColumn(column.type, ())
    values = pc.unique(pc.drop_null(column))
    return DrawnColumn(column.type, tuple(values.slice(0, MAX_VALUES).to_pylist()))


def _cells(columns: Mapping[str, DrawnColumn], circle: str, count: int, seed: int) -> dict[str, list[Any]]:
    _write_no_files()
    from hypothesis import HealthCheck, Phase, given, settings
    from hypothesis import seed as seeded
    from hypothesis import strategies as st

    from orchestrator.gate.properties.cell_strategies import in_any_case, strategy

    row = st.tuples(*(strategy(column, circle) for column in columns.values()))
    drawn: list[tuple[Any, ...]] = []

    @seeded(seed)
    @settings(
        backend=_backend(),
        max_examples=1 + math.ceil(TRIES * count / AT_ONCE),
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(st.lists(row, min_size=AT_ONCE, max_size=AT_ONCE))
    def collect(rows: list[tuple[Any, ...]]) -> None:
        drawn.extend(rows if drawn else rows[:1])  # the first example repeats the simplest row

    _allow_random_numbers_in_other_threads()
    collect()
    chance = random.Random(seed)  # noqa: S311 - the seed is secret; the numbers need not be
    found: dict[str, list[Any]] = {}
    for (name, column), cells in zip(columns.items(), zip(*drawn, strict=True), strict=True):
        sure = in_any_case(column, chance) if circle == CIRCLES[0] else []
        found[name] = list({repr(cell): cell for cell in (*sure, *cells)}.values())[:count]
    return found


def _rows(sample: pa.Table, drawn: Mapping[str, Sequence[Any]], count: int, chance: random.Random) -> pa.Table:
    """Every drawn cell stands in some row, and beside others in other rows."""
    table = sample.take(pa.array(chance.choices(range(sample.num_rows), k=count), pa.int64()))
    for name, cells in drawn.items():
        old = table.column(name)
        values = old.to_pylist()
        places = chance.sample(range(count), k=max(min(count, len(cells)), round(REPLACED * count)))
        for turn, place in enumerate(places):
            values[place] = cells[turn % len(cells)]
        column = pa.chunked_array([pa.array(values, old.type)])
        table = table.set_column(table.column_names.index(name), pa.field(name, old.type), column)
    return table.combine_chunks()


@cache
def _backend() -> str:
    """Hypothesis' way of drawing, without the constants of modules of a checkout that are loaded just now.

    With them one seed would draw other cells in a process that has imported more.
    """
    from hypothesis.internal.conjecture.providers import AVAILABLE_PROVIDERS, HypothesisProvider

    class WithoutConstants(HypothesisProvider):
        def _maybe_draw_constant(self, *_: Any, **__: Any) -> None:
            return None

    AVAILABLE_PROVIDERS["cleanroom"] = WithoutConstants
    return "cleanroom"


def _allow_random_numbers_in_other_threads() -> None:
    """Hypothesis takes a global random number that another thread draws meanwhile for one that a strategy drew.

    Strategies here draw none. Asked for at each drawing, since a test or an application may set all filters anew.
    """
    from hypothesis.errors import HypothesisWarning

    for warning in ("Do not use the `random` module", "Generating overly large repr"):  # the second writes the first
        warnings.filterwarnings("ignore", warning, HypothesisWarning)


@cache
def _write_no_files() -> None:
    """Hypothesis writes files into the current folder, unless configured otherwise, as by whoever imported it first."""
    if "hypothesis" not in sys.modules:
        from hypothesis.configuration import set_hypothesis_home_dir

        set_hypothesis_home_dir(_NO_FOLDER)
