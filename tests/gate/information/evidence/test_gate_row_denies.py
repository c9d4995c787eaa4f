"""A word, an amount or a date that another column of its row denies."""

import pytest

from orchestrator.gate.information.row_evidence.denied_beside import denied_beside
from orchestrator.gate.information.row_evidence.told_empty import told_empty

PROMISED = {"low": "72h", "high": "4h"}
STAY = [(word, word) for word in PROMISED for _ in range(6)]
PAID = [("21.10", "21.10"), ("7.50", "7.50")] * 4
OPEN = [("", "12.00"), (None, "30.40")] * 3


@pytest.mark.parametrize(
    ("becomes", "promised", "denied"),
    [("high", "72h", [12, 13, 14]), ("low", "72h", []), ("high", "8h", []), ("none", "72h", [])],
)
def test_a_code_that_becomes_the_word_of_other_rows_is_denied(becomes: str, promised: str, denied: list[int]) -> None:
    """The promised time goes with the severity; a time that stands in no other row, or a new word, says nothing."""
    cells = [*STAY, *[("1", becomes)] * 3]
    beside = [*(PROMISED[word] for word, _ in STAY), *[promised] * 3]
    assert denied_beside(cells, [12, 13, 14], [["Ann"] * 15, beside]) == denied


def test_a_column_that_does_not_go_with_this_one_denies_nothing() -> None:
    """One row in which the other column stands beside another word is enough, and so is one row that agrees."""
    cells = [*STAY, *[("1", "high")] * 3]
    beside = [PROMISED[word] for word, _ in STAY]
    assert denied_beside(cells, [12, 13, 14], [["4h", *beside[1:], *["72h"] * 3]]) == []
    assert denied_beside(cells, [12, 13, 14], [[*beside, "72h", "72h", "4h"]]) == []


@pytest.mark.parametrize(
    ("states", "found"),
    [
        (["settled"] * 8 + ["open"] * 6, [8, 9, 10, 11, 12, 13]),
        (["settled"] * 7 + ["open"] * 7, []),
        (["settled"] * 14, []),
        (["open"] * 14, []),
        ([f"R{n}" for n in range(14)], []),
    ],
)
def test_an_empty_cell_that_a_word_of_the_row_accounts_for_is_no_gap(states: list[str], found: list[int]) -> None:
    """All open invoices are unpaid, and no other one is; one open invoice with an amount is enough to doubt it."""
    assert told_empty([*PAID, *OPEN], range(8, 14), [states]) == found


def test_a_word_may_be_filled_where_a_state_tells_which_cells_are_empty() -> None:
    cells = [*[("Rome", "Rome")] * 8, *[("", "Oslo")] * 6]
    assert told_empty(cells, range(8, 14), [["web"] * 8 + ["shop"] * 6]) == []
