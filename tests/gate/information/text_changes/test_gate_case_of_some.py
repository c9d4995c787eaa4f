"""Letters that change their case in some rows only leave one thing written in two ways."""

import pytest

from orchestrator.gate.information.characters.case_of_some import (
    same_value_in_two_cases,
    uniform_column_in_two_cases,
)
from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.suspicions import suspicions

NAMES = [
    "Ada Lovelace", "Grace Hopper", "Barbara Liskov", "Donald Knuth", "James van Dyk", "Ines Fischer", "Bo Kelly",
    "Nina Sanchez",
]  # fmt: skip
CODES = [
    f"{letters}-{number}" for number, letters in enumerate(["EH", "BM", "IO", "LN", "JF", "KB", "BB", "IH"], 10000)
]
USES = ["SINGLE FAMILY", "VACANT LAND", "CONDO", "DUPLEX", "ZERO LOT LINE", "CHURCH", "USA", "NASA", "PARKING LOT", "MILL",
        "STRIP SHOPPING CENTER", "GREENBELT"]  # fmt: skip


def lowered(texts: list[str], every: int) -> list[Change]:
    return [(text, text.lower() if place % every == 0 else text) for place, text in enumerate(texts)]


def said(cells: list[Change], *shown: Change) -> list[str]:
    return [one.detail for one in suspicions(cells, list(shown), []) if one.kind == "case-changed"]


@pytest.mark.parametrize("texts", [NAMES, CODES, [text.upper() for text in NAMES], USES])
def test_a_column_written_in_one_case_is_written_in_one_afterwards(texts: list[str]) -> None:
    """Every other value in small letters is suspected, until a witness shows letters that change their case."""
    half = lowered(texts, every=2)
    assert any("written in two afterwards" in one for one in said(half))
    assert not any("written in two afterwards" in one for one in said(half, ("OTTO W.", "otto w.")))
    assert uniform_column_in_two_cases([], half) is None
    changed = [cell for cell in half if cell[0] != cell[1]]
    assert uniform_column_in_two_cases(changed[:2], [*changed[:2], *((text, text) for text in texts)]) is None


@pytest.mark.parametrize(
    "cells",
    [
        [(text, text.upper()) for text in NAMES],
        [(text, text if len(text) < 5 else text.title()) for text in USES],  # USA, NASA and MILL stay
        [(text, text.lower()) for text in [*CODES, *USES]],
        [(f"{text.replace(' ', '.')}@A.ORG".upper(), f"{text.replace(' ', '.')}@a.org".lower()) for text in NAMES]
        + [(text.upper(), text.upper()) for text in NAMES],  # addresses are no names
        [(text.upper() if place % 2 else text, text) for place, text in enumerate(NAMES)],  # it was in two before
    ],
)
def test_what_is_written_otherwise_throughout_is_not_in_two_cases(cells: list[Change]) -> None:
    """All values, all of a form, or all but short words and a few; what was in two cases before becomes better."""
    changed = [cell for cell in cells if cell[0] != cell[1]]
    assert changed
    assert uniform_column_in_two_cases(changed, cells) is None
    assert same_value_in_two_cases(changed, cells) is None


def test_a_value_is_not_written_in_two_ways() -> None:
    """`Consumer` stays beside one kind of row and is `consumer` beside another; a witness of such a value settles it."""
    cells: list[Change] = [("Consumer", "consumer"), ("Consumer", "Consumer"), ("Corporate", "Corporate")]
    assert any("in some of its rows only" in one for one in said(cells))
    assert said(cells, ("Consumer", "consumer")) == []
    assert said([("consumer", "Consumer"), ("Consumer", "Consumer")]) == []
