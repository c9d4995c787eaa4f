"""A value that becomes another one of its column by losing a letter, a mark or a word is suspected, its twin is not."""

from collections.abc import Sequence

import pytest

from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.suspicions import suspicions


def stay(*values: str) -> list[Change]:
    return [(value, value) for value in values]


def kinds(cells: Sequence[Change], shown: Sequence[Change] = ()) -> set[str]:
    return {one.kind for one in suspicions(cells, shown)}


LINES = stay("S1", "U2", "10", "X9")
SUFFIXED = [*stay("Smith, John A", "Lee, Ann"), ("SMITH, JOHN A JR", "Smith, John A Jr")]
PLACES = stay("Cork, Ireland", "London, England")
AUTHORS = stay("octocat", "janedoe")
DIAGNOSES = stay("E11.9", "A01.1", "I10")
SCORES = stay("4", "7", "5.5", "8")
SHARES_OF_WORK = [*stay("1.0", "0.5"), ("50%", "0.5"), ("80 %", "0.8"), ("0,8", "0.8")]
GRADED = [*stay("1", "2", "3"), ("low", "1"), ("medium", "2"), ("high", "3")]


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ([*LINES, ("No. 10", "10")], [*LINES, ("M10", "10"), ("N10", "10")]),
        ([*LINES, ("010", "10"), ("s1", "S1")], [*LINES[:2], ("M10", "10"), ("N10", "10")]),
        ([*stay("2", "3"), ("G2", "2"), ("G3", "3")], [*stay("2", "3"), ("G2", "2"), ("H3", "3")]),
        (SUFFIXED, [*SUFFIXED, ("SMITH, JOHN A III", "Smith, John A")]),
        ([*PLACES, ("CORK, Ireland", "Cork, Ireland")], [*PLACES, ("Co. Cork, Ireland", "Cork, Ireland")]),
        ([*stay("Ford", "Shell"), ("Ford Motor Co.", "Ford Motor")], [*stay("Ford", "Cork"), ("County Cork", "Cork")]),
        ([*AUTHORS, ("@octocat", "octocat")], [*AUTHORS, ("dependabot[bot]", "dependabot")]),
        ([*DIAGNOSES, ("z00.00", "Z00.00")], [*DIAGNOSES, ("Z00.00", "Z")]),
        ([*SCORES, ("4,5", "4.5")], [*SCORES, ("49%", "49"), ("90%", "90")]),
        ([*stay("45", "70", "81"), ("49%", "49")], [*stay("4.5", "7", "8.1"), ("49%", "49")]),
        (GRADED, [*SHARES_OF_WORK, ("full-time", "0.0")]),
    ],
)
def test_a_value_that_becomes_another_one_of_its_column_is_suspected(right: list[Change], wrong: list[Change]) -> None:
    """That the other one is there already is no excuse; how words are cased, and what only decorates, says nothing."""
    assert not kinds(right)
    assert kinds(wrong)
    assert not kinds(wrong, [cell for cell in wrong if cell[0] != cell[1]])
