"""What a rule hands over: a text function that ships with cleanroom, and the constants learnt from the rows.

The same function runs here (to count and to find examples) and is copied as source into the candidate, so nothing
generated is ever executed in this process.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from orchestrator.propose.builtin.working_rows import Cell, WorkingRows

RowChange = tuple[tuple[Cell, ...], tuple[Cell, ...]]


@dataclass(frozen=True)
class Remedy:
    """One cleaning function to be.

    `fix` maps one text to its right text, or, with `whole_rows`, the cells of `columns` to their right cells.
    `settings` are its keyword arguments, literals; with `derive`, it gets what that makes of them, as `lookup`.
    `helpers` are the other functions that its source needs. `examples` go into the contract: as many as there are
    texts that only an example shows to mean the same. `parts`: the remedies of single columns of which this one was
    made; then each column has the settings of its part, and `settings` is empty.
    """

    name: str
    issue: str
    doc: str
    columns: tuple[str, ...]
    fix: Callable[..., Any]
    settings: Mapping[str, Any] = field(default_factory=dict)
    helpers: tuple[Callable[..., Any], ...] = ()
    imports: tuple[str, ...] = ()
    whole_rows: bool = False
    modifies: int | None = None  # with `whole_rows`: only the first so many columns are changed, the others are read
    examples: int = 3
    once: bool = False  # its own result must not be taken for what it rewrites: never proposed again
    derive: Callable[..., Any] | None = None
    parts: tuple["Remedy", ...] = ()

    @property
    def modified(self) -> tuple[str, ...]:
        """The columns that may change."""
        return self.columns[: self.modifies]

    def without(self, column: str) -> "Remedy":
        """The same remedy for the other columns."""
        parts = tuple(part.without(column) for part in self.parts if part.columns != (column,))
        return replace(self, columns=tuple(name for name in self.columns if name != column), parts=parts)

    def by_column(self) -> dict[str, Mapping[str, Any]]:
        """The settings of each column, where they differ."""
        return {column: part.settings for part in self.parts for column in part.columns}

    def arguments(self, column: str = "") -> Mapping[str, Any]:
        """The keyword arguments of `fix`, for the texts of the column."""
        settings = self.by_column().get(column, self.settings)
        return settings if self.derive is None else {"lookup": self.derive(**settings)}

    def changes(self, table: WorkingRows) -> list[RowChange]:
        """Rows before and after, cells of `columns` only; only rows that change."""
        rows = list(zip(*(table[name].cells for name in self.columns), strict=True))
        if self.whole_rows:
            arguments = self.arguments()
            fixed = {row: tuple(self.fix(row, **arguments)) for row in dict.fromkeys(rows)}
            return [(row, fixed[row]) for row in rows if fixed[row] != row]
        fixes = [
            {
                cell: new
                for cell in set(table[name].cells)
                if cell is not None and (new := self.fix(cell, **arguments)) != cell
            }
            for name, arguments in ((name, self.arguments(name)) for name in self.columns)
        ]
        return [
            (row, tuple(known.get(cell, cell) for cell, known in zip(row, fixes, strict=True)))
            for row in rows
            if any(cell in known for cell, known in zip(row, fixes, strict=True))
        ]
