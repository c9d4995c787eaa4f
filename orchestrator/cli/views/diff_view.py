"""Two versions of a function side by side, as a person reads it; or a function and the one that it replaces.

Called by `cleanroom registry diff` and `cleanroom verify`.
"""

from typing import TYPE_CHECKING, Any

from rich.markup import escape
from rich.table import Table

from orchestrator.cli.console import plain, stdout
from orchestrator.core.wording import counted, plural

if TYPE_CHECKING:
    from orchestrator.core.differences import VersionDiff

_CELL = 40


def show_diff(found: "VersionDiff", how_rows_count: str) -> None:
    """Print the counts and the first cells, with the numbers that their rows have in the file.

    Rows of which no number is known are those of the sample.
    """
    name = escape(plain(found.name))
    old = f"[bold]{escape(plain(found.replaced))}[/] version {found.old} → [bold]{name}[/]" if found.replaced else ""
    versions = old or f"[bold]{name}[/] version {found.old} → version {found.new}"
    versions += f", over {counted(found.rows, 'row')}"
    for word in ("failed", "dropped"):
        old, new = getattr(found, f"old_{word}"), getattr(found, f"new_{word}")
        if old or new:
            versions += f"; rows {word}: {old:,} → {new:,}"
    stdout().print(versions)
    if found.same:
        stdout().print("Both make the same of every cell.")
        return
    for column, cells in found.changed.items():
        stdout().print(f"  {counted(cells, 'cell')} of {escape(plain(column))} {plural(cells, 'differs', 'differ')}")
    if not found.examples:
        return
    titles = (found.replaced, found.name) if found.replaced else (f"version {found.old}", f"version {found.new}")
    old, new = (escape(plain(title)) for title in titles)
    known = all(cell.file_row is not None for cell in found.examples)
    table = Table("row" if known else "row of the sample", "column", "in the data", old, new, box=None, pad_edge=False)
    for cell in found.examples:
        table.add_row(
            str(cell.file_row if known else cell.row),
            escape(plain(cell.column)),
            _shown(cell.before),
            _shown(cell.old),
            _shown(cell.new),
        )
    stdout().print(table)
    if known and how_rows_count:
        stdout().print(escape(plain(how_rows_count)))


def _shown(value: Any) -> str:
    if value is None:
        return "[italic]null[/]"
    text = repr(value)
    return escape(plain(text if len(text) <= _CELL else f"{text[: _CELL - 1]}…"))
