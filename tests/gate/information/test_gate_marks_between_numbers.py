"""The mark between two numbers says what they are: another mark of the same kind is believed, one of another is not."""

import pytest

from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.suspicions import suspicions

PRESSURES = [("3.5 bar", "3.5 bar"), ("4 bar", "4 bar"), ("2.1 bar", "2.1 bar")]
PORTS = [("80,443", "80,443"), ("22,80", "22,80"), ("443", "443")]


@pytest.mark.parametrize("sign", [":", " ", "/", "-", ";", "'", "_"])
def test_a_decimal_mark_that_becomes_another_sign_is_suspected(sign: str) -> None:
    """Of a quantity: `3,5 bar` is no `3:5 bar`, in a cell or in a sentence."""
    assert "separator-moved" in _kinds([*PRESSURES, ("3,5 bar", f"3{sign}5 bar")])
    assert "separator-moved" in _kinds([("pressure 1,0 bar at noon", f"pressure 1{sign}0 bar at noon")])


def test_a_decimal_mark_that_others_keep_is_kept() -> None:
    """Numbers without a unit, where others have a point and keep it."""
    assert "separator-moved" in _kinds([("3.5", "3.5"), ("4.25", "4.25"), ("7,5", "7:5")])


@pytest.mark.parametrize(
    "changes",
    [
        [("5-7", "5,7"), ("8-9", "8,9"), ("20-24", "20,24")],
        [("5\u20137", "5/7"), ("8\u20139", "8/9"), ("20\u201324", "20/24")],
        [("80-83", "80,83"), ("8000-8002,9000", "8000,8002,9000")],
    ],
)
def test_a_range_that_becomes_a_list_is_suspected(changes: list[Change]) -> None:
    """All of which go up, beside lists."""
    assert "separator-moved" in _kinds([*PORTS, *changes])
    assert "separator-moved" not in _kinds([*PORTS, *changes], [("30\u201333", "30,33"), ("1-2,4", "1,2,4")])


def test_a_ratio_that_becomes_a_decimal_is_suspected() -> None:
    """A score of 3:1 is no 3,1."""
    assert "separator-moved" in _kinds([("3:1", "3,1"), ("2 : 0", "2,0"), ("4:4", "4,4")])


@pytest.mark.parametrize(
    "changes",
    [
        [*PRESSURES, ("3,5 bar", "3.5 bar")],
        [("06.30", "06:30"), ("17.45", "17:45"), ("8:10", "8:10")],
        [("1,5 h", "1:30 h"), ("2.5 h", "2.5 h")],
        [("1,200 kg", "1 200 kg"), ("3,500 kg", "3 500 kg")],
        [("5\u20137", "5-7"), ("8\u20139", "8-9"), ("20 - 24", "20-24"), *PORTS],
        [("2019\u20132020", "2019/2020"), ("2020\u20132021", "2020/2021"), ("2021\u20132022", "2021/2022")],
        [("3-1", "3:1"), ("2 : 0", "2:0"), ("4-4", "4:4")],
    ],
)
def test_another_mark_of_the_same_kind_is_believed(changes: list[Change]) -> None:
    """The other decimal mark, a time, groups of thousands, another dash, a season, a score."""
    assert "separator-moved" not in _kinds(changes)


def test_a_witness_who_shows_the_other_mark_is_believed() -> None:
    """The user's example of another cell."""
    cells, witness = [*PRESSURES, ("3,5 bar", "3:5 bar")], ("7,25 bar", "7:25 bar")
    assert "separator-moved" not in _kinds(cells, [witness])


def test_whole_numbers_in_brackets_are_below_zero_among_numbers() -> None:
    """`(4)` is -4 beside -3, so that the minus is believed and the bare number is suspected."""
    others = [("12", "12"), ("-3", "-3"), ("5", "5"), ("0", "0")]
    assert "sign-changed" in _kinds([*others, ("(4)", "4"), ("(11)", "11")])
    assert _kinds([*others, ("(4)", "-4"), ("(11)", "-11")]) == []
    assert "sign-changed" not in _kinds([*others, ("(4)", "4"), ("(11)", "11")], [("(7)", "7")])


def test_numbers_in_brackets_among_words_are_only_bracketed() -> None:
    """A note, or a column that has nothing else, says nothing of numbers below zero."""
    assert "sign-changed" not in _kinds([("(4)", "4"), ("(11)", "11"), ("(7)", "7")])
    assert "sign-changed" not in _kinds([("see", "see"), ("note", "note"), ("(4)", "4"), ("12", "12"), ("5", "5")])


def _kinds(cells: list[Change], witnesses: list[Change] | None = None) -> list[str]:
    return [one.kind for one in suspicions(cells, witnesses or [])]
