"""What is told of a run that has ended, to a person or a program. Called by `cleanroom run` and `runs resume`."""

import re
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

from rich.markup import escape

from orchestrator.cli.console import echo_json, plain, show_weakened, stdout
from orchestrator.cli.views.figures import limit_option, usage_text
from orchestrator.core.errors import BudgetExceeded
from orchestrator.core.wording import blanks_left, counted, plural
from orchestrator.run.loop.stopping import UNREAD

if TYPE_CHECKING:
    from collections.abc import Iterable

    from orchestrator.core.verdict import Concern
    from orchestrator.run.loop.run_summary import RunSummary

_LEFT = 10  # forms that are told in the summary; the report has all


def show_run(summary: "RunSummary", *, as_json: bool) -> None:
    """Print how a run ended. Raises BudgetExceeded when that was too early."""
    if as_json:
        echo_json(summary)
    else:
        _show(summary)
    if summary.status == "budget":
        folder = quote(str(Path(summary.files["steps"]).parent))
        count = len(summary.promoted)
        kept = f"{counted(count, 'promoted function')}, which {plural(count, 'was', 'were')} applied"
        raise BudgetExceeded(
            f"The budget was used up after {kept}. {summary.reason}".strip(),
            advice=f"Go on with a higher limit: `cleanroom runs resume {folder} {limit_option(summary.reason)} N`.",
        )


def _show_concerns(concerns: "Iterable[Concern]", *, settle: bool = True) -> None:
    for concern in concerns:
        stdout().print(f"  [magenta]{escape(plain(concern.kind))}[/] {escape(plain(concern.detail))}")
        if concern.change:
            stdout().print(f"    [dim]{escape(plain(concern.change))}[/]")
        if settle:
            stdout().print(f"    [dim]to settle it: {escape(plain(concern.settles))}[/]")


def _show_doubts(summary: "RunSummary") -> None:
    """What waits for a person, what was applied in spite of concerns, and what a model has let through."""
    for kept, what in ((summary.held, "held, not applied"), (summary.accepted, "applied in spite of concerns")):
        for function in kept:
            stdout().print(f"[magenta]{what}:[/] [bold]{escape(plain(function.name))}[/]")
            _show_concerns(function.concerns)
    for settled in summary.settled:
        name, said = escape(plain(settled.name)), escape(plain(settled.said))
        stdout().print(f"[magenta]applied:[/] [bold]{name}[/] [magenta]{said}[/]")
        _show_concerns(settled.concerns, settle=False)
    if summary.held:
        told = escape(plain(f"cleanroom review {_folder_of(summary)}"))
        stdout().print(f"Decide on what is held: [bold]{told}[/]", soft_wrap=True)
    if summary.settled:
        suspend = f"cleanroom registry suspend NAME --registry {_registry_of(summary)} --reason …"
        told = f"[bold]{escape(plain(suspend))}[/] takes such a function out of use"
        stdout().print(f"{told}; a run with [bold]--tester-model none[/] holds it instead.", soft_wrap=True)


def _registry_of(summary: "RunSummary") -> str:
    """The place of the run's functions, as a command takes it."""
    folder, registry = Path(summary.files["steps"]).parent, summary.files["registry"]
    return quote(str(folder) if registry == str(folder / "registry") else registry)


def _folder_of(summary: "RunSummary") -> str:
    """The run's folder as `review` takes it, with its registry where that is another place."""
    folder, registry = quote(str(Path(summary.files["steps"]).parent)), _registry_of(summary)
    return folder if registry == folder else f"{folder} --registry {registry}"


def _how_to_go_on(summary: "RunSummary") -> str:
    """What to do where a limit has ended the run."""
    folder = quote(str(Path(summary.files["steps"]).parent))
    option = re.search(r"\((--max-[a-z]+)\)", summary.reason)
    if UNREAD in summary.reason and option is None:
        return f"`cleanroom runs resume {folder}` asks again; another model, or --protocol xml, needs a new run"
    return f"go on with `cleanroom runs resume {folder} {option[1] if option else '--max-iterations'} N`"


def _show(summary: "RunSummary") -> None:
    console = stdout()
    cells = sum(summary.changed.values())
    functions, columns = len(summary.promoted), len(summary.changed)
    added = f", {counted(len(summary.added), 'column')} added: {', '.join(summary.added)}" if summary.added else ""
    console.print(
        f"[bold]{functions}[/] {plural(functions, 'function')} promoted, {summary.rejected} given up; "
        f"[bold]{cells:,}[/] {plural(cells, 'cell')} changed in {columns} {plural(columns, 'column')}"
        f"{escape(plain(added))} "
        f"[dim]({summary.status.shown}, {summary.seconds:.1f} s)[/]"
    )
    _show_doubts(summary)
    for role, usage in summary.roles.items():
        console.print(f"  [dim]{role:<20} {usage_text(usage)}[/]")
    if summary.status == "limit":
        console.print(f"[yellow]limit:[/] {escape(plain(summary.reason))}; {escape(plain(_how_to_go_on(summary)))}")
    for refused in summary.refused_mergers[:5]:
        told = f"{refused.name}, for {', '.join(refused.replaces)}: {refused.reason}"
        console.print(f"  [dim]not merged:[/] {escape(plain(told))}")
    for one in summary.left[:_LEFT]:
        held = f", {one.holdout:,} of them held back" if one.holdout else ""
        told = f"{counted(one.rows + one.holdout, one.counts)}{held}, of the form {one.form!r} in {one.where}"
        told += f", where {one.usual!r} is usual" if one.usual else ""
        word = "perhaps left:" if one.suspected else "left:"
        console.print(f"  [dim]{word}[/] {escape(plain(told))}")
    if len(summary.left) > _LEFT:
        console.print(f"  [dim]left:[/] {counted(len(summary.left) - _LEFT, 'more form')}, in the report")
    if summary.left_cells:
        told = f"{blanks_left(sum(summary.left_cells.values()))} in {', '.join(summary.left_cells)}"
        console.print(f"  [dim]left:[/] {escape(plain(told))}")
    for note in summary.notes:
        console.print(f"[yellow]note:[/] {escape(plain(note))}")
    show_weakened(summary.weakened)
    for label, path in summary.files.items():
        console.print(f"  {label:<20} {escape(plain(path))}")
