"""Cells of many thousand characters: what is found in them takes time in proportion, whatever they repeat."""

import time

import pytest

from orchestrator.gate.information.suspicions import suspicions

REST = [("abc", "abc"), ("def 12", "def 12"), ("7.5", "7.5")]
MANY = 30_000


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("5" + " " * MANY + "x", "5 x"),
        ("1" + "." * MANY + "a", "1a"),
        ("5" * MANY + "a", "5" * MANY),
        ("1," * MANY, "1." * MANY),
        ("n" * MANY, "n" * MANY + "x"),
        ("can't " * (MANY // 10), "cannot " * (MANY // 10)),
        ("$" * MANY + "5", "\u20ac" * MANY + "5"),
        ("<" * MANY + "5", "\u2264" * MANY + "5"),
        ("<b>" * MANY, "<b>" * MANY + "x"),
        ("6" * MANY, "6" * (MANY - 1)),  # more figures than Python reads as a number
        ("aA" * MANY + "9", "aa" * MANY + "9"),
        ("word , " * (MANY // 5), "word," * (MANY // 5)),
        ("non-a" * (MANY // 5), "a" * (MANY // 5)),
        ("A " * (MANY // 2) + "5", "A " * (MANY // 2)),
        ("1:11" * (MANY // 4) + "Z", "1:11" * (MANY // 4)),
        ("5+" * (MANY // 2), "5" * (MANY // 2)),
        ("1-" * (MANY // 2) + "ABCD", "1" * (MANY // 2)),
        ("https://a.b, " * (MANY // 12), "https://a.b"),
        ("1/1/2001 " * (MANY // 9), "2001-01-01 " * (MANY // 9)),
        ("lamp desk, " * (MANY // 11), "lamp, desk, " * (MANY // 11)),
    ],
    ids=lambda text: text[:3],
)
def test_long_cells_take_seconds_at_most(before: str, after: str) -> None:
    """Blanks, dots and figures took minutes; processor time, so that a busy machine does not count."""
    begun = time.process_time()
    suspicions([*REST, (before, after)])
    assert time.process_time() - begun < 10
