"""Writes a measured table into docs/performance.md, between two marks that name it. Called by the benchmarks.

So a figure in that document is one that was measured, with the day and the machine beside it.
"""

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

DOCUMENT = Path(__file__).parents[1] / "docs" / "performance.md"


def keep(name: str, circumstances: str, rows: Sequence[Sequence[str]], document: Path = DOCUMENT) -> None:
    """Put the table (its first row is the head) in place of the one between the marks. Raises SystemExit without."""
    begin, end = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
    text = document.read_text(encoding="utf-8")
    before, found, rest = text.partition(begin)
    _, closed, after = rest.partition(end)
    if not found or not closed:
        raise SystemExit(f"{document} has no place for the table: {begin} and {end} are missing")
    head, *body = rows
    lines = [head, ["---"] * len(head), *body]
    table = "\n".join("| " + " | ".join(line) + " |" for line in lines)
    day = datetime.now(UTC).date().isoformat()
    made = f"{before}{begin}\n{day}, {circumstances}:\n\n{table}\n{end}{after}"
    document.write_text(made, encoding="utf-8")
