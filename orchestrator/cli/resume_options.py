"""Options of `cleanroom runs resume`: each takes the place of what the run was begun with. Called by `runs_command`."""

from typing import Annotated

import typer

from orchestrator.cli.options import LIMITS, MODEL

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
