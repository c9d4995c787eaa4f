"""What a function did to rows, counted: kept with its evidence, and held against every batch that it is applied to.

Counted by `data.profile.effect_counts`, the same way where a function is proved and where it is applied.
"""

from orchestrator.core.value import Value


class ColumnEffect(Value):
    """What became of one column; counts are cells.

    `emptied`: held something and are missing or blank now. `formulas`: start a spreadsheet formula and did not before.
    `distinct`: different values before, and `lost` how many fewer there are now, both among `spread` rows.
    """

    name: str
    cells: int
    changed: int = 0
    emptied: int = 0
    formulas: int = 0
    distinct: int = 0
    lost: int = 0


class Effects(Value):
    """What a function did to `rows` rows: how many it `dropped`, and what became of the columns that it changed.

    `unflagged`: rows that it changed or dropped and that its own `detect` does not flag; None where it has none.
    """

    rows: int
    dropped: int = 0
    unflagged: int | None = None
    columns: tuple[ColumnEffect, ...] = ()

    def of(self, name: str) -> ColumnEffect:
        """The column's effect; nothing but cells for one that it did not change."""
        known = next((column for column in self.columns if column.name == name), None)
        return known or ColumnEffect(name=name, cells=self.rows - self.dropped)
