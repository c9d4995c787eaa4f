"""A sum that more witnesses show than it has factors is believed of other cells, exactly, and nothing else is."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.column_evidence.shown_formula import ShownFormula
from orchestrator.gate.information.suspicions import suspicions

STONES: list[Change] = [("9-7", "133 lb"), ("8st 13lb", "125 lb"), ("10-0", "140 lb")]
small = st.integers(1, 60)


@pytest.mark.parametrize(("before", "after"), [("7-13", "111 lb"), ("11st 2lb", "156 lb"), ("12-12", "180 lb")])
def test_other_cells_of_the_formula_are_believed(before: str, after: str) -> None:
    """Also with other numbers of figures, and as a suspicion of the column."""
    assert ShownFormula(STONES).fits((before, after))
    assert suspicions([(before, after)], STONES) == []


@pytest.mark.parametrize(
    ("shown", "change"),
    [
        (STONES, ("7-13", "112 lb")),
        (STONES, ("7-13", "111 kg")),
        (STONES, ("7kg 13g", "111 lb")),
        (STONES, ("7-13-1", "111 lb")),
        (STONES[:2], ("7-13", "111 lb")),
        ([("9-7", "9 h"), ("8-13", "8 h"), ("10-0", "10 h")], ("7-13", "7 h")),
        ([("9-7", "133"), ("8-13", "125"), ("10-0", "141")], ("7-13", "111")),
        ([("9-7", "133"), ("18-14", "266"), ("27-21", "399")], ("7-13", "111")),
    ],
)
def test_what_the_formula_does_not_give_is_not_believed(shown: list[Change], change: Change) -> None:
    """Another result, unit or word; too few witnesses; a number that counts for nothing; no one formula."""
    assert not ShownFormula(shown).fits(change)


@settings(max_examples=60, deadline=None)
@given(small, small, st.lists(st.tuples(small, small), min_size=3, max_size=6, unique=True), st.tuples(small, small))
def test_only_exact_results_fit(one: int, other: int, rows: list[tuple[int, int]], cell: tuple[int, int]) -> None:
    """Whatever the factors are: where the formula is known, its result fits and the next number does not."""
    formula = ShownFormula([(f"{a}:{b}", f"{one * a + other * b} s") for a, b in rows])
    right = one * cell[0] + other * cell[1]
    solved = len({a * d - b * c for a, b in rows for c, d in rows}) > 1  # two of them are independent
    assert formula.fits((f"{cell[0]}:{cell[1]}", f"{right} s")) == solved
    assert not formula.fits((f"{cell[0]}:{cell[1]}", f"{right + 1} s"))
