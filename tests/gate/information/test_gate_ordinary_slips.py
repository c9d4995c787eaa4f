"""Slips of ordinary cleaning functions: each is doubted, and the right function beside it is not."""

from collections.abc import Sequence

import pytest

from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.suspicions import suspicions

COUNTS = [("27,947,307", "27947307"), ("98 907 989", "98907989"), ("5,020,100", "5020100"), ("3,4", "3,4")]
ZIPS = [("675376795", "67537-6795"), ("146206682", "14620-6682"), ("613306433", "61330-6433")]
DAYS = [(f"{d}/0{m}/202{y}", f"202{y}-0{m}-{d}") for d, m, y in ((22, 4, 1), (19, 6, 2), (29, 8, 3), (13, 7, 4))]


def kinds(cells: Sequence[Change], witnesses: Sequence[Change] = ()) -> set[str]:
    return {one.kind for one in suspicions(cells, witnesses)}


@pytest.mark.parametrize(
    ("others", "right", "wrong", "kind"),
    [
        ([], ("CAF\u00c9\u200b-007", "CAF\u00c9-007"), ("CAF\u00c9\u200b-007", "CAF-007"), "letters-lost"),
        ([], ("LMP-12\u200b34", "LMP-1234"), ("LMP-12\u200b34", "LMP-12?34"), "letters-added"),
        ([], ("12&quot; vase", '12" vase'), ("12&quot; vase", "12' vase"), "sign-changed"),
        (COUNTS, ("4,660-10,051", "4,660-10,051"), ("4,660-10,051", "466010051"), "figures-joined"),
        (COUNTS, ("866,118", "866118"), ("866,118", "866.118"), "number-changed"),
        (ZIPS, ("075251186", "07525-1186"), ("075251186", "7525-1186"), "figures-lost"),
        (DAYS, ("05/02/21", "2021-02-05"), ("05/02/21", "2005-02-21"), "value-misread"),
    ],
)
def test_a_slip_is_doubted_and_the_right_change_is_not(
    others: list[Change], right: Change, wrong: Change, kind: str
) -> None:
    assert not kinds([*others, right])
    assert kind in kinds([*others, wrong])


def test_a_date_ends_in_its_year_only_where_others_show_that() -> None:
    """`05/02/21` alone may begin with its year."""
    assert not kinds([("05/02/21", "2005-02-21"), ("06/03/22", "2006-03-22")])


def test_two_blanks_that_become_one_settle_no_joined_words() -> None:
    """A witness of blanks inside of a title says nothing of words that come to stand without any."""
    joined = [("The\u00a0Lamp of Rome", "TheLamp of Rome")]
    assert "words-joined" in kinds(joined, [("An  Atlas of Oslo", "An Atlas of Oslo")])
    assert not kinds(joined, [("An\u00a0Atlas of Oslo", "AnAtlas of Oslo")])
