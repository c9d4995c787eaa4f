"""The option `--parser` of commands that read data, and how data are then opened."""

from typing import TYPE_CHECKING, Annotated

import typer

from orchestrator.cli import options

if TYPE_CHECKING:
    from orchestrator.core.policy import Policy
    from orchestrator.data.sources import OpensData

Parser = Annotated[
    str | None,
    typer.Option(
        "--parser",
        help="Read a file of another format: a Python file with `parse`, or fixed-width\\[:8,20,6].",
        show_default=False,
        rich_help_panel=options.DATA,
    ),
]


def opener_of(parser: str | None, policy: "Policy") -> "OpensData":
    """What opens the data: by the parser, in containers of their own under the policy, where one is named."""
    from orchestrator.data.sources import open_source

    if parser is None:
        return open_source
    from functools import partial

    from orchestrator import bootstrap
    from orchestrator.run.parse.parsed_source import ParsedSource

    return ParsedSource(parser, partial(bootstrap.sandboxed, policy, light=True, verdicts=0))
