"""`cleanroom doctor`: what this machine gives, as a table or as JSON on stdout. Exit 3 when runs are not possible."""

import json
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from orchestrator.sandbox.provision.finding import Diagnosis

MARKS = {"ok": "[green]ok[/]", "info": "[cyan]note[/]", "warn": "[yellow]warn[/]", "bad": "[bold red]BAD[/]"}


def doctor(
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    strict: Annotated[bool, typer.Option("--strict", help="End with 3 when anything is warned about.")] = False,
) -> None:
    """Say what this machine gives: engine, runtimes with known holes, kernel, limits (tried), image."""
    from orchestrator.sandbox.provision.doctor import examine

    diagnosis = examine()
    if as_json:
        findings = [finding.model_dump() for finding in diagnosis.findings]
        typer.echo(json.dumps({"ready": diagnosis.ready, "warned": diagnosis.warned, "findings": findings}))
    else:
        _print(diagnosis)
    if not diagnosis.ready or (strict and diagnosis.warned):
        raise typer.Exit(3)


def _print(diagnosis: "Diagnosis") -> None:
    from rich.markup import escape
    from rich.table import Table

    from orchestrator.cli.console import plain, stdout

    table = Table(box=None, pad_edge=False)
    for heading in ("", "what", "found", "advice"):
        table.add_column(heading, overflow="fold")
    for finding in diagnosis.findings:
        words = (escape(plain(text)) for text in (finding.name, finding.value, finding.advice))
        table.add_row(MARKS[finding.state], *words)
    stdout().print(table)
    stdout().print("Runs are possible here." if diagnosis.ready else "[bold red]Runs are not possible here yet.[/]")
