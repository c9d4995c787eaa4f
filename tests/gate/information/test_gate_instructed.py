"""What the user's instruction says of a value is a witness for that value, and for no other."""

import time

import pytest

from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.instructed import said_of, said_order, said_to_go

TRADE_NAMES = (
    "Pfizer, BioNTech, Pfizer/BioNTech and BNT162b2 are all Comirnaty, Moderna and mRNA-1273 are Spikevax, "
    "AstraZeneca, AZ and ChAdOx1 are Vaxzevria."
)


@pytest.mark.parametrize(
    ("instruction", "said", "not_said"),
    [
        ('Clean it: "NY" -> "New York".', [("NY", "New York")], [("New York", "NY"), ("NY", "Newark")]),
        ("HR means Human Resources.", [("hr", "Human Resources")], [("HR", "Human"), ("Human Resources", "HR")]),
        ("S is sand, LS loamy sand, SL sandy loam.", [("S", "sand"), ("LS", "loamy sand")], [("S", "loamy sand")]),
        ("Red is urgent. red 1, orange 2", [("Red", "1"), ("orange", "2")], [("red", "2"), ("orange", "1")]),
        ("clear sky or SKC (0), overcast (8)", [("clear sky", "0"), ("SKC", "0")], [("SKC", "8"), ("overcast", "0")]),
        ("odd weeks (that is A)", [("odd weeks", "A")], [("weeks", "A"), ("A", "odd weeks")]),
        ("medium (or regular) is D, wide is 2E", [("medium", "D")], [("medium", "2E"), ("wide", "D")]),
        ("wide is 2E, extra wide is 4E", [("wide", "2E"), ("extra wide", "4E")], [("wide", "4E")]),
        ("Mum, Mom and mama become mother; dad father", [("Mum", "mother"), ("mama", "mother")], [("dad", "mother")]),
        ("Replace F by female and M by male.", [("F", "female"), ("M", "male")], [("F", "male"), ("M", "female")]),
        ("Change 1 to A and 2 to B.", [("1", "A"), ("2", "B")], [("1", "B"), ("A", "1")]),
        ("Use HR for Human Resources.", [("Human Resources", "HR")], [("HR", "Human Resources")]),
        ("They typed HR or H.R. for Personnel.", [("HR", "Personnel"), ("H.R.", "Personnel")], [("Personnel", "HR")]),
        (TRADE_NAMES, [("pfizer", "Comirnaty"), ("AZ", "Vaxzevria")], [("Moderna", "Vaxzevria"), ("AZ", "Comirnaty")]),
        ("Answers from 1 to 5.", [], [("1", "5"), ("5", "1")]),
        ("Prices as in 12 for 3.", [], [("12", "3"), ("3", "12")]),
        ("Do not turn N into North.", [], [("N", "North")]),
        ("Yes is never 1, and no is 0.", [], [("yes", "1"), ("no", "0")]),
        ("Tidy New York.", [], [("New", "York")]),
    ],
)
def test_an_instruction_says_what_becomes_of_a_value(
    instruction: str, said: list[Change], not_said: list[Change]
) -> None:
    """Only a pair that it states counts, in its direction; not where a word turns the sentence round."""
    assert said_of(instruction, [*said, *not_said]) == set(said)


@pytest.mark.parametrize(
    "part", ["a, b or c for d ", "turn a to ", "is ", "(", "a (b ", " ", "x", ", ", "not is ", "- > = "]
)
def test_a_long_instruction_is_read_in_a_moment(part: str) -> None:
    """However it is written: no expression takes quadratic time."""
    instruction = part * (20_000 // len(part))
    started = time.process_time()
    assert said_of(instruction, [("q", "z")]) == set()
    assert time.process_time() - started < 2


@pytest.mark.parametrize(
    ("instruction", "gone"),
    [
        ("Treat 'open' and held as missing.", {"open", "held"}),
        ("Blank out open, please.", {"open"}),
        ("In status, open means nothing.", {"open"}),
        ("Trim all, set held to null", {"held"}),
        ("Remove the word open from status, and trim.", {"open"}),
        ("open and closed are fine, held is unknown", {"held"}),
        ("Blank cells in status should be open.", set()),
        ("Fill empty cells with open; empty cells become held", set()),
        ("open is not missing, never blank out held", set()),
        ("Opened is missing.", set()),
        ("drop rows with open", set()),
        ("Remove stray blanks from open orders, and drop the rows that are held.", set()),
        ("Delete duplicates of open; remove the column held in closed files", set()),
        ("Orders that customers left open are unknown.", set()),
        ("Empty open, held and 'closed'.", {"open", "held", "closed"}),
    ],
)
def test_an_instruction_says_which_values_are_none(instruction: str, gone: set[str]) -> None:
    """Those that it names for that, and not what empty cells are to become."""
    assert said_to_go(instruction, ["open", "held", "closed"]) == gone


@pytest.mark.parametrize(
    ("instruction", "first"),
    [
        ("The day comes first.", "day"),
        ("Dates are dd/mm/yyyy, make them ISO.", "day"),
        ("In start the day is before the month", "day"),
        ("These are American dates.", "month"),
        ("Read them with the month first", "month"),
        ("Dates as MM/DD/YYYY", "month"),
        ("The day is not first.", ""),
        ("Some have the day first, others the month first.", ""),
        ("Sort by month and day.", ""),
        ("Pay on the first day of a month.", ""),
    ],
)
def test_an_instruction_says_in_which_order_dates_are_written(instruction: str, first: str) -> None:
    assert said_order(instruction) == first
