"""Refuses an option twice where the second one would waive what the first one asks for. Used by every command.

Typer takes the last one without a word: of two files of checks one would never be looked at, and the function passes.
A value that does not fit is said in plain words here as well.
"""

from typing import TYPE_CHECKING, Any

import typer
from typer.core import TyperCommand

from orchestrator.cli.usage_wording import in_words
from orchestrator.core.errors import UsageError

if TYPE_CHECKING:
    from typer.models import CommandInfo

_ONCE = frozenset({"checks", "policy", "conventions", "privacy", "config", "examples"})


class _OnceCommand(TyperCommand):
    """A command of which each of these options is given once at most."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """As Typer does. Raises UsageError."""
        if not ctx.resilient_parsing:
            order = self.make_parser(ctx).parse_args(args=list(args))[2]
            given = [param.name for param in order if getattr(param, "multiple", False) is False]
            if twice := sorted(name for name in _ONCE if given.count(name) > 1):
                raise UsageError(f"--{twice[0]} is given twice, and only one counts.", advice="Give it once.")
        try:
            return super().parse_args(ctx, args)
        except typer.BadParameter as error:
            error.message = in_words(error.message)
            raise


def refuse_twice(app: typer.Typer) -> None:
    """Have all commands of the app, and of those in it, refuse it."""
    commands: list[CommandInfo] = app.registered_commands
    for command in commands:
        command.cls = _OnceCommand
    for group in app.registered_groups:
        if group.typer_instance is not None:
            refuse_twice(group.typer_instance)
