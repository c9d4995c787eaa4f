"""What the user should know of the data and the instruction before trusting a summary that says "clean".

Called by the proposer on a chunk's first question; the run shows the notes in its summary.
"""

import re
from collections.abc import Callable, Iterator

from orchestrator.propose.builtin.function_names import listed
from orchestrator.propose.builtin.left_alone import left_alone
from orchestrator.propose.builtin.preferences import Preferences
from orchestrator.propose.builtin.rules.blanks import _trim
from orchestrator.propose.builtin.rules.dates import looks_like_date
from orchestrator.propose.builtin.rules.number_parts import looks_numeric
from orchestrator.propose.builtin.rules.numbers import loses_commas
from orchestrator.propose.builtin.rules.phones import looks_like_phone
from orchestrator.propose.builtin.rules.rows import composites, dependencies
from orchestrator.propose.builtin.working_rows import TextColumn, WorkingRows

_IN_FIGURES = re.compile(r"(?<!\d)\d{1,4}([-/.])\d{1,2}\1\d{1,4}(?!\d)")  # day, month and year, in any order
_FEW = 20  # rows: below that nothing is learnt from what is usual


def notes(
    table: WorkingRows, preferences: Preferences, numbers: tuple[TextColumn, ...] = (), undone: tuple[str, ...] = ()
) -> Iterator[str]:
    """One sentence each. Those of `preferences` come first.

    `numbers`: columns of numbers, which no rule changes; `undone`: columns without texts for which much was declared.
    """
    yield from preferences.notes
    if undone:
        hold = "hold" if undone[1:] else "holds"
        yield f"{listed(undone)} {hold} no texts: no built-in rule changes that, and what was declared is not done."
    if not any(column.filled for column in table.columns):
        yield "No column holds any text: there is nothing for the built-in rules to look at."
        return
    if table.rows < _FEW:
        rows = "1 row was" if table.rows == 1 else f"{table.rows} rows were"
        yield f"Only {rows} looked at, too few to show what is usual: what single cells tell was looked for."
    if len(table.columns) > composites.MOST_COLUMNS or dependencies.is_too_wide(table):
        yield f"{len(table.columns)} text columns are too many to be compared with each other: each is cleaned alone."
    yield from _without_matching_cells(table, preferences)
    cleaned = [column for column in table.columns if column.name not in preferences.untouched]
    if commas := [c.name for c in cleaned if loses_commas(_trimmed(c), preferences[c.name].numbers, table)]:
        said = f"Decimal commas in {listed(tuple(commas))} become points, as programs read numbers."
        yield f"{said} To keep them, declare `leave: true` (--conventions)."
    yield from left_alone(table, preferences, numbers)


def _trimmed(column: TextColumn) -> TextColumn:
    """The column as the first rule leaves it: narrow blanks between thousands would hide that it holds numbers."""
    cells = [cell and _trim(cell) for cell in column.cells]
    return column if cells == column.cells else TextColumn(column.name, cells)


def _without_matching_cells(table: WorkingRows, preferences: Preferences) -> Iterator[str]:
    """Preferences that no cell of their column can fulfil; one for all columns needs one column that can."""
    kinds: dict[str, tuple[Callable[[TextColumn], object], Callable[[TextColumn], bool]]] = {
        "dates": (lambda c: preferences[c.name].dates.write or preferences[c.name].dates.read, _holds_dates),
        "telephone numbers": (lambda c: preferences[c.name].phones, lambda c: any(map(looks_like_phone, c.counts))),
        "numbers": (lambda c: preferences[c.name].numbers.whole, lambda c: any(map(looks_numeric, c.counts))),
    }
    changed = [column for column in table.columns if column.name not in preferences.untouched]
    for what, (wanted, holds) in kinds.items():
        columns = [column for column in table.columns if wanted(column)]
        without = [column.name for column in columns if column.filled and not holds(column)]
        if without and (len(without) == len(columns) or len(columns) < len(changed)):
            yield f"{listed(tuple(without))} should hold {what}, as was asked for, but no cell looks like one."


def _holds_dates(column: TextColumn) -> bool:
    return any(looks_like_date(text) or _IN_FIGURES.search(text) is not None for text in column.counts)
