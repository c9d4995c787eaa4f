"""A slip that another column of the row gives away needs no witness; a fact, a figure and a chance do."""

import pytest

from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.row_evidence.slips_beside import slips_beside

TOWNS = ["dothan"] * 8 + ["boaz"] * 6 + ["juneau"] * 2 + ["nome"] * 2 + ["opp"] * 2
STATES = ["al"] * 14 + ["ak"] * 4 + ["al"] * 2


def settled(before: str, after: str, town: str = "dothan", *more: tuple[Change, str]) -> bool:
    """Whether this change of a state is given away by the towns beside it, among twenty rows that stay."""
    rows = [
        *(((state, state), town) for state, town in zip(STATES, TOWNS, strict=True)),
        *more,
        ((before, after), town),
    ]
    cells, towns = [cell for cell, _ in rows], [town for _, town in rows]
    return bool(slips_beside(cells, [len(rows) - 1], [towns]))


def test_a_slip_is_given_away_by_the_column_that_tells_its_value() -> None:
    """`xl` in a row of a town that is in `al`."""
    assert settled("xl", "al")
    assert settled("ax", "ak", "juneau")


CODES = ["scip-inf-2", "scip-vte-1", "ami-7a", "pn-5", "hf-12"]


def code_settled(before: str, after: str) -> bool:
    """Whether this change of a code is given away by the name beside it, among the rows that stay."""
    cells = [(code, code) for code in CODES for _ in range(5)] + [(before, after)]
    names = [f"name of {code}" for code in CODES for _ in range(5)] + [f"name of {after}"]
    return bool(slips_beside(cells, [len(cells) - 1], [names]))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("scip-ifn-2", "scip-inf-2"),  # swapped
        ("scip-ve-1", "scip-vte-1"),  # lost
        ("ammi-7a", "ami-7a"),  # doubled
        ("sccip-inf-2", "scip-inf-2"),
    ],
)
def test_a_letter_that_is_lost_doubled_or_swapped_in_a_word_is_a_slip(before: str, after: str) -> None:
    assert code_settled(before, after)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("pn-5c", "pn-5"),  # a letter of its own
        ("pn-55", "pn-5"),  # figures
        ("hf-21", "hf-12"),
        ("np-5", "pn-5"),  # too short to tell a slip from another code
        ("scip-inf", "scip-inf-2"),  # a part that is missing
        ("sip-ifn-2", "scip-inf-2"),  # two words
        ("scipinf-2", "scip-inf-2"),
        ("scip-fni-2", "scip-inf-2"),  # letters that are no neighbours
    ],
)
def test_another_code_is_no_slip_whatever_stands_beside(before: str, after: str) -> None:
    assert not code_settled(before, after)


@pytest.mark.parametrize(
    ("before", "after", "town", "more"),
    [
        ("ak", "al", "dothan", ()),  # a fact that stays elsewhere
        ("xl", "ak", "dothan", ()),  # not what the town says
        ("xl", "al", "rome", ()),  # a town that nobody else has
        ("xl", "xk", "dothan", ()),  # what no cell has
        ("no", "al", "dothan", ()),  # another text
        ("1l", "al", "dothan", ()),  # a figure
        ("xl", "al", "dothan", ((("ak", "ak"), "dothan"),) * 3),  # the town does not tell the state
    ],
)
def test_anything_else_is_not_believed(
    before: str, after: str, town: str, more: tuple[tuple[Change, str], ...]
) -> None:
    assert not settled(before, after, town, *more)


def test_a_column_of_which_nearly_all_cells_are_alike_is_told_by_none() -> None:
    """Sizes that are nearly all XS, beside a column that has nothing to do with them."""
    sizes = [("XS", "XS")] * 60 + [("M", "M")] * 4 + [("XL", "XS")]
    beside = [f"style {row % 6}" for row in range(len(sizes))]
    assert slips_beside(sizes, [len(sizes) - 1], [beside]) == []


def test_what_one_row_gives_away_no_other_one_may_deny() -> None:
    cells = [(state, state) for state in STATES] + [("xl", "al"), ("xl", "al")]
    assert slips_beside(cells, [20, 21], [[*TOWNS, "boaz", "rome"]]) == [20, 21]
    assert slips_beside(cells, [20, 21], [[*TOWNS, "boaz", "juneau"]]) == []


def test_columns_of_lists_and_objects_tell_nothing() -> None:
    cells = [(state, state) for state in STATES] + [("xl", "al")]
    lists = [[town] for town in [*TOWNS, "boaz"]]
    assert slips_beside(cells, [20], [lists]) == []
    assert slips_beside(cells, [20], [lists, [*TOWNS, "boaz"]]) == [20]
