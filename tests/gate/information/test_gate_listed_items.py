"""Texts that become lists: the items are those of the text, whole, in their places, each by itself."""

from typing import Any

import pytest

from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.suspicions import suspicions

LISTS: list[Change] = [([a, b], [a, b]) for a, b in ("ad", "bo", "cy", "di") for a, b in (("ana", a), (b, "dov"))]
NUMBERS: list[Change] = [([n, 12], [n, 12]) for n in range(6)]


def kinds(before: str, after: Any, others: list[Change], shown: list[Change] | None = None) -> set[str]:
    """What is suspected of one text beside lists."""
    return {one.kind for one in suspicions([(before, after), *others], shown or [])}


@pytest.mark.parametrize(
    ("before", "after", "kind"),
    [
        ("ana, bo", ["a", "n", "a", "b", "o"], "text-cut"),
        ("ana, bo", ["an", "abo"], "text-cut"),
        ("ana, bo", ["bo", "ana"], "order-changed"),
        ("chi, dov, ana", ["ana", "chi", "dov"], "order-changed"),
        ("ana, bo", ["ana, bo"], "words-joined"),
    ],
)
def test_items_are_those_of_the_text(before: str, after: list[str], kind: str) -> None:
    """Letters, the last item first, and all in one are suspected; a witness of such a change settles it."""
    assert kind in kinds(before, after, LISTS)
    assert kind not in kinds(f"{before}, cy", [*after[:-1], f"{after[-1]}, cy"], LISTS, [(before, after)])


def test_figures_of_a_number_are_no_items() -> None:
    """`2, 11` has two numbers, and not three figures."""
    assert "text-cut" in kinds("2, 11", [2, 1, 1], NUMBERS)
    assert kinds("2, 11", [2, 11], NUMBERS) == set()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("ana, bo", ["ana", "bo"]),
        ("ana / bo", ["Ana", "Bo"]),
        ("Doe, Jane; Roe, Rick", ["Jane Doe", "Rick Roe"]),
        ("ana", ["ana"]),
        ("RW", ["R", "W"]),
    ],
)
def test_what_a_text_lists_may_become_its_items(before: str, after: list[str]) -> None:
    """In another case, with the first name in front, and letters that each say something."""
    assert kinds(before, after, LISTS) & {"text-cut", "order-changed", "words-joined"} == set()


def test_a_comma_may_be_part_of_an_item() -> None:
    """Where other lists have such items, or a witness shows one."""
    names: list[Change] = [([f"{one}, Ada", "Roe, Rick"], [f"{one}, Ada", "Roe, Rick"]) for one in ("King", "Byron")]
    assert "words-joined" not in kinds("Doe, Jane", ["Doe, Jane"], [*names, *names[:1], *LISTS])
    assert "words-joined" not in kinds("Doe, Jane", ["Doe, Jane"], LISTS, [("Roe, Rick", ["Roe, Rick"])])


def test_two_numbers_with_a_sign_between_become_two_items() -> None:
    """`3x5` as 3 and 5 joins no figures, as `3x5` as 35 does."""
    sizes: list[Change] = [("3x5", [3, 5]), ("4x6", [4, 6]), ([1, 2], [1, 2])]
    assert suspicions(sizes) == []
    assert "letters-lost" in {one.kind for one in suspicions([("3x5", "35"), ("4x6", "46"), ("17", "17")])}


def test_numbers_that_change_places_are_settled_by_a_witness_of_others() -> None:
    """A latitude and a longitude as a point: laws of numbers suspect it until one is shown."""
    shown: list[Change] = [("35.912, 2.327", [2.327, 35.912])]
    assert kinds("-45.533, 139.927", [139.927, -45.533], []) == {"order-changed"}
    assert kinds("-45.533, 139.927", [139.927, -45.533], [], shown) == set()
