"""What the rules see of the working rows: the text columns and how often each text occurs.

Built once per request by the proposer; rules never see the Arrow table itself.
"""

from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, TypeVar, cast

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    import pyarrow as pa

REMEMBERED = 2**15
"""Texts of at most 40 characters of which a question about single texts remembers the answer: many rules ask it."""

Cell = str | None
T = TypeVar("T")


@dataclass(frozen=True)
class TextColumn:
    """One text column: every cell in row order, None where it is null. `found`: what rules found in it."""

    name: str
    cells: list[Cell]
    found: dict[object, object] = field(default_factory=dict, compare=False, repr=False)

    @cached_property
    def counts(self) -> Counter[str]:
        """The number of rows per text, in the order of first appearance; blank texts are left out."""
        return Counter(cell for cell in self.cells if cell is not None and cell.strip())

    @cached_property
    def places(self) -> dict[str, list[int]]:
        """The rows in which each text stands, as in `counts`."""
        found: dict[str, list[int]] = {text: [] for text in self.counts}
        for row, cell in enumerate(self.cells):
            if cell in found:
                found[cell].append(row)
        return found

    @cached_property
    def filled(self) -> int:
        """The number of cells that are neither null nor blank."""
        return sum(self.counts.values())

    @cached_property
    def nulls(self) -> int:
        return sum(cell is None for cell in self.cells)

    @cached_property
    def blanks(self) -> int:
        """The number of texts that are empty or hold only whitespace."""
        return len(self.cells) - self.nulls - self.filled

    def learnt(self, key: object, learn: "Callable[[TextColumn], T]") -> "T":
        """What `learn` makes of the column; done once under this key, as long as the column stays as it is."""
        if key not in self.found:
            self.found[key] = learn(self)
        return cast("T", self.found[key])

    def without(self, text: str | None) -> "TextColumn":
        """The column with null in place of a text that means a missing value."""
        return TextColumn(self.name, [None if cell == text else cell for cell in self.cells])

    def may_be(self, accepts: "Accepts") -> bool:
        """Whether the column is worth a closer look: half of the rows of its first few texts are accepted, or more."""
        first = list(islice(self.counts.items(), 80))
        return 2 * sum(count for text, count in first if accepts(text)) >= sum(count for _, count in first) > 0

    def share(self, accepts: "Accepts") -> float:
        """The share of filled cells that the predicate accepts."""
        return self.rows(accepts) / self.filled if self.filled else 0.0

    def rows(self, accepts: "Accepts") -> int:
        """The number of filled cells that the predicate accepts."""
        return sum(count for text, count in self.counts.items() if accepts(text))


@dataclass(frozen=True)
class WorkingRows:
    """The text columns of the working rows. Columns of other types are left to themselves."""

    columns: tuple[TextColumn, ...]
    rows: int
    found: dict[object, object] = field(default_factory=dict, compare=False, repr=False)

    def __getitem__(self, name: str) -> TextColumn:
        return self._by_name[name]

    @cached_property
    def _by_name(self) -> dict[str, TextColumn]:
        return {column.name: column for column in self.columns}

    def learnt(self, key: object, learn: "Callable[[WorkingRows], T]") -> "T":
        """What `learn` makes of the columns together; done once under this key, not once for each column."""
        if key not in self.found:
            self.found[key] = learn(self)
        return cast("T", self.found[key])


def profile(table: "pa.Table", known: "Iterable[TextColumn]" = ()) -> WorkingRows:
    """Read the text columns of an Arrow table; a name that occurs twice is left out, for it cannot be addressed.

    A column that is as it was is taken from `known`, with all that was found in it.
    """
    from pyarrow import types

    named = Counter(table.column_names)
    before = {column.name: column for column in known}
    columns = []
    for position, one in enumerate(table.schema):
        if named[one.name] == 1 and (types.is_string(one.type) or types.is_large_string(one.type)):
            column = TextColumn(one.name, table.column(position).to_pylist())
            columns.append(before[one.name] if before.get(one.name) == column else column)
    return WorkingRows(tuple(columns), table.num_rows)


def number_columns(table: "pa.Table") -> tuple[TextColumn, ...]:
    """The columns of numbers, as texts: no rule changes them, but what they hold may have to be said."""
    import pyarrow as pa
    from pyarrow import types

    found = [
        (one.name, table.column(place).cast(pa.string()))
        for place, one in enumerate(table.schema)
        if types.is_integer(one.type) or types.is_floating(one.type) or types.is_decimal(one.type)
    ]
    return tuple(TextColumn(name, cells.to_pylist()) for name, cells in found)


if TYPE_CHECKING:
    Accepts = Callable[[str], bool]
