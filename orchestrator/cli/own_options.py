"""Advice that fits the command: readers of data do not know which command reads them. Called by `main`."""

from collections.abc import Sequence

import typer

from orchestrator.core.wording import without_quarantine


def fitting(advice: str, app: typer.Typer, arguments: Sequence[str]) -> str:
    """Without the sentence about --quarantine where the command has no such option, or without its file."""
    if "--quarantine" not in advice:
        return advice
    command = typer.main.get_command(app)
    for word in arguments:
        command = getattr(command, "commands", {}).get(word, command)
    known = [param for param in command.params if "--quarantine" in param.opts]
    if not known:
        return without_quarantine(advice)
    return advice.replace("--quarantine FILE", "--quarantine") if getattr(known[0], "is_flag", False) else advice
