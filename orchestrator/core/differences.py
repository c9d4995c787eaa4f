"""What one version of a function makes of rows that another does not, or a function and the one that it replaces.

Found by `run.apply.version_diff`, kept in steps, shown by the report and the command line.
"""

from typing import Any

from pydantic import Field

from orchestrator.core.value import Value


class CellDiff(Value):
    """One cell of which the versions make something else. `row` counts the rows that were compared, from 1.

    `file_row`: the number that people are told, in which the header of a CSV file is a row, too; None where it is not
    known.
    """

    row: int
    file_row: int | None = Field(default=None, exclude_if=lambda row: row is None)
    column: str
    before: Any
    old: Any
    new: Any


class VersionDiff(Value):
    """All differences, counted, and the first few of them. `*_failed` and `*_dropped` are rows.

    `replaced`: the name of the old one, where it is another function than `name`.
    """

    name: str
    old: int
    new: int
    rows: int = 0
    changed: dict[str, int] = Field(default_factory=dict)  # cells by column
    old_failed: int = 0
    new_failed: int = 0
    old_dropped: int = 0
    new_dropped: int = 0
    examples: tuple[CellDiff, ...] = ()
    replaced: str = Field(default="", exclude_if=lambda name: not name)

    @property
    def same(self) -> bool:
        rows_differ = self.old_failed != self.new_failed or self.old_dropped != self.new_dropped
        return not self.changed and not rows_differ
