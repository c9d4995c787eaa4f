"""What the other cells of a row say of what looks like a slip: a `Drayton` with a ZIP code of its own is no `Dayton`.

Of the rows that the proposer sees, the rules on spelling and variants ask this themselves (`is_another_thing`). Rows
that they do not see hold other rare texts, so their functions ask the row: the cells of up to three columns whose texts
go with few of the frequent ones, as a ZIP code and a county do with towns.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from orchestrator.propose.builtin.distance import _fingerprint, _is_slip_of
from orchestrator.propose.builtin.function_names import listed
from orchestrator.propose.builtin.remedy import Remedy
from orchestrator.propose.builtin.repair_rule import RepairRule, RuleFinding
from orchestrator.propose.builtin.working_rows import TextColumn, WorkingRows

_WITNESSES = 3
_SUPPORT = 4  # rows of a text before it is said what goes with it
_NEW = 0.1  # of these rows may have a text that stands in one of them only: so likely is one that was never seen
_COMMON = 0.5  # of all other rows may have the same texts: else they tell little
_TOLD = 0.5  # of the rows with such texts have a text of which the column says so much
_MOST_TEXTS = 12  # go with one
_MOST_CHARS = 6_000  # that a column contributes to a function
_REPEATED = 4  # times that a text of such a column occurs in the mean

Beside = list[dict[str, list[str]]]


def beside(table: WorkingRows, column: TextColumn, texts: Sequence[str]) -> tuple[tuple[str, ...], Beside]:
    """The names of the columns to be asked, and for each which of its texts go with each of these."""
    found = []
    rows = max(1, sum(column.counts[text] for text in texts))
    for other in table.columns:
        if other is column or len(other.counts) < 2 or len(other.counts) * _REPEATED > other.filled:
            continue
        goes = {text: cells for text in texts if (cells := _goes_with(column, other, text))}
        told = sum(column.counts[text] for text in goes)
        size = sum(len(text) + sum(map(len, cells)) for text, cells in goes.items())
        if told >= _TOLD * rows and size <= _MOST_CHARS:
            found.append((told, other.name, goes))
    found = sorted(found, key=lambda one: (-one[0], one[1]))[:_WITNESSES]
    return tuple(name for _, name, _ in found), [goes for *_, goes in found]


def in_rows(
    rule: RepairRule,
    table: WorkingRows,
    found: Iterable[tuple[TextColumn, RuleFinding, Sequence[str]]],
    meant: Callable[..., Any],
    helpers: tuple[Callable[..., Any], ...],
) -> Iterator[Remedy]:
    """The rule's remedies: one for a column where others tell its texts apart, else one for several.

    `found`: columns, what was found in them, and the texts that slips become. `meant` makes what `_in_row` looks up of
    the settings, and needs the `helpers`.
    """
    alone = []
    for column, finding, texts in found:
        names, goes = beside(table, column, texts) if texts else ((), [])
        if not names:
            alone.append((column.name, finding))
            continue
        (cellwise,) = rule.remedies([(column.name, finding)])
        yield replace(
            cellwise,
            doc=f"{cellwise.doc[:-1]}, unless {listed(names)} say that it is another.",
            columns=(column.name, *names),
            fix=_in_row,
            settings={**finding.settings, "beside": goes},
            helpers=tuple(dict.fromkeys((*rule.helpers, _fingerprint, _is_slip_of, _is_nearly, *helpers))),
            imports=("functools",),
            whole_rows=True,
            modifies=1,
            derive=meant,
        )
    yield from rule.remedies(alone)


def _goes_with(column: TextColumn, other: TextColumn, text: str) -> list[str]:
    """The texts that stand beside the text in the other column; none where these are many, or stand everywhere."""
    cells = (other.cells[row] for row in column.places.get(text, ()))
    said = Counter(cell for cell in cells if cell and cell.strip())
    rows = said.total()
    if rows < _SUPPORT:
        return []
    usual = said.most_common(1)[0][0]
    texts = [cell for cell, count in said.items() if count > 1 or cell == usual or not _is_nearly(cell, usual)]
    new = sum(said[cell] == 1 for cell in texts)
    elsewhere = sum(other.counts[cell] for cell in texts) - sum(said[cell] for cell in texts)
    if new > _NEW * rows or len(texts) > _MOST_TEXTS or elsewhere > _COMMON * (other.filled - rows):
        return []
    return sorted(texts)


def _is_nearly(cell: str, text: str) -> bool:
    """Whether the cell is another way to write the text, or a slip of it."""
    return _fingerprint(cell) == _fingerprint(text) or _is_slip_of(cell, text)


def _in_row(row: tuple[str | None, ...], lookup: "tuple[Callable[[str], str], Beside]") -> tuple[str | None, ...]:
    """The row with its first cell as meant, unless another cell never goes with that, nor is a slip of one that does.

    No cell is asked where only case, separators or quotes change.
    """
    meant, beside = lookup
    value, *others = row
    new = value if value is None else meant(value)
    if value is None or new is None or new == value:
        return row
    for cell, goes in zip(others, beside) if _fingerprint(value) != _fingerprint(new) else ():  # noqa: B905 - same length
        if not cell or not cell.strip() or new not in goes or cell in goes[new]:
            continue
        if any(cell in texts for texts in goes.values()) or not any(_is_nearly(cell, text) for text in goes[new]):
            return row
    return (new, *others)
