"""Prints what `cleanroom check` found, and earlier checks. Called by the commands `check`, `apply`, `registry show`."""

from typing import TYPE_CHECKING

from rich.markup import escape
from rich.table import Table

from orchestrator.cli.console import plain, show_weakened, stdout
from orchestrator.core.wording import counted, plural

if TYPE_CHECKING:
    from collections.abc import Sequence

    from orchestrator.registry.check_store import RecordedCheck
    from orchestrator.run.check.check_report import CheckReport
    from orchestrator.run.rows.drift_finding import DriftFinding

_COLOURS = {"valid": "green", "stale": "yellow", "broken": "red"}


def show_check(report: "CheckReport", unrecorded: str = "") -> None:
    """Each function with what is new, and in the end one line on all of them."""
    out = stdout()
    for one in report.functions:
        out.print(f"{_state(one.state)} {escape(plain(one.name))}, version {one.version}")
        for text in (*one.broken, *one.unmet):
            out.print(f"  {escape(plain(text))}")
        for finding in one.drift:
            out.print(f"  {escape(plain(finding.said))}")
            if finding.examples:
                out.print(f"    {escape(_examples(finding, report.how_rows_count))}")
        for text in one.beyond:
            out.print(f"  {escape(plain(text))}")
        for note in one.notes:
            out.print(f"  note: {escape(plain(note))}")
    rows = f"{report.looked_at:,} of " if report.looked_at < report.rows else ""
    rows += f"{counted(report.rows, 'row')}"
    bad = sum(one.state != "valid" for one in report.functions)
    of = len(report.functions)
    functions = f"{of} {plural(of, 'function')}"
    out.print(f"{_state(report.state)} {escape(plain(report.data))}: {rows}, {functions}, {bad} not valid")
    if unrecorded:
        out.print(f"[yellow]note:[/] {escape(plain(unrecorded))}")
    show_weakened(report.weakened)


def show_history(checks: "Sequence[RecordedCheck]") -> None:
    """A table, the oldest first."""
    table = Table("when", "function", "version", "result", "data", "rows", "what", box=None, pad_edge=False)
    for one in checks:
        what = one.findings[0] if one.findings else ""
        more = f" (+{len(one.findings) - 1})" if one.findings[1:] else ""
        table.add_row(
            f"{one.at:%Y-%m-%d %H:%M}",
            escape(plain(one.name)),
            str(one.version),
            _state(one.state),
            escape(plain(one.data)),
            f"{one.rows:,}",
            escape(plain(what)) + more,
        )
    stdout().print(table)


def _state(state: str) -> str:
    return f"[{_COLOURS.get(state, 'yellow')}]{escape(plain(state))}[/]"


def _examples(finding: "DriftFinding", how_rows_count: str) -> str:
    shown = ", ".join(f"row {one.file_row}: {plain(repr(one.cell))}" for one in finding.examples)
    return f"{shown} ({plain(how_rows_count)})" if how_rows_count else shown
