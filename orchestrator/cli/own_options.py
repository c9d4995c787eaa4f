"""Advice that fits the command: readers of data do not know which command reads them. Called by `main`."""

from collections.abc import Sequence

import typer

from orchestrator.core.wording import KEEP_APART, without_quarantine


def fitting(advice: str, app: typer.Typer, arguments: Sequence[str]) -> str:
    """Without the sentence about --quarantine where the command has no such option."""
    if KEEP_APART not in advice:
        return advice
    command = typer.main.get_command(app)
    for word in arguments:
        command = getattr(command, "commands", {}).get(word, command)
    known = any("--quarantine" in param.opts for param in command.params)
    return advice if known else without_quarantine(advice)
