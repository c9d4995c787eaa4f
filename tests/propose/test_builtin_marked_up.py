"""In Markdown and in subtitles, tags and escapes belong to the text."""

import pandas as pd
import pytest

from orchestrator.propose.builtin.rules.exemptions.marked_up import is_markdown, is_marked_up
from orchestrator.propose.builtin.working_rows import TextColumn
from tests.propose.builtin_help import ask

PLAIN = [f"Words of paragraph {n} say something of the number {n * 7}." for n in range(40)]
MARKDOWN = [*PLAIN, "## A heading", "```\nx = 1\n```", "See [the page](https://example.com/a?b=1&amp;c=2)."]
CUES = [f"{n}\n00:00:{n},000 --> 00:00:{n + 1},500\n{text}" for n, text in enumerate(PLAIN, start=10)]


@pytest.mark.parametrize(
    ("texts", "issues"),
    [
        ([*MARKDOWN, "Use &lt;script&gt; in the head.", "First line<br>second line"], []),
        ([*CUES, "99\n00:02:00,000 --> 00:02:02,000\n<i>It rains.</i>"], []),
        ([*PLAIN, "First line<br>second line"], ["strip_tags_in_text"]),
        ([*PLAIN, "a lab says <0.5  "], []),
        ([*PLAIN, "Ben &amp; Jerry"], ["unescape_html"]),
        ([*PLAIN, "# 5 at the gate", "Ben &amp; Jerry"], ["unescape_html"]),
        ([*CUES, "99\n00:02:00,000 --> 00:02:02,000\nBen &amp; Jerry"], ["unescape_html"]),
    ],
)
def test_tags_and_escapes_stay_where_they_belong_to_the_text(texts: list[str], issues: list[str]) -> None:
    """In Markdown both do, in subtitles tags do; elsewhere a few are what a program left. `<` alone is no tag."""
    found = [issue.id for issue in ask(pd.DataFrame({"text": texts})).issues]
    assert [name for name in found if name in ("strip_tags_in_text", "unescape_html")] == issues


def test_any_text_can_be_asked_for_its_marks() -> None:
    """The time that it takes grows with the text, not faster."""
    for odd in ("[" * 50_000, "`" * 50_001, "[a](" * 20_000, "#" * 50_000, "\n" * 50_000, "1:" * 30_000):
        assert not is_marked_up(TextColumn("text", [odd, "a", "b"]))
    assert is_markdown(TextColumn("text", ["`a`", "[b](./c)"]))
