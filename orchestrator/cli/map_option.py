"""The option `--map`, and how it is read. Called by the commands that take next month's file."""

from collections.abc import Sequence
from typing import Annotated

import typer

from orchestrator.cli import options
from orchestrator.core.errors import UsageError

ColumnMap = Annotated[
    list[str] | None,
    typer.Option(
        "--map",
        help="KNOWN=OWN: a column that functions know as KNOWN is called OWN in this file. Once for each.",
        show_default=False,
        rich_help_panel=options.DATA,
    ),
]


def read_map(options: Sequence[str]) -> dict[str, str]:
    """`KNOWN=OWN`, by the known name. Raises UsageError."""
    made: dict[str, str] = {}
    for option in options:
        known, sign, own = option.partition("=")
        if not sign or not known or not own or known in made:
            what = f"'{known}' is mapped twice" if known in made else f"'{option}' is not KNOWN=OWN"
            raise UsageError(f"--map: {what}.", advice="For example --map city=town, once for each column.")
        made[known] = own
    return made
