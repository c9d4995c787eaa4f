"""Of thousands of changes of one form the laws look at some; what is rare, or says something else, they always see."""

import pytest

from orchestrator.gate.information.alike_changes import FEWEST, MOST, OTHERS, some_of_each_form
from orchestrator.gate.information.changes import Change

ROWS, LOT = 4_000, b"a lot"
DATES = [(year, month, day) for year in range(1950, 1980) for month in range(1, 10) for day in range(13, 28)]
ALIKE: dict[str, list[Change]] = {
    "telephones": [(f"({n % 700 + 200}) 555-{n:04}", f"{n % 700 + 200}555{n:04}") for n in range(ROWS)],
    "dates": [(f"{month}/{day}/{year}", f"{year}-{month:02}-{day:02}") for year, month, day in DATES],
    "amounts": [(f"$1,{n % 900 + 100}.{n % 90 + 10}", f"1{n % 900 + 100}.{n % 90 + 10}") for n in range(ROWS)],
    "addresses": [(f"ANNA{n:04}@EXAMPLE.COM", f"anna{n:04}@example.com") for n in range(ROWS)],
    "codes that stay": [(f"AB-{n:05}", f"AB-{n:05}") for n in range(ROWS)],
}
# One cell among thousands, each with a mistake that leaves a text of the same look.
MISTAKES: dict[str, Change] = {
    "telephones": ("(212) 555-0123", "2125550132"),
    "dates": ("4/14/1999", "1999-14-04"),
    "amounts": ("$1,234.56", "1243.56"),
    "addresses": ("ZOE1234@EXAMPLE.COM", "zoe1243@example.com"),
    "codes that stay": ("AB-12345", "AB-12354"),
}


@pytest.mark.parametrize("name", ALIKE)
def test_some_of_thousands_are_looked_at(name: str) -> None:
    some = some_of_each_form(list(dict.fromkeys(ALIKE[name])), LOT)
    assert MOST <= len(some) < 1_300  # one-figure numbers are forms of their own
    assert some == sorted(set(some))


@pytest.mark.parametrize("name", ALIKE)
def test_a_change_that_says_something_else_is_always_looked_at(name: str) -> None:
    cells = [*dict.fromkeys(ALIKE[name])]
    cells.insert(len(cells) // 2, MISTAKES[name])
    assert len(cells) // 2 in some_of_each_form(cells, LOT)


def test_a_rare_form_is_always_looked_at() -> None:
    """Another order of the same figures, another sign, and a short word that is written in its own way."""
    many: list[Change] = [(f"{n} Main STREET", f"{n} Main Street") for n in range(1_000, 9_000)]
    rare = [("1234 USA STREET", "1234 Usa Street"), ("5678 Main-STREET", "5678 Main Street")]
    dates = [("03/04/2021", "2021-04-03"), *ALIKE["dates"]]
    assert {0, 1} <= set(some_of_each_form([*rare, *many], LOT))
    assert 0 in some_of_each_form(dates, LOT)


def test_few_cells_are_all_looked_at() -> None:
    assert some_of_each_form(ALIKE["telephones"][:MOST], LOT) == list(range(MOST))


def test_cells_that_are_no_texts() -> None:
    """Numbers that change are each looked at, and of those that stay some are."""
    cells: list[Change] = [(float(n), float(n)) for n in range(ROWS)] + [(n, n + 1) for n in range(ROWS)]
    some = some_of_each_form(cells, LOT)
    assert set(range(ROWS, 2 * ROWS)) <= set(some)
    assert len(some) == ROWS + MOST


def test_another_lot_looks_at_others() -> None:
    """The function knows its rows: which of them are looked at must not follow from them alone."""
    cells = ALIKE["telephones"]
    one, other = (set(some_of_each_form(cells, lot)) for lot in (b"a lot", b"another"))
    assert len(one - other) > MOST / 2
    assert set(some_of_each_form(cells, b"a lot")) == one


def test_whether_a_cell_is_looked_at_does_not_depend_on_the_others_that_are() -> None:
    cells = ALIKE["telephones"]
    looked = [cells[at] for at in some_of_each_form(cells, LOT)]
    fewer = [*looked, *(cell for at, cell in enumerate(cells) if at % 2 and cell not in looked)]
    assert [fewer[at] for at in some_of_each_form(fewer, LOT)] == looked


def test_of_very_many_columns_less_is_looked_at() -> None:
    says_else: list[Change] = [(f"{n}", f"{n + 1}") for n in range(1_000, 1_000 + ROWS)]
    assert len(some_of_each_form(ALIKE["telephones"], LOT, columns=50)) == FEWEST
    assert len(some_of_each_form(says_else, LOT)) == ROWS
    assert len(some_of_each_form(says_else, LOT, columns=20)) == OTHERS // 20


def test_all_cells_that_stay_can_be_looked_at() -> None:
    cells = [*ALIKE["codes that stay"], *ALIKE["telephones"]]
    assert len(some_of_each_form(cells, LOT, all_that_stay=True)) == ROWS + MOST
