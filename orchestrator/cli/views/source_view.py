"""The source of a function on a terminal, as Python reads it: all of it. Called by `registry show` and `review`."""

from orchestrator.data.source_lines import source_lines
from orchestrator.data.text import visible_text

_TAB = 8  # as Python counts


def show_source(source: str) -> None:
    """Print the source. A line that is too long goes on below, without a number: a person decides by all of it."""
    from rich.syntax import Syntax

    from orchestrator.cli.console import stdout

    text = "\n".join(visible_text(line, breaks="\t") for line in source_lines(source))
    folds = stdout().is_terminal  # elsewhere a line is as long as it is
    shown = Syntax(text, "python", background_color="default", word_wrap=folds, line_numbers=folds, tab_size=_TAB)
    stdout().print(shown)
