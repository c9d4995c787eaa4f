"""What ordinary cleaning does, told from ordinary mistakes: footnotes, tags, bookings, zeros, words for nothing."""

from typing import Any

import pytest

from orchestrator.gate.information.emptied import emptied_like_others, gone_alike
from orchestrator.gate.information.row_evidence.filled import made_up, without_value
from tests.gate.information.test_gate_information import judged
from tests.gate.information.test_gate_suspicions import kinds

STAY = ["20491", "1791734", "308441"]


def changed(before: list[Any], after: list[Any], stay: list[Any]) -> set[str]:
    return kinds([*zip(before, after, strict=True), *((cell, cell) for cell in stay)])


@pytest.mark.parametrize(
    ("before", "good", "wrong", "stay"),
    [
        (["490,730[1][7]", "313,478[17]"], ["490730", "313478"], ["49073017", "31347817"], STAY),
        (["120.00 DR", "80.50 CR"], ["-120.00", "80.50"], ["120.00", "80.50"], ["-7.10", "12.00"]),
        (["120.00 DR", "80.50 CR"], ["-120.00", "80.50"], ["-120.00", "-80.50"], ["-7.10", "12.00"]),
        (
            ['<span class="t">Senior buyer</span>', "<b>Nurse</b>", '<a href="/jobs/7">Cook</a>'],
            ["Senior buyer", "Nurse", '<a href="/jobs/7">Cook</a>'],
            ["Senior buyer", "Nurse", "Cook"],
            ["R&D lead", "Fitter (m/f/x)"],
        ),
        (
            ["living_room", "dining_room", "guest_bedroom"],
            ["living room", "dining room", "guest bedroom"],
            ["livingroom", "diningroom", "guestbedroom"],
            ["kitchen", "living room", "bathroom"],
        ),
        (
            ["A pos", "B pos", "0 pos", "AB pos", "A neg", "B neg", "0 neg", "O positive", "O negative"],
            ["A+", "B+", "0+", "AB+", "A-", "B-", "0-", "O+", "O-"],
            ["A", "B", "0", "AB", "A", "B", "0", "O", "O"],
            ["A+", "AB-"],
        ),
        (
            ["0-306-40615-2", "0-201-61622-X", "978-0-306-40615-7"],
            ["0306406152", "020161622X", "9780306406157"],
            ["306406152", "20161622X", "9780306406157"],
            [*(f"978{n}306406157" for n in range(5)), *(f"{n}306406159" for n in range(1, 6))],
        ),
        (["yes", "N"], [True, False], ["no", "yes"], [True, False, True, "on request"]),
    ],
)
def test_the_right_form_is_believed_and_the_wrong_one_is_not(
    before: list[Any], good: list[Any], wrong: list[Any], stay: list[Any]
) -> None:
    """Each pair differs in what a person would call the mistake, and in nothing else."""
    assert changed(before, good, stay) == set()
    assert changed(before, wrong, stay)


def test_true_and_false_come_only_where_they_are_known() -> None:
    """A column of texts in which two of three words become flags holds both kinds then, which nobody asked for."""
    assert changed(["yes", "no"], [True, False], ["on request"]) == {"type-changed"}


def test_zero_is_no_year_and_may_be_a_price() -> None:
    """Zero goes where it lies further from the numbers that stay than they lie from each other."""
    years, prices = ["1931", "1990", "2004"], ["120", "3", "48"]
    zeros = ["0"] * 3
    assert emptied_like_others([*years, *zeros], [*years, None, None, None]) == []
    assert emptied_like_others([*prices, *zeros], [*prices, None, None, None]) == [3, 4, 5]


def test_a_word_that_speaks_of_nothing_may_go_and_one_that_looks_like_others_may_not() -> None:
    """However often each stands there: `cook` and `vet` are occupations."""
    stay = ["nurse", "teacher", "tailor", "clerk"] * 3
    assert emptied_like_others([*stay, *["unsaid"] * 3], [*stay, None, None, None]) == []
    assert emptied_like_others([*stay, *["vet"] * 3], [*stay, None, None, None]) == [12, 13, 14]
    assert emptied_like_others([*stay, *["vet"] * 3, *["cook"] * 3], [*stay, *[None] * 6]) == list(range(12, 18))


def test_a_word_for_nothing_gets_no_value() -> None:
    """`?` may become the word for nothing, and not what other rows say; a sign that has a meaning of its own may."""
    assert without_value([("?", "Private"), ("Private", "Private")], [0]) == [0]
    assert without_value([("?", "unknown"), ("Private", "Private")], [0]) == []
    assert without_value([("Unknown", "U"), ("U", "U")], [0]) == []
    assert without_value([("x", "yes"), ("yes", "yes")], [0]) == []
    assert made_up([("?", "Private")], [0], [[""]]) == [0]


def test_a_sign_of_a_currency_is_its_code() -> None:
    """A code that comes of the sign beside it is not made up; another one is."""
    assert made_up([(None, "USD")], [0], [["$25.00"]]) == []
    assert made_up([(None, "EUR")], [0], [["$25.00"]]) == [0]


def test_the_check_sees_the_filled_word() -> None:
    """The whole check, as the judge runs it, says so, and a user's null word as before."""
    classes = ["Private", "State-gov", "Private", "Local-gov", "?"]
    assert "get a value" in judged(classes, [*classes[:4], "Private"])
    assert judged(classes, [*classes[:4], None]) == ""


@pytest.mark.parametrize(
    ("value", "shown", "alike"),
    [
        ("Present", "present", True),
        ("summer 2015", "present", False),
        ("cook", "n/a", False),
        ("2023-02-30", "2021-13-01", True),
        (-9999, -999, True),
        (46, -999, False),
        ("2024-06-01", "0000-00-00", False),
        ("1900-01-01", "0000-00-00", True),
        (-123, -999, False),
        (46, 0, False),
        (46, 51, True),
    ],
)
def test_a_witness_speaks_for_what_becomes_empty_alike(value: object, shown: object, *, alike: bool) -> None:
    """The same word, or a number or date that is built so; of other words nothing is known."""
    assert gone_alike(value, shown) is alike
