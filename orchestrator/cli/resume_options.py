"""Options of `cleanroom runs resume`: each takes the place of what the run was begun with. Called by `runs_command`."""

from collections.abc import Container, Iterable, Mapping
from typing import Annotated, TypeVar

import typer

from orchestrator.cli.options import LIMITS, MODEL

_Number = TypeVar("_Number", int, float)

RaiseIterationsOption = Annotated[
    int | None,
    typer.Option("--max-iterations", min=1, help="Raise the proposals per chunk.", rich_help_panel=LIMITS),
]
RaiseRejectedOption = Annotated[
    int | None,
    typer.Option(
        "--max-rejected", min=1, help="Raise the functions per chunk that may be given up.", rich_help_panel=LIMITS
    ),
]
NewTimeoutOption = Annotated[
    float | None,
    typer.Option(
        "--timeout", min=1.0, max=86_400.0, help="Seconds to wait for one answer from now on.", rich_help_panel=MODEL
    ),
]
NewPatienceOption = Annotated[
    float | None,
    typer.Option(
        "--patience",
        min=0.0,
        max=86_400.0,
        help="Seconds to keep trying while the model is unavailable, from now on.",
        rich_help_panel=MODEL,
    ),
]


def given(limits: Mapping[str, _Number | None], among: Container[str] | None = None) -> dict[str, _Number]:
    """The limits that are set; of those `among` which are."""
    return {name: limit for name, limit in limits.items() if limit is not None and (among is None or name in among)}


def untyped(fields: Iterable[str], typed: Container[str]) -> dict[str, None]:
    """The budget without what nobody typed: the run goes on with what it had."""
    return {field: None for field in fields if field.removesuffix("_usd") not in typed}
