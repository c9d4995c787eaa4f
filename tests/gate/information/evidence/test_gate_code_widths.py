"""Codes that come to have fewer figures than the others of their column, and words replaced inside others."""

from collections.abc import Sequence

import pytest

from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.suspicions import suspicions

ZIPS = ["10001", "90210", "33101", "60601", "94110", "73301"]
CUSTOMERS = [f"C-000{number}" for number in range(125, 131)]
BARCODES = ["4006381333931", "4006381333948", "4006381333955", "4006381333912", "4006381333999", "10369991950505"]
OAK = ("5 Oak St", "5 Oak Street")


def kinds(*changes: Change, stay: Sequence[str] = ()) -> set[str]:
    return {one.kind for one in suspicions([*changes, *((text, text) for text in stay)])}


@pytest.mark.parametrize(
    ("wrong", "right", "stay"),
    [
        (("501", "0501"), "00501", ZIPS),
        (("c123", "C-123"), "C-000123", CUSTOMERS),
        (("m-7", "M7"), "M0007", ["M0001", "M0017", "M0203", "M1450", "M0118"]),
        (("40159008563", "040159008563"), "0040159008563", BARCODES),
    ],
)
def test_a_code_with_too_few_zeros_is_suspected(wrong: Change, right: str, stay: Sequence[str]) -> None:
    """Also where some others have more; with all of them it is only written as the others are."""
    assert kinds(wrong, stay=stay) == {"figures-lost"}
    assert kinds((wrong[0], right), stay=stay) == set()


@pytest.mark.parametrize(
    ("change", "stay"),
    [
        (("2134.0", "2134"), ZIPS),
        ((" 2134 ", "2134"), ZIPS),
        (("950 pcs", "950"), ZIPS),
        (("$ 17,420,680", "$ 17420680"), ["$ 444512293", "$ 192256689", "$ 318551759", "$ 871253031", "$ 190357143"]),
        (("1200 kilos", "1200 kg"), ["12000 kg", "15000 kg", "22000 kg", "31000 kg", "17000 kg", "0 kg"]),
        (("proj 789", "PROJ-789"), ["PROJ-1204", "PROJ-1377", "PROJ-2210", "PROJ-4321", "PROJ-1999"]),
        (("7 min", "7"), ["12", "45", "30", "18", "22", "09"]),
        (("a 123", "A-123"), ["A-7", "A-45", "A-1234", "B-1", "B-12", "C-9"]),
    ],
)
def test_what_is_no_code_of_one_length_is_not_suspected(change: Change, stay: Sequence[str]) -> None:
    """What had as few figures before, counts and amounts, and codes of many lengths."""
    assert "figures-lost" not in kinds(change, stay=stay)


@pytest.mark.parametrize(
    ("change", "seen"),
    [
        (("12 Forest", "12 ForeStreet"), True),
        (("3 Stone Rd", "3 Streetone Rd"), True),
        (("9 Main St.", "9 Main Street"), False),
        (("Hauptst 5", "Hauptstreet 5"), False),
        (("2 sts", "2 streets"), False),
        (("head of it security", "Head of IT Security"), False),
    ],
)
def test_a_word_replaced_inside_another_is_suspected(change: Change, *, seen: bool) -> None:
    """What is put together of words, and a plural, are written out as the word is."""
    assert ("word-replaced" in kinds(change, OAK)) is seen


def test_an_address_that_begins_twice_is_no_address() -> None:
    """Another scheme, a small host and no slash at the end say the same."""
    assert kinds(("https://Shop.example/", "https://https://shop.example")) == {"other-meaning"}
    assert kinds(("http://Shop.example/", "https://shop.example")) == set()
