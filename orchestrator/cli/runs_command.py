"""`cleanroom runs`: what earlier runs did, from their journals."""

from pathlib import Path
from typing import Annotated

import typer

from orchestrator.core.errors import UsageError

app = typer.Typer(help="Look at earlier runs.", no_args_is_help=True)
JOURNAL = "run.jsonl"


@app.command("list")
def list_runs(
    place: Annotated[Path, typer.Argument(help="Look for runs in this folder and the folders in it.")] = Path(),
) -> None:
    """The runs below a folder, with how they ended."""
    from rich.markup import escape
    from rich.table import Table

    from orchestrator.cli.console import plain, stdout
    from orchestrator.core.steps import EndStep, RunStep
    from orchestrator.run.journal import read_journal

    table = Table("run", "data", "rows", "proposer", "promoted", "status", "folder", box=None, pad_edge=False)
    for journal in sorted([*place.glob(JOURNAL), *place.glob(f"*/{JOURNAL}"), *place.glob(f"*/*/{JOURNAL}")]):
        steps = list(read_journal(journal))
        first = next((s for s in steps if isinstance(s, RunStep)), None)
        last = next((s for s in reversed(steps) if isinstance(s, EndStep)), None)
        if first is None:
            continue
        promoted = sum(s.kind == "promotion" for s in steps)
        status = last.status if last else "unfinished"
        what = (first.run_id, first.data, f"{first.rows:,}", first.proposer)
        table.add_row(*(escape(plain(cell)) for cell in (*what, str(promoted), status, str(journal.parent))))
    stdout().print(table)


@app.command("show")
def show(
    run: Annotated[Path, typer.Argument(help="The --out folder of a run.", show_default=False)],
    as_json: Annotated[bool, typer.Option("--json", help="Print the steps as they are in the journal.")] = False,
) -> None:
    """One run as a tree: chunks, candidates, checks."""
    from orchestrator.cli.console import stdout
    from orchestrator.cli.run_tree import run_tree
    from orchestrator.run.journal import read_journal

    path = run / JOURNAL if run.is_dir() else run
    if not path.is_file():
        raise UsageError(f"There is no run in {run}.", advice="Name the --out folder of a run.")
    steps = list(read_journal(path))
    if as_json:
        for step in steps:
            typer.echo(step.model_dump_json())
        return
    stdout().print(run_tree(steps))
