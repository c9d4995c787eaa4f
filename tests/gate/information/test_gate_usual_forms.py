"""Usual ways to write amounts, mailboxes and lists are believed; near mistakes, of sizes and weights too, are not."""

from collections.abc import Sequence

import pytest

from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.suspicions import suspicions


def doubted(cells: Sequence[Change], shown: Sequence[Change] = ()) -> bool:
    return bool(suspicions(cells, shown))


def stay(*texts: str) -> list[Change]:
    return [(text, text) for text in texts]


BALANCES = [("(986.70)", "-986.70"), ("56.10-", "-56.10"), *stay("7,145.35", "12.50", "-3.10", "0.00", "see note")]
SIZES = [("small", "S"), ("med", "M"), ("x-large", "XL"), *stay("S", "M", "L", "XL", "XS", "one size")]
WEIGHTS = [("8,5 kg", "8.500"), ("250 g", "0.250"), ("10 lb", "4.536"), *stay("12 m", "a 3 b", "7 k", "heavy")]
HEIGHTS = [("6'0\"", "183"), ("5'2", "157"), ("1,52 m", "152"), ("170 cm", "170"), *stay("181", "tall")]
MAILBOXES = [("ada@gmial.com", "ada@gmail.com"), *stay("ken@gmail.com", "ida@ymail.com", "bo@example.org")]
TAGS = [("sql,SQL", "sql"), *stay("lamp", "kettle", "python, sql", "r, rust")]


@pytest.mark.parametrize(
    ("cells", "change", "found"),
    [
        (BALANCES, ("(6,144.81)", "-6,144.81"), False),
        (BALANCES, ("3,659.68-", "-3,659.68"), False),
        (BALANCES, ("(6,144.81)", "6,144.81"), True),
        (BALANCES, ("6 (144.81)", "6 -144.81"), True),
        (SIZES, ("lrg", "M"), True),
        (WEIGHTS, ("4245 g", "4245"), True),
        (HEIGHTS, ("6'", "180"), True),
        (HEIGHTS, ("6'", "360"), True),
        (MAILBOXES, ("bo@hotmial.com", "bo@hotmail.com"), False),
        (MAILBOXES, ("bo@ymail.com", "bo@gmail.com"), True),
        (MAILBOXES, ("bo@mail.com", "bo@gmail.com"), True),
        (MAILBOXES, ("bo@hotmial.com", "ab@hotmail.com"), True),
        (TAGS, ("Java, JavaScript, java", "Java, JavaScript"), False),
        (TAGS, ("Java, JavaScript, java", "Java, java"), True),
        (TAGS, ("Java, JavaScript, R", "Java, JavaScript"), True),
    ],
)
def test_the_usual_form_is_believed_and_the_nearest_mistake_is_not(
    cells: list[Change], change: Change, *, found: bool
) -> None:
    """Amounts below zero, sizes, units, providers of mail, and items that a list repeats."""
    assert doubted([*cells, change]) is found


@pytest.mark.parametrize(
    ("cells", "shown", "change", "found"),
    [
        ([("2¼", "2.25")], ("1 1/2", "1.5"), ("2½", "2.5"), False),
        ([("2¼", "2.25")], ("1 1/2", "1.5"), ("2½", "2.25"), True),
        (stay("4.50", "pickup"), ("Free", "0.00"), ("gratis", "0.00"), False),
        (stay("4.50", "pickup"), ("Free", "0.00"), ("included", "0.00"), True),
        (stay("4.50", "pickup"), ("Free", "0.00"), ("from 4.50", "0.00"), True),
    ],
)
def test_a_witness_of_one_spelling_speaks_for_the_others(
    cells: list[Change], shown: Change, change: Change, *, found: bool
) -> None:
    """Of a fraction in one sign, and of a word for what costs nothing; not of another word."""
    assert doubted([*cells, shown, change], [shown]) is found
