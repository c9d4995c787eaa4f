"""Refuses an option twice that takes one value. Used by every command.

Typer takes the last one without a word: of two files of checks one would never be looked at and the function passes, of
two registries only one's functions would be applied. A flag that is repeated asks for nothing else, and may be.
A value that does not fit is said in plain words here as well, and no message shows a hidden sign of what was typed.
"""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer
from typer.core import TyperCommand, TyperGroup

from orchestrator.cli.console import plain, say_failure
from orchestrator.cli.standard_streams import called_as, called_with
from orchestrator.core.errors import UsageError

if TYPE_CHECKING:
    from typer.models import CommandInfo


_UNFIT: Any = typer.BadParameter.__mro__[1]  # of arguments in general; Typer has no name for it

# Typer lets pydantic speak of a value that does not fit, whose sentences are for programmers.
_WORDS = (
    (r"^Value error, ", ""),
    (r"^Input should be a valid integer\b.*", "it must be a whole number"),
    (r"^Input should be a valid number\b.*", "it must be a number"),
    (r"^Input should be a finite number\b.*", "it must be a number"),
    (r"^Input should be greater than or equal to ", "it must be at least "),
    (r"^Input should be less than or equal to ", "it must be at most "),
    (r"^Input should be greater than ", "it must be more than "),
    (r"^Input should be less than ", "it must be less than "),
)


class _OnceCommand(TyperCommand):
    """A command of which each option with one value is given once at most."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """As Typer does. Raises UsageError."""
        if not ctx.resilient_parsing:
            called_with(args)
        try:
            if not ctx.resilient_parsing:
                refuse_given_twice(self, ctx, args)
            return super().parse_args(ctx, args)
        except _UNFIT as error:
            if dashed := next((word for word in args if word.startswith("-") and Path(word).is_file()), ""):
                raise UsageError(f"{dashed} begins as an option does.", advice=f"Say ./{dashed}.") from None
            if isinstance(error, typer.BadParameter):
                error.message = _in_words(error.message)
            _say(error)
            raise

    def invoke(self, ctx: Any) -> Any:
        """As Typer does; what the command is to print is known now."""
        called_as(ctx.params)
        return super().invoke(ctx)


class _PlainGroup(TyperGroup):
    """A group of commands: what is wrong before one of them is found is said as they say it."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """As Typer does."""
        if not ctx.resilient_parsing:
            called_with(args)
        try:
            return super().parse_args(ctx, args)
        except _UNFIT as error:
            _say(error)
            raise

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """As Typer does."""
        try:
            return super().resolve_command(ctx, args)
        except _UNFIT as error:
            _say(error)
            raise


def _say(error: Any) -> None:
    """Without a hidden sign of what was typed, and as JSON where a program waits for it; the rest is Typer's."""
    error.message = plain(error.message)
    say_failure(error.format_message(), "", error.exit_code)


def refuse_given_twice(command: Any, ctx: Any, args: list[str]) -> None:
    """Raise UsageError where these words give an option of the command twice of which only one value would count."""
    given = set()
    for param in command.make_parser(ctx).parse_args(args=list(args))[2]:
        # Arguments have no `is_flag`. Of some options all values count, and a second flag says nothing else.
        if getattr(param, "is_flag", True) or param.multiple or param.count:
            continue
        if param.name in given:
            name = max(param.opts, key=len)
            raise UsageError(f"{name} is given twice, and only one counts.", advice="Give it once.")
        given.add(param.name)


def refuse_twice(app: typer.Typer) -> None:
    """Have all commands of the app, and of those in it, refuse it."""
    app.info.cls = _PlainGroup
    commands: list[CommandInfo] = app.registered_commands
    for command in commands:
        command.cls = _OnceCommand
    for group in app.registered_groups:
        if group.typer_instance is not None:
            refuse_twice(group.typer_instance)


def _in_words(message: str) -> str:
    """The same said plainly, on one line; other messages stay as they are."""
    text = " ".join(message.split())
    for pattern, words in _WORDS:
        text = re.sub(pattern, words, text)
    return text
