"""Code that is set in by four blanks or a tab below a blank line, as Markdown writes it, stays as it is."""

import pytest

from orchestrator.gate.information.suspicions import suspicions

CODE = "Run  it:\n\n    if x:\n\n        y  = 1\n\tz = 2\n\nDone."
CHANGED = "a line of code becomes another one"


def found(before: str, after: str) -> list[str]:
    return [one.detail for one in suspicions([(before, after)]) if one.kind == "value-changed"]


@pytest.mark.parametrize(
    "after",
    [
        "\n".join(line.strip() for line in CODE.split("\n")),
        CODE.replace("        y", "    y"),
        CODE.replace("y  =", "y ="),
        CODE.replace("\tz", "z"),
        " ".join(CODE.split()),
    ],
)
def test_code_that_changes_is_suspected(after: str) -> None:
    """Its blanks are what it says: a level of a program, or the columns of a table."""
    assert found(CODE, after) == [CHANGED]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (CODE, CODE.replace("Run  it", "Run it")),
        (CODE + "  ", CODE),
        (CODE.replace("x:\n", "x: \n"), CODE),
        ("  Two\n\n   Three  blanks", "Two\n\nThree blanks"),
        ("A line\n    that goes  on", "A line\n    that goes on"),  # no blank line is in front of it
        ("    Oslo", "Oslo"),
        (CODE, ""),
    ],
)
def test_other_changes_are_not(before: str, after: str) -> None:
    """The text around it, blanks at the ends of its lines, and lines that are set in by less."""
    assert found(before, after) == []
