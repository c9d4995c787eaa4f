"""Advice names an option only to those whose command has it."""

import pytest

from orchestrator.cli.main import app
from orchestrator.cli.own_options import fitting
from orchestrator.core.wording import KEEP_APART


@pytest.mark.parametrize("command", ["run", "apply", "verify", "check", "analyze"])
def test_who_can_set_rows_aside_is_told_so(command: str) -> None:
    """The sentence stays."""
    advice = f"Correct this row. {KEEP_APART}"
    assert fitting(advice, app, [command, "a.csv"]) == advice


@pytest.mark.parametrize("words", [["diff", "a.csv", "b.csv"], ["registry", "export", "run"], ["serve"], []])
def test_who_cannot_is_not(words: list[str]) -> None:
    """Only that sentence goes, also of a command in a group."""
    assert fitting(f"Correct this row. {KEEP_APART} Or another.", app, words) == "Correct this row. Or another."
