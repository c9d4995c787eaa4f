"""Advice names an option only to those whose command has it."""

import pytest

from orchestrator.cli.main import app
from orchestrator.cli.own_options import fitting
from orchestrator.core.wording import KEEP_APART


@pytest.mark.parametrize("command", ["run", "apply", "verify", "check", "analyze", "diff"])
def test_who_can_set_rows_aside_is_told_so(command: str) -> None:
    """The sentence stays."""
    advice = f"Correct this row. {KEEP_APART}"
    assert fitting(advice, app, [command, "a.csv"]) == advice


@pytest.mark.parametrize("words", [["review", "a"], ["registry", "export", "run"], ["serve"], []])
def test_who_cannot_is_not(words: list[str]) -> None:
    """Only that sentence goes, also of a command in a group."""
    assert fitting(f"Correct this row. {KEEP_APART} Or another.", app, words) == "Correct this row. Or another."


@pytest.mark.parametrize(
    ("words", "option"),
    [
        (["run", "a.csv"], "--quarantine"),
        (["runs", "resume", "a"], "--quarantine"),
        (["apply", "a.csv"], "--quarantine FILE"),
    ],
)
def test_a_file_is_named_only_where_the_option_takes_one(words: list[str], option: str) -> None:
    """A run has a place of its own for rows that it sets aside."""
    advice = "Mend the parser, or keep such lines apart with --quarantine FILE."
    assert fitting(advice, app, words) == f"Mend the parser, or keep such lines apart with {option}."
