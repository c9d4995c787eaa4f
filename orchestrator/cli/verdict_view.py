"""A verdict as a person reads it in the terminal: the checks, and the counterexample as a small before/after table."""

from typing import TYPE_CHECKING, Any

from rich.markup import escape
from rich.table import Table

from orchestrator.cli.console import plain, stdout
from orchestrator.core.verdict import Outcome

if TYPE_CHECKING:
    from orchestrator.core.verdict import CheckResult, Counterexample, Verdict

_STYLE = {Outcome.PASS: "green", Outcome.FAIL: "red", Outcome.SKIP: "dim", Outcome.INFRA: "yellow"}
_CELL = 40
_COLUMNS = 6


def show_verdict(verdict: "Verdict") -> None:
    """Print the verdict on stdout."""
    console = stdout()
    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for check in verdict.checks:
        style = _STYLE[check.outcome]
        table.add_row(f"[{style}]{check.outcome}[/]", check.id, escape(plain(check.detail)))
    style = _STYLE[verdict.verdict]
    console.print(table)
    for check in verdict.failures:
        if check.counterexample is not None:
            _show_counterexample(check, check.counterexample)
    where = f"{verdict.sandbox.engine}/{verdict.sandbox.runtime}, {verdict.sandbox.isolation}"
    console.print(
        f"[bold {style}]{verdict.verdict}[/] [bold]{escape(plain(verdict.candidate.name))}[/] "
        f"[dim]{verdict.candidate.sha256[:12]} · {where} · {verdict.timings.total_s:.2f} s[/]"
    )


def _show_counterexample(check: "CheckResult", example: "Counterexample") -> None:
    """Rows before and after, changed cells marked; only the columns that say something."""
    console = stdout()
    columns = _telling_columns(example)
    table = Table(title=f"{check.id}: {escape(plain(example.wanted))}", title_justify="left", title_style="bold")
    table.add_column("")
    for name in columns:
        table.add_column(escape(plain(name)), overflow="fold")
    for before, after in _pairs(example):
        if before is not None:
            table.add_row("before", *(_cell(before.get(c)) for c in columns))
        if after is not None:
            cells = (_marked(before, after, c) for c in columns)
            table.add_row("after", *cells, end_section=True)
    console.print(table)


def _pairs(example: "Counterexample") -> list[tuple[dict[str, Any] | None, dict[str, Any] | None]]:
    length = max(len(example.input), len(example.output))
    return [
        (example.input[i] if i < len(example.input) else None, example.output[i] if i < len(example.output) else None)
        for i in range(min(length, 5))
    ]


def _telling_columns(example: "Counterexample") -> list[str]:
    names = list(dict.fromkeys(name for row in (*example.input, *example.output) for name in row))
    changed = [
        name for name in names if any(b is None or a is None or b.get(name) != a.get(name) for b, a in _pairs(example))
    ]
    return (changed or names)[:_COLUMNS]


def _marked(before: dict[str, Any] | None, after: dict[str, Any], column: str) -> str:
    text = _cell(after.get(column))
    same = before is not None and column in before and before[column] == after.get(column)
    return text if same else f"[bold yellow]{text}[/]"


def _cell(value: Any) -> str:
    if value is None:
        return "[dim]null[/]"
    text = value if isinstance(value, str) else repr(value)
    if text == "":
        return "[dim]blank[/]"
    shown = text if len(text) <= _CELL else f"{text[: _CELL - 1]}…"
    if shown != shown.strip():
        shown = f"'{shown}'"
    return escape(plain(shown))
