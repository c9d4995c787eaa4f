"""Changes as a person reads them in the terminal, each once: those in doubt, and the most frequent ones.

Called by `cleanroom verify` and `cleanroom review`.
"""

from typing import TYPE_CHECKING, Any

from rich.markup import escape
from rich.padding import Padding
from rich.table import Table

from orchestrator.cli.console import stdout
from orchestrator.core.needs import read_first
from orchestrator.core.wording import counted
from orchestrator.data.shortened_pair import shortened
from orchestrator.data.text import visible_text

if TYPE_CHECKING:
    from orchestrator.core.verdict import Verdict

_CELL = 60
_INDENT = 6


def show_questions(verdict: "Verdict", most: int | None = None, advice: str = "") -> None:
    """Print the changes that settle the concerns, all or the first ones; `advice` follows on what to do with them."""
    asked = verdict.questions
    shown = asked[:most]
    if not asked:
        return
    rest = f" (the first {most} of them here)" if len(asked) > len(shown) else ""
    stdout().print(f"[bold]to be confirmed:[/] {counted(len(asked), 'change')}{rest}{advice}")
    table = Table(box=None, pad_edge=False, header_style="dim underline")
    for title in ("column", "before", "after", *(["in the row"] if any(one.beside for one in shown) else [])):
        table.add_column(title, overflow="fold")
    for question in shown:
        beside = ", ".join(f"{name}: {value}" for name, value in question.beside.items())
        pair = shortened(*question.cells, limit=_CELL - 2)  # which may get quotes
        cells = [*(_cell(value) for value in (question.column, *pair)), _cut(beside)]
        table.add_row(*cells[: len(table.columns)])
    stdout().print(Padding(table, (0, 0, 0, _INDENT)))


def show_changes(verdict: "Verdict", title: str, source: str) -> None:
    """Print the distinct changes of the sample: how many rows have each, and what else stands in the first of them.

    `source`: of the function; what it reads stands in front.
    """
    stdout().print(f"[dim]{title}:[/]")
    table = Table(box=None, pad_edge=False, header_style="dim underline")
    for name in ("column", "before", "after", "rows", "in the first of them"):
        table.add_column(name, overflow="fold", justify="right" if name == "rows" else "left")
    for change in verdict.changes:
        beside = ", ".join(f"{name}: {value}" for name, value in read_first(source, change.beside).items())
        pair = shortened(*change.cells, limit=_CELL - 2)
        table.add_row(*(_cell(value) for value in (change.column, *pair)), f"{change.rows:,}", _cut(beside))
    stdout().print(Padding(table, (0, 0, 0, _INDENT)))


def _cell(value: Any) -> str:
    if value is None:
        return "[italic]null[/]"
    text = value if isinstance(value, str) else repr(value)
    if isinstance(value, str) and (not text or text != text.strip()):
        text = f"'{text}'"
    return _cut(text)


def _cut(text: str) -> str:
    return escape(visible_text(text if len(text) <= _CELL else f"{text[: _CELL - 1]}…"))
