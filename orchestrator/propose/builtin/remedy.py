"""What a rule hands over: a text function that ships with cleanroom, and the constants learnt from the rows.

The same function runs here (to count and to find examples) and is copied as source into the candidate, so nothing
generated is ever executed in this process.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from orchestrator.propose.builtin.profile import Cell, Table


@dataclass(frozen=True)
class Remedy:
    """One cleaning function to be.

    `fix` maps one text to its right text, or, with `whole_rows`, the cells of `columns` to their right cells.
    `settings` are its keyword arguments, literals; with `derive`, it gets what that makes of them, as `lookup`.
    `helpers` are the other functions that its source needs. `examples` go into the contract: as many as there are
    texts that only an example shows to mean the same.
    """

    rule: str
    name: str
    issue: str
    doc: str
    columns: tuple[str, ...]
    fix: Callable[..., Any]
    settings: Mapping[str, Any] = field(default_factory=dict)
    helpers: tuple[Callable[..., Any], ...] = ()
    imports: tuple[str, ...] = ()
    whole_rows: bool = False
    examples: int = 3
    derive: Callable[..., Any] | None = None

    def without(self, column: str) -> "Remedy":
        """The same remedy for the other columns."""
        return replace(self, columns=tuple(name for name in self.columns if name != column))

    def arguments(self) -> Mapping[str, Any]:
        """The keyword arguments of `fix`."""
        return self.settings if self.derive is None else {"lookup": self.derive(**self.settings)}

    def apply(self, rows: Sequence[tuple[Cell, ...]]) -> Iterator[tuple[Cell, ...]]:
        """The right cells of `columns`, row by row."""
        arguments = self.arguments()
        if self.whole_rows:
            yield from (tuple(self.fix(row, **arguments)) for row in rows)
            return
        fix = cache(lambda text: self.fix(text, **arguments))
        yield from (tuple(cell if cell is None else fix(cell) for cell in row) for row in rows)

    def changes(self, table: Table) -> list[tuple[tuple[Cell, ...], tuple[Cell, ...]]]:
        """Rows before and after, only those that change."""
        before = list(zip(*(table[name].cells for name in self.columns), strict=True))
        return [(old, new) for old, new in zip(before, self.apply(before), strict=True) if old != new]
