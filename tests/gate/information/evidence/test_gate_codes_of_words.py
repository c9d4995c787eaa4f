"""Words that become numbers: a code is believed where the column shows that it is one, a made-up value never is."""

import pytest

from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.suspicions import suspicions

PRICES = [("12.50", "12.50"), ("3.20", "3.20"), ("7", "7"), ("9.9", "9.9")]
SEXES = [("m", "1"), ("male", "1"), ("f", "2"), ("female", "2")]


@pytest.mark.parametrize("before", ["unknown", "Unknown", "n/a", "null", "not available", "other"])
@pytest.mark.parametrize("after", ["0", "9", "3"])
def test_a_word_for_nothing_that_becomes_a_number_is_suspected(before: str, after: str) -> None:
    """In a column of numbers: 0 for `unknown` is a code of other columns, and `null` is no German."""
    assert suspicions([*PRICES, (before, after)])


@pytest.mark.parametrize(
    "cells",
    [
        [*SEXES, ("unknown", "9")],
        [*SEXES, ("other", "3")],
        [("eins", "1"), ("zwei", "2"), ("null", "0")],
        [*PRICES, ("three", "3"), ("zwei", "2")],
    ],
)
def test_a_code_of_the_column_is_believed(cells: list[Change]) -> None:
    """Where the other words are of the same kind, and a number that is written out anywhere."""
    assert suspicions(cells) == []


def test_a_word_may_be_of_any_kind_that_the_column_can_hold() -> None:
    """`UK` is Ukrainian among languages, and GB is none; both are countries. `XQ` is nothing."""
    codes = [("de", "DE"), ("fr", "FR"), ("es", "ES"), ("DE", "DE"), ("FR", "FR"), ("ES", "ES"), ("GB", "GB")]
    assert suspicions([*codes, ("UK", "GB")]) == []
    assert suspicions([*codes, ("UK", "XQ")]) != []
