"""`cleanroom verify`: judge functions that a person or another system wrote, against real data, and change nothing."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from orchestrator.core.errors import UsageError

if TYPE_CHECKING:
    from orchestrator.core.verdict import Verdict


def verify(
    functions: Annotated[list[Path], typer.Argument(help="Candidate files, one function each.", show_default=False)],
    data: Annotated[Path, typer.Option("--data", help="The data to judge them on.", show_default=False)],
    examples: Annotated[
        Path | None, typer.Option("--examples", help='JSON or JSONL of {"input": row, "output": row}.')
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Leave out the checks that take seconds.")] = False,
    no_screen: Annotated[
        bool, typer.Option("--no-screen", help="Run even what the screen refuses: the sandbox is the boundary.")
    ] = False,
    promote: Annotated[bool, typer.Option("--promote", help="Store what passes in the registry.")] = False,
    registry: Annotated[Path, typer.Option("--registry", help="Folder of the registry for --promote.")] = Path(
        "registry"
    ),
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Keep what the function made of the data.")
    ] = None,
    policy: Annotated[Path | None, typer.Option("--policy", help="YAML file with limits and thresholds.")] = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Refuse to run where any layer of the sandbox is missing.")
    ] = (False),
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object per function.")] = False,
) -> None:
    """Judge candidate functions in the sandbox. Exit code 0: all pass; 1: one is rejected; 3: the machinery broke."""
    del quick  # no check takes seconds yet; the option is part of the interface that others build on
    if no_screen and promote:
        raise UsageError("--no-screen and --promote exclude each other.", advice="Promote only what is screened.")
    if output is not None and len(functions) > 1:
        raise UsageError("--output takes one function.", advice="Verify the functions one by one to keep outputs.")

    from orchestrator import bootstrap
    from orchestrator.data.policy_file import read_policy
    from orchestrator.run.verifying import Verification

    request = Verification(
        functions=tuple(functions),
        data=data,
        examples=examples,
        screen=not no_screen,
        registry=registry if promote else None,
        output=output,
    )
    opened = request.check()
    worst = 0
    with bootstrap.sandboxed(read_policy(policy, strict=strict)) as parts:
        for verdict in opened.run(parts):
            _show(verdict, as_json=as_json)
            worst = max(worst, _code(verdict))
    raise typer.Exit(worst)


def _code(verdict: "Verdict") -> int:
    return {"pass": 0, "fail": 1, "infra": 3}[verdict.verdict]


def _show(verdict: "Verdict", *, as_json: bool) -> None:
    if as_json:
        typer.echo(verdict.model_dump_json())
        return
    from orchestrator.cli.verdict_view import show_verdict

    show_verdict(verdict)
