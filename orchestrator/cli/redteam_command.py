"""`cleanroom redteam`: attack this machine's sandbox with everything known and say, case by case, what happened."""

import json
from time import perf_counter
from typing import TYPE_CHECKING, Annotated

import typer

from orchestrator.cli import options
from orchestrator.cli.defaults import ConfigFile

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from orchestrator.sandbox.redteam.report import AttackReport, RedTeamReport
    from orchestrator.sandbox.redteam.target import AttackTarget

_HELD = {True: "[green]held[/]", False: "[bold red]ESCAPED[/]"}
_CONTROL = {"shown": "[green]shown[/]", "absent": "[cyan]absent here[/]", "failed": "[bold yellow]FAILED[/]"}


def redteam(
    runtime: Annotated[
        str | None, typer.Option("--runtime", help="Container runtime, for example runc or runsc \\[default: policy].")
    ] = None,
    kinds: Annotated[
        list[str] | None, typer.Option("--class", help="Only this class of attacks; may be given several times.")
    ] = None,
    policy: options.PolicyOption = None,
    strict: options.StrictOption = False,
    as_json: options.AsJsonOption = False,
    config: ConfigFile = None,  # noqa: ARG001 - read before the other options
) -> None:
    """Attack this machine's sandbox. Exit code 0: everything held; 1: an escape; 3: a control failed, or no engine."""
    from orchestrator import redteam_bootstrap

    report = attack_all(lambda: redteam_bootstrap.red_team_target(policy, runtime, strict=strict), kinds or [])
    if as_json:
        typer.echo(json.dumps({"exit_code": report.exit_code, **report.model_dump(mode="json")}))
    else:
        _print(report)
    raise typer.Exit(report.exit_code)


def attack_all(opened: "Callable[[], AbstractContextManager[AttackTarget]]", kinds: list[str]) -> "RedTeamReport":
    """Run the corpus, or some classes of it, with a progress bar on stderr. Raises UsageError, SandboxError."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    from orchestrator.cli.console import stderr
    from orchestrator.sandbox.redteam import corpus
    from orchestrator.sandbox.redteam.host import left_behind
    from orchestrator.sandbox.redteam.redteam_runner import RedTeam
    from orchestrator.sandbox.redteam.report import RedTeamReport

    attacks = corpus.load(kinds)
    started = perf_counter()
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=stderr(), transient=True) as progress:
        bar = progress.add_task("attacking", total=len(attacks))

        def told(report: "AttackReport") -> None:
            progress.update(bar, advance=1, description=report.kind)

        with opened() as at:
            reports = RedTeam(at).run(attacks, told)
        left = left_behind(at.run_id) if at.run_id else ()
    return RedTeamReport(sandbox=at.info, attacks=reports, left_behind=left, seconds=round(perf_counter() - started, 1))


def _print(report: "RedTeamReport") -> None:
    from rich.markup import escape
    from rich.table import Table

    from orchestrator.cli.console import plain, stdout
    from orchestrator.sandbox.redteam.report import by_kind

    table = Table(box=None, pad_edge=False)
    for heading in ("class", "program", "expected", "what happened", "", "control"):
        table.add_column(heading, overflow="fold")
    for attack in report.attacks:
        happened = "; ".join([attack.happened, *attack.traces])
        control = _CONTROL[attack.control] + (
            f" ({escape(plain(attack.control_said))})" if attack.control == "failed" else ""
        )
        table.add_row(attack.kind, attack.name, attack.wanted, escape(plain(happened)), _HELD[attack.held], control)
    stdout().print(table)
    summary = Table(box=None, pad_edge=False)
    for heading in ("class", "attacks", "held", "escaped", "controls that failed"):
        summary.add_column(heading, justify="left" if heading == "class" else "right")
    for kind, (count, escapes, failed) in by_kind(report.attacks).items():
        summary.add_row(kind, str(count), str(count - escapes), str(escapes), str(failed))
    stdout().print()
    stdout().print(summary)
    stdout().print(f"\n{_sentence(report)}")


def _sentence(report: "RedTeamReport") -> str:
    count, where = len(report.attacks), f"runtime {report.sandbox.runtime}, {report.seconds:.0f} s"
    if report.left_behind:
        return f"[bold red]{len(report.left_behind)} containers were left behind[/] ({where})."
    if report.escapes:
        return f"[bold red]{len(report.escapes)} of {count} attacks were not held[/] ({where})."
    if report.unproven:
        return f"[bold yellow]All {count} attacks were held, but {len(report.unproven)} controls failed[/] ({where})."
    return f"All {count} attacks were held ({where})."
