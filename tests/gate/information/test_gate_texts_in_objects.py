"""Texts that become lists and objects: what is said by a key, by a number, or by the objects of other cells."""

from typing import Any

import pytest

from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.suspicions import suspicions

PETS = [(f"{n} dogs, a rabbit", {"dog": n, "rabbit": 1}) for n in range(2, 10)]
STOCK = [({"S": n, "M": 0}, {"S": n, "M": 0}) for n in range(3)]


def kinds(cells: list[Change], shown: list[Change] | None = None) -> set[str]:
    """What is suspected."""
    return {one.kind for one in suspicions(cells, shown or [])}


@pytest.mark.parametrize(
    ("made", "suspected"),
    [({"horse": 4, "rabbit": 1}, False), ({"horse": 3, "rabbit": 1}, True), ({"donkey": 4, "rabbit": 1}, True)],
)
def test_a_plural_and_a_number_in_words_are_said_by_key_and_figure(made: dict[str, int], *, suspected: bool) -> None:
    """`four horses` is `{"horse": 4}`; another number, and another animal, is suspected."""
    shown: list[Change] = [("2 cats, a rabbit", {"cat": 2, "rabbit": 1})]
    cells: list[Change] = [*PETS, ("four horses, a rabbit", made), ("parrot", "parrot")]
    assert ("words-lost" in kinds(cells, shown)) is suspected


def test_an_object_is_no_word_for_another_one() -> None:
    """A list of tasks, each with a box in front; a task that becomes another word is suspected."""
    shown = [("[x] Keys", {"task": "Keys", "done": True}), ("[ ] Lights", {"task": "Lights", "done": False})]
    names = ("shelf", "towel", "mirror", "kettle")
    tasks = [(f"[{box}] {name}", {"task": name, "done": box == "x"}) for name in names for box in " x"]
    assert kinds([*tasks, ("[?] desk", "[?] desk")], shown) == set()
    assert kinds([*tasks[1:], ("[ ] shelf", {"task": "sofa", "done": False}), ("[?] desk", "[?] desk")], shown)


def test_a_decimal_comma_is_no_separator() -> None:
    """`1: 8,58 | 10: 5,60` as pairs of numbers; names with a comma between them are no longer told apart."""
    prices = [
        (f"1: 8,{n} | 10: 5,60", [{"from": 1, "price": float(f"8.{n}")}, {"from": 10, "price": 5.6}])
        for n in range(51, 57)
    ]
    shown: list[Change] = [("1: 9,25 | 10: 6,50", [{"from": 1, "price": 9.25}, {"from": 10, "price": 6.5}])]
    assert kinds([*prices, ("on request", "on request")], shown) == set()
    names = [(f"Hopper{n}, Grace; King, Ada", f"Hopper{n}, Grace, King, Ada") for n in "abcdef"]
    assert "separator-moved" in kinds(names)


@pytest.mark.parametrize(("made", "suspected"), [({"S": 3, "M": 1}, False), ({"S": "3", "M": "1"}, True)])
def test_numbers_stay_numbers_where_other_objects_have_them(made: dict[str, Any], *, suspected: bool) -> None:
    """Texts of figures are suspected beside `{"S": 1, "M": 0}`, and where there is no such object they are not."""
    cells: list[Change] = [("S:3|M:1", made), *STOCK]
    assert ("type-changed" in kinds(cells)) is suspected
    assert "type-changed" not in kinds([("S:3|M:1", made), ("sold out", "sold out")])


def test_a_stop_that_comes_back_is_two() -> None:
    """`Oslo > Rome > Oslo` has three stops; the same one twice in a row may be one."""
    ways: list[Change] = [("Lima > Lima > Oslo", ["Lima", "Oslo"]), ("Oslo > Rome > Oslo", ["Oslo", "Rome", "Oslo"])]
    assert "item-lost" not in kinds(ways)
    assert "item-lost" in kinds([ways[0], ("Oslo > Rome > Oslo", ["Oslo", "Rome"])])
