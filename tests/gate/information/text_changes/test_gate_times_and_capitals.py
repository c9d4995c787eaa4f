"""Times and dates inside texts, capitals of names, repeated signs, periods: right changes beside wrong ones."""

from collections.abc import Sequence

import pytest

from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.row_evidence.exchanged import exchanged_rows
from orchestrator.gate.information.row_evidence.filled import made_up
from orchestrator.gate.information.suspicions import suspicions


def kinds(cells: Sequence[Change]) -> set[str]:
    return {one.kind for one in suspicions(cells)}


def stay(*texts: str) -> list[Change]:
    return [(text, text) for text in texts]


LINKS = stay("https://a.example/1.jpg", "https://b.example/2.jpg", "https://c.example/3.jpg")
STAMPS = stay("2024-05-01T10:00:00Z", "2024-05-02T11:30:00Z", "2024-06-03T09:15:00Z")
PERIODS = stay("2024-01-01/2024-01-31", "2024-02-01/2024-02-29", "2024-03-01/2024-03-31")
HOURS = stay("08:30-17:00", "09:00-18:00", "10:00-16:00")
YEARS = stay("1+ years", "2+ years", "5+ years", "no experience")
COUNTIES = stay("Cook", "Lake", "Kane", "Will")
BRANDS = stay("Sony", "Samsung", "Canon", "Nikon")
MOBILES = stay("+61414234168", "+61412648282", "+61474772712")
CYCLES = [*stay("monthly", "quarterly", "annually", "weekly"), ("Monthly", "monthly")]
SHARES = stay(".312", ".288", ".301", ".275")
POSTS = stay("a mug for sale", "two lamps wanted", "the shop is open")


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        (
            [("Break 12:47 pm to 1:59 pm, all well.", "Break 12:47 to 13:59, all well.")],
            [("Break 12:47 pm to 1:59 pm, all well.", "Break 12:47 to 01:59, all well.")],
        ),
        ([("Opens at 9 am on days", "Opens at 09:00 on days")], [("Opens at 9 pm on days", "Opens at 09:00 on days")]),
        (
            [*PERIODS, ("03 May 2024 to 17 May 2024", "2024-05-03/2024-05-17")],
            [*PERIODS, ("03 May 2024 to 17 May 2024", "2024-05-03/2024-05-18")],
        ),
        (
            [*PERIODS, ("11/01/2015 - 11/28/2015", "2015-11-01/2015-11-28")],
            [*PERIODS, ("11/01/2015 - 11/28/2015", "2015-01-11/2015-11-28")],
        ),
        (
            [*STAMPS, ("2024-05-04 08:26:42 UTC", "2024-05-04T08:26:42Z")],
            [*STAMPS, ("2024-05-04 08:26:42 UTC", "2024-05-04T10:26:42Z")],
        ),
        ([*HOURS, ("9-18", "09:00-18:00"), ("8-16:30", "08:00-16:30")], [*HOURS, ("9-18", "09:00-17:00")]),
        ([*YEARS, ("min. 3 years", "3+ years")], [*YEARS, ("min. 3 years", "13+ years")]),
        ([*SHARES, ("28.9 %", ".289")], [*SHARES, ("28.9 %", ".0289")]),
        ([*COUNTIES, ("MC HENRY", "Mc Henry")], [*COUNTIES, ("McHenry", "Mchenry")]),
        ([*COUNTIES, ("rOmE", "Rome"), ("PARIS", "Paris")], [*COUNTIES, ("DuPage", "Dupage")]),
        ([*BRANDS, ("LEICA", "Leica"), ("DR", "Dr")], [*BRANDS, ("LG", "Lg")]),
        ([*LINKS, ("//d.example/4.jpg", "https://d.example/4.jpg")], [*LINKS, ("//d.example/4", "https:////d.example/4")]),
        ([*MOBILES, ("+61 414 234 169", "+61414234169")], [*MOBILES, ("+64 21 975 5843", "+6164219755843")]),
        ([*CYCLES, ("per year", "annually")], [*CYCLES, ("per year", "monthly")]),
        ([*CYCLES, ("qtr", "quarterly")], [*CYCLES, ("half-yearly", "annually")]),
        ([*POSTS, ("a [b]red[/b] mug", "a red mug")], [*POSTS, ("a [red] mug", "a mug")]),
        (
            [*stay("Pass w/ Conditions", "Fail"), ("Pass with conditions", "Pass w/ Conditions")],
            [("tea w/o milk", "tea with milk")],
        ),
        ([("(2018– )", "2018-"), ("(2017)", "2017")], [("(12.50)", "12.50"), ("3.50", "3.50")]),
    ],
)  # fmt: skip
def test_what_stays_the_same_is_believed_and_what_does_not_is_held(
    right: Sequence[Change], wrong: Sequence[Change]
) -> None:
    """The one says the same in another form, the other something else."""
    assert kinds(right) == set()
    assert kinds(wrong) != set()


def test_values_that_a_sign_tells_apart_were_exchanged() -> None:
    """Every address of one column has the @ and none of the other's, however they are built; else nobody knows."""
    mails = ["ada@a.example", "tim.lee@b.example", "o_1@c.example"] * 4
    sites = ["www.a.example", "http://b.example/x", "c.example"] * 4
    cells: list[Change] = [(mail, mail) for mail in mails] + [("w-1.d.example/a", "x-y.z@d.example")]
    beside: list[Change] = [(site, site) for site in sites] + [("x-y.z@d.example", "w-1.d.example/a")]
    assert exchanged_rows(cells, beside, [12]) == [12]
    assert exchanged_rows([*cells, ("nobody", "nobody")], [*beside, ("a@b", "a@b")], [12]) == []


def test_number_with_a_sign_that_no_other_has_is_made_up() -> None:
    """A latitude that is filled with the longitude, a longitude without its minus: the row has the figures of both."""
    point = "POINT (-74.13 40.84)"
    stays: list[Change] = [(number, number) for number in (40.86, 40.4, 40.51, 40.7)]
    west: list[Change] = [(-before, -after) for before, after in stays]
    others = [["POINT (1 2)"] * 4 + [point]]
    assert made_up([*stays, (None, 40.84)], [4], others) == []
    assert made_up([*stays, (None, -74.13)], [4], others) == [4]
    assert made_up([*west, (None, 40.84)], [4], others) == [4]
