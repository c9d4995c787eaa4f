"""What compares rows with examples raises nothing, whatever cells are: an error there would reject a right function."""

import datetime as dt
import random
from decimal import Decimal
from typing import Any

from orchestrator.gate.information.beyond_shown.shares_as_shown import shares_otherwise
from orchestrator.gate.information.beyond_shown.units_not_shown import unit_not_shown
from orchestrator.gate.information.beyond_shown.words_of_rows import words_unshown
from orchestrator.gate.information.changes import written
from orchestrator.gate.information.row_evidence.shown_forms import forms_unshown, size_left_out
from orchestrator.gate.information.row_evidence.shown_relations import otherwise_made

CELLS: list[Any] = [
    None, "", float("nan"), float("inf"), 1, 0, -2.5, True, False, ["a"], [], {"a": 1}, {}, [None, [1]], b"x",
    dt.date(2020, 1, 2), dt.datetime(2020, 1, 2, 3, tzinfo=dt.UTC), dt.time(1, 2), Decimal("1.5"), Decimal("NaN"),
    "12 kg", "5 lb", "1/2", "35 of 100", "½ cup", "1 dozen", "$4M", "none", "on receipt", "yes", "no", "true", "B+",
    "x" * 500, "\ud800", "1e400", "9" * 5000,
]  # fmt: skip


def test_any_cells_are_compared_with_any_examples() -> None:
    """Lists, objects, days, and what is no number, as records and typed columns hold them."""
    draw = random.Random(5)  # noqa: S311 - data for a test
    for _ in range(1500):
        few = draw.sample(CELLS, draw.randint(1, 6))
        rows = draw.randint(1, 12)
        made, one, other = ([draw.choice(few if draw.random() < 0.8 else CELLS) for _ in range(rows)] for _ in "123")
        shown = [({"a": draw.choice(few), "b": draw.choice(CELLS)}, draw.choice(few)) for _ in range(3)]
        pairs, witnesses = [*map(written, zip(one, made, strict=True))], [written((row["a"], v)) for row, v in shown]
        list(words_unshown(made, {"a": one, "b": other}, shown))
        list(forms_unshown(one, made, [(row["a"], value) for row, value in shown]))
        size_left_out(one, made, [row["a"] for row, _ in shown])
        unit_not_shown(pairs, pairs, witnesses)
        shares_otherwise(pairs, witnesses)
        otherwise_made(made, {"a": one, "b": other}, shown)
