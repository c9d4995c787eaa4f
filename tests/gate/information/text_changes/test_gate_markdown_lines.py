"""Blanks at the end of a line and signs in front of it say something in Markdown, and nothing elsewhere."""

import re
from collections.abc import Callable

import pytest

from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.suspicions import suspicions

GUIDE = ["# Guide", "## Install", "See [the page](https://a.example).", "> Ask first.\n> > No, do not."]
POEM = ["Roses are red  \nviolets are blue", "First line  \nsecond line", "A word **in bold**\nand more"]


def kinds(before: list[str], function: Callable[[str], str], shown: list[Change] | None = None) -> set[str]:
    """What is suspected where the function is applied to all texts."""
    return {one.kind for one in suspicions([(text, function(text)) for text in before], shown or [])}


def trimmed(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.split("\n"))


def test_two_blanks_break_a_line_of_markdown() -> None:
    """They are suspected to be lost, joined lines as well; `<br>` and a backslash keep the lines apart."""
    assert "lines-joined" in kinds([*GUIDE, *POEM], trimmed)
    assert "lines-joined" in kinds([*GUIDE, *POEM], lambda text: text.replace("  \n", " "))
    assert kinds([*GUIDE, *POEM], lambda text: text.replace("  \n", "<br>\n")) == set()
    assert kinds([*GUIDE, *POEM], lambda text: text.replace("  \n", "\\\n")) == set()
    assert kinds([*GUIDE, *POEM], trimmed, [("Ann  \nBen", "Ann\nBen")]) == set()


@pytest.mark.parametrize(
    "texts",
    [
        [one.replace("#", "").replace("**", "").replace("](", " ") for one in GUIDE] + POEM[:2],  # plain text
        [*GUIDE, *POEM, "Ann \nBen", "Cid   \nDan"],  # blanks of every number
        [*GUIDE, "Ann  \n- Ben", "```\nx = 1  \ny = 2\n```", "| a | b |  \n| 1 | 2 |"],  # a list, code, a table
        [*GUIDE, "Ann\nBen  ", "Cid  \n\nDan"],  # at the end of a paragraph
    ],
)
def test_blanks_that_break_no_line_may_go(texts: list[str]) -> None:
    """Outside of Markdown, where their number is chance, and where the next line begins something of its own."""
    assert kinds(texts, trimmed) == set()


def test_a_quotation_in_a_quotation_stays_inside() -> None:
    """One level for two is suspected; a message whose lines all lose a sign, and a comparison, are not."""
    assert "mark-lost" in kinds(GUIDE, lambda text: text.replace("> > ", "> "))
    assert "mark-lost" not in kinds(GUIDE, lambda text: re.sub("^> ?", "", text, flags=re.MULTILINE))
    assert "mark-lost" not in kinds(["> 5", "> > 5", "> 7"], lambda text: text.replace("> > ", "> "))
    shown: list[Change] = [("> Yes\n> > No", "> Yes\n> No")]
    assert "mark-lost" not in kinds(GUIDE, lambda text: text.replace("> > ", "> "), shown)
